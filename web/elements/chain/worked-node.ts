/** One number of a node, worked out: its formula in symbols, then with the numbers of the chosen entry. */
import type { ChainNode, ChainResult } from "../../state/compute.js";
import type { State } from "../../state/schema.js";
import { formatFor, formatParameter, scaleOf } from "../parts/format.js";
import { halfOf, wiringOf } from "./labels.js";
import { classed, DIGITS, guarded, letter, named, products, rowOf, symbol, text, valueAt, type Entry, type Piece, type WorkedNode } from "./worked-pieces.js";
import { workedAttention, workedFeedForward } from "./worked-real.js";

const EPS = classed("statistic", String.raw`\varepsilon`);

/** None for numbers that are not computed from others: the input, and outputs that are drawn. */
export function workedNode(node: ChainNode, result: ChainResult, state: State, entry: Entry): readonly WorkedNode[] {
  const nodes = result[wiringOf(node.id)]!;
  const inputs = node.inputs.map((id) => nodes.find((other) => other.id === id)!);
  switch (node.op) {
    case "sum": case "branches": return [workedSum(node, inputs, entry, result.real !== undefined)];
    case "norm": return [workedNorm(node, inputs[0]!, state, entry)];
    case "sublayer": {
      if (result.real) return (halfOf(node.id) === 1 ? workedAttention : workedFeedForward)(node, inputs[0]!, result.real, state, entry);
      return result.weights ? [workedLinear(node, inputs[0]!, result.weights[halfOf(node.id) - 1]!, entry)] : [];
    }
    default: return [];
  }
}

function workedSum(node: ChainNode, [stream, branch]: ChainNode[], entry: Entry, real: boolean): WorkedNode {
  const role = node.op === "branches" ? "branch" : "stream";
  const values = [valueAt(stream!, entry), valueAt(branch!, entry), valueAt(node, entry)];
  const format = formatFor(scaleOf(values), DIGITS);
  const [x, fx, sum] = values.map(format) as [string, string, string];
  return {
    tex: `${symbol(node.id)} = ${symbol(stream!.id, role, real)} + ${symbol(branch!.id, "branch", real)}`,
    numbers: [named(node.id, entry), { text: x, role }, text(" + "), { text: guarded(fx), role: "branch" }, text(" = "), { text: sum, role: "result" }],
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
  return {
    tex: String.raw`${symbol(node.id, "branch")} = \displaystyle\sum_{k=0}^{${cols - 1}} ${classed("stream", `${letter(input.id)}_{t,k}`)}\, ${classed("branch", "W_{i,k}")}`,
    numbers: [
      named(node.id, entry), ...products({ values: rowOf(input, row), role: "stream" }, { values: weight.subarray(col * cols, (col + 1) * cols), role: "branch" }),
      text(" = "), { text: formatFor(scaleOf(rowOf(node, row)), DIGITS)(valueAt(node, entry)), role: "result" },
    ],
  };
}
