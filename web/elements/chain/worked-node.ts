/** One number of a node, worked out: its formula in symbols, then with the numbers of the chosen entry. */
import type { ChainNode, ChainResult } from "../../state/compute.js";
import type { State } from "../../state/schema.js";
import { formatFor, formatParameter, scaleOf } from "../parts/format.js";
import { halfOf, nameOf, wiringOf } from "./labels.js";

export interface Piece {
  readonly text: string;
  readonly role?: "stream" | "branch" | "statistic" | "parameter" | "result";
}

export interface WorkedNode {
  readonly tex: string;
  readonly numbers: readonly Piece[];
}

export interface Entry {
  readonly row: number;
  readonly col: number;
}

const DIGITS = 5;
/** Products of a row of W that are written out; longer sums show their beginning and their end. */
const MOST_TERMS = 4;

const classed = (role: string, tex: string): string => String.raw`\class{${role}}{${tex}}`;
const EPS = classed("statistic", String.raw`\varepsilon`);

const text = (value: string): Piece => ({ text: value });
/** "−3" inside a longer expression is "(−3)". */
const guarded = (value: string): string => (value.startsWith("\u2212") ? `(${value})` : value);
const valueAt = ({ data, cols }: ChainNode, { row, col }: Entry): number => data[row * cols + col]!;
const rowOf = ({ data, cols }: ChainNode, row: number): Float32Array => data.subarray(row * cols, (row + 1) * cols);

/** undefined for numbers that are not computed from others: the input, and outputs that are drawn. */
export function workedNode(node: ChainNode, result: ChainResult, state: State, entry: Entry): WorkedNode | undefined {
  const nodes = result[wiringOf(node.id)];
  const inputs = node.inputs.map((id) => nodes.find((other) => other.id === id)!);
  switch (node.op) {
    case "sum": return workedSum(node, inputs, entry);
    case "norm": return workedNorm(node, inputs[0]!, state, entry);
    case "sublayer": return result.weights ? workedLinear(node, inputs[0]!, result.weights[halfOf(node.id) - 1]!, entry) : undefined;
    default: return undefined;
  }
}

/** The letter for a node's numbers in formulas. */
function letter(id: string): string {
  const name = nameOf(id);
  if (name === "x") return "x";
  if (name.startsWith("f")) return `F_${halfOf(id)}`;
  if (wiringOf(id) === "post") return { sum1: "s", norm1: "h", sum2: "t", norm2: "y" }[name as "sum1"];
  return { norm1: "n", sum1: "h", norm2: "m", sum2: "y" }[name as "sum1"];
}

/** The entry of token t and feature i, in symbols. */
function symbol(id: string, role = ""): string {
  const base = letter(id);
  const tex = `${id.includes(".f") ? `(${base})` : base}_{t,i}`;
  return role ? classed(role, tex) : tex;
}

/** "h[3, 2] = ", which says whose numbers follow. */
const named = (id: string, { row, col }: Entry): Piece => text(`${letter(id).replace("_", "")}[${row}, ${col}] = `);

function workedSum(node: ChainNode, [stream, branch]: ChainNode[], entry: Entry): WorkedNode {
  const values = [valueAt(stream!, entry), valueAt(branch!, entry), valueAt(node, entry)];
  const format = formatFor(scaleOf(values), DIGITS);
  const [x, fx, sum] = values.map(format) as [string, string, string];
  return {
    tex: `${symbol(node.id)} = ${symbol(stream!.id, "stream")} + ${symbol(branch!.id, "branch")}`,
    numbers: [named(node.id, entry), { text: x, role: "stream" }, text(" + "), { text: guarded(fx), role: "branch" }, text(" = "), { text: sum, role: "result" }],
  };
}

function workedNorm(node: ChainNode, input: ChainNode, state: State, entry: Entry): WorkedNode {
  const { row, col } = entry;
  const rms = state.norm === "rms";
  const format = formatFor(scaleOf(rowOf(input, row)), DIGITS);
  const x = format(valueAt(input, entry));
  const mean: Piece = { text: guarded(format(input.mean[row]!)), role: "statistic" };
  const spread: Piece = { text: format((rms ? input.rms : input.std)[row]!), role: "statistic" };
  const eps: Piece = { text: formatParameter(state.eps), role: "statistic" };
  const gamma = guarded(formatParameter(perFeature(state.gamma, col)));
  const beta = guarded(formatParameter(perFeature(state.beta, col)));
  const outcome: Piece = { text: formatFor(scaleOf(rowOf(node, row)), DIGITS)(valueAt(node, entry)), role: "result" };
  const inRoot = rms || state.epsPlacement === "inside";
  const offset = rms && state.gammaOffset === 1;

  const stream = symbol(input.id, "stream");
  const meanTex = classed("statistic", String.raw`\mu_t`);
  const spreadTex = classed("statistic", rms ? String.raw`\mathrm{RMS}_t` : String.raw`\sigma_t`);
  const divisor = inRoot ? String.raw`\sqrt{${spreadTex}^2 + ${EPS}}` : `${spreadTex} + ${EPS}`;
  const gammaTex = classed("parameter", String.raw`\gamma_i`);
  const gain = offset ? `(1 + ${gammaTex})` : gammaTex;
  const shift = rms ? "" : ` + ${classed("parameter", String.raw`\beta_i`)}`;
  return {
    tex: String.raw`${symbol(node.id)} = ${gain}\,\dfrac{${rms ? stream : `${stream} - ${meanTex}`}}{${divisor}}${shift}`,
    numbers: [
      named(node.id, entry), { text: offset ? `(1 + ${gamma})` : gamma, role: "parameter" }, text(" × "),
      ...(rms ? [{ text: guarded(x), role: "stream" } as const] : [text("("), { text: x, role: "stream" } as const, text(" − "), mean, text(")")]),
      text(" / "), ...(inRoot ? [text("√("), spread, text("² + "), eps, text(")")] : [text("("), spread, text(" + "), eps, text(")")]),
      ...(rms ? [] : [text(" + "), { text: beta, role: "parameter" } as const]),
      text(" = "), outcome,
    ],
  };
}

const perFeature = (values: readonly number[], col: number): number => (values.length === 1 ? values[0]! : values[col]!);

function workedLinear(node: ChainNode, input: ChainNode, weight: Float32Array, entry: Entry): WorkedNode {
  const { row, col } = entry;
  const { cols } = input;
  const x = rowOf(input, row);
  const w = weight.subarray(col * cols, (col + 1) * cols);
  const [formatX, formatW] = [formatFor(scaleOf(x), 4), formatFor(scaleOf(w), 4)];
  const product = (k: number): Piece[] => [
    { text: guarded(formatX(x[k]!)), role: "stream" }, text("·"), { text: guarded(formatW(w[k]!)), role: "branch" },
  ];
  const shown = cols <= MOST_TERMS ? [...x.keys()] : [0, 1, 2, cols - 1];
  const terms = shown.flatMap((k, i): Piece[] => [...(i ? [text(i === 3 && cols > MOST_TERMS ? " + … + " : " + ")] : []), ...product(k)]);
  return {
    tex: String.raw`${symbol(node.id, "branch")} = \displaystyle\sum_{k=0}^{${cols - 1}} ${classed("stream", `${letter(input.id)}_{t,k}`)}\, ${classed("branch", "W_{i,k}")}`,
    numbers: [named(node.id, entry), ...terms, text(" = "), { text: formatFor(scaleOf(rowOf(node, row)), DIGITS)(valueAt(node, entry)), role: "result" }],
  };
}
