/** One feature worked out: of the sum, of F(x), of a projected x and of the gradient, in symbols and then with the numbers put in. */
import { html, type TemplateResult } from "lit";
import type { Gradient, LinearMap, ResidualResult, Sum } from "../../state/compute-residual.js";
import { drawScale } from "../../state/draw.js";
import type { State } from "../../state/schema.js";
import { formatFor, formatParameter, scaleOf } from "../parts/format.js";
import { formula } from "../parts/formula.js";

interface Piece {
  readonly text: string;
  readonly role?: "stream" | "branch" | "parameter" | "result";
}

export interface Worked {
  readonly tex: string;
  readonly numbers: readonly Piece[];
}

interface Entry {
  readonly row: number;
  readonly feature: number;
}

const DIGITS = 5;
/** Products that are written out; longer sums show their beginning and their end. */
const MOST_TERMS = 4;

const text = (value: string): Piece => ({ text: value });
/** "−3" inside a longer expression is "(−3)". */
const guarded = (value: string): string => (value.startsWith("\u2212") ? `(${value})` : value);
const classed = (role: string, tex: string): string => String.raw`\class{${role}}{${tex}}`;
const rowOf = (data: Float32Array, cols: number, row: number): Float32Array => data.subarray(row * cols, (row + 1) * cols);

const X = classed("stream", "x");
const S = classed("parameter", "s");
const at = (symbol: string, feature: number | string): string => `${symbol}_{${feature}}`;

/** x as it enters the sum. */
export const streamTex = ({ projects }: ResidualResult): string => (projects === "stream" ? classed("stream", String.raw`xW_s^{\mathsf T}`) : X);

/** x₃ + s·F(x)₃ with its numbers. */
export function workedSum(result: ResidualResult, sum: Sum, { row, feature }: Entry, scale: number): Worked {
  const i = row * sum.cols + feature;
  const values = [sum.old[i]!, sum.added[i]!, sum.next[i]!];
  const format = formatFor(scaleOf(values), DIGITS);
  const [old, fx, next] = values.map(format) as [string, string, string];
  const stream = result.projects === "stream" ? `(${streamTex(result)})` : X;
  return {
    tex: String.raw`${at("y", feature)} = ${at(stream, feature)} + ${S}\,${classed("branch", at("F(x)", feature))}`,
    numbers: [
      { text: old, role: "stream" }, text(" + "), { text: formatParameter(scale), role: "parameter" }, text(" × "), { text: guarded(fx), role: "branch" },
      text(" = "), { text: next, role: "result" },
    ],
  };
}

/** Where F(x)₃ comes from: its products, or the draw. */
export function workedBranch(result: ResidualResult, state: State, { row, feature }: Entry): Worked {
  const { projects, projection, map, output, width, rows, branch } = result;
  const symbol = classed("branch", at("F(x)", feature));
  const value: Piece = { text: formatFor(scaleOf(rowOf(branch.data, branch.cols, row)), DIGITS)(branch.data[row * branch.cols + feature]!), role: "result" };
  if (projects === "branch") {
    return products(`${symbol}`, ["F", "P"], rowOf(output, width, row), projection!, feature, value, ["branch", "branch"]);
  }
  if (map) return products(symbol, ["x", "W"], rowOf(result.data, result.cols, row), map, feature, value, ["stream", "branch"]);
  const scale = drawScale(state);
  return {
    tex: String.raw`${symbol}\ \text{= attn\_output}`,
    numbers: [text(`randn(${rows}, ${width})[${row}, ${feature}]${scale === 1 ? "" : ` × ${formatParameter(scale)}`} = `), value],
  };
}

/** The projected x of the skip. */
export function workedStream({ projection, data, cols, stream }: ResidualResult, { row, feature }: Entry): Worked {
  const value: Piece = { text: formatFor(scaleOf(rowOf(stream.data, stream.cols, row)), DIGITS)(stream.data[row * stream.cols + feature]!), role: "result" };
  return products(classed("stream", String.raw`(xW_s^{\mathsf T})_{${feature}}`), ["x", "(W_s)"], rowOf(data, cols, row), projection!, feature, value, ["stream", "stream"]);
}

/** The sum over k of input_k · weight_{feature,k}. */
function products(symbol: string, [input, weight]: readonly [string, string], values: Float32Array, map: LinearMap, feature: number, result: Piece, [first, second]: readonly ["stream" | "branch", "stream" | "branch"]): Worked {
  const { inFeatures } = map;
  const weights = rowOf(map.weight, inFeatures, feature);
  const [formatX, formatW] = [formatFor(scaleOf(values), 4), formatFor(scaleOf(weights), 4)];
  const shown = inFeatures <= MOST_TERMS ? [...values.keys()] : [0, 1, 2, inFeatures - 1];
  const terms = shown.flatMap((k, i): Piece[] => [
    ...(i ? [text(i === 3 && inFeatures > MOST_TERMS ? " + … + " : " + ")] : []),
    { text: guarded(formatX(values[k]!)), role: first }, text("·"), { text: guarded(formatW(weights[k]!)), role: second },
  ]);
  return {
    tex: String.raw`${symbol} = \sum_{k} ${classed(first, `${input}_{k}`)}\,${classed(second, `${weight}_{${feature},k}`)}`,
    numbers: [...terms, text(" = "), result],
  };
}

/** dx₃: what comes over the skip and what comes through F. */
export function workedGradient({ projects, map }: ResidualResult, gradient: Gradient, feature: number, scale: number): Worked {
  const values = [gradient.old[feature]!, gradient.added[feature]!, gradient.next[feature]!];
  const format = formatFor(scaleOf(values), DIGITS);
  const [skip, through, dx] = values.map(format) as [string, string, string];
  const overSkip = projects === "stream" ? String.raw`(W_s^{\mathsf T} dy)` : "dy";
  const weights = projects === "branch" ? String.raw`W^{\mathsf T}P^{\mathsf T}` : String.raw`W^{\mathsf T}`;
  const throughF = map ? String.raw`${S}\,${classed("branch", at(`(${weights} dy)`, feature))}` : classed("branch", "0");
  return {
    tex: String.raw`${at("dx", feature)} = ${classed("stream", at(overSkip, feature))} + ${throughF}`,
    numbers: [
      { text: skip, role: "stream" }, text(" + "),
      ...(map ? [{ text: formatParameter(scale), role: "parameter" } as const, text(" × ")] : []), { text: guarded(through), role: "branch" },
      text(" = "), { text: dx, role: "result" },
    ],
  };
}

/** Both lines of a list of worked numbers. */
export function workedLines(lines: readonly (Worked & { readonly formulaName: string; readonly numbersName: string })[]): TemplateResult {
  return html`<dl class="worked">${lines.map(({ tex, numbers, formulaName, numbersName }) => html`
    <dt>${formulaName}</dt><dd class="symbols">${formula(tex)}</dd>
    <dt>${numbersName}</dt><dd class="line mono">${numbers.map(({ text: words, role }) => (role ? html`<span class=${role}>${words}</span>` : words))}</dd>`)}
  </dl>`;
}
