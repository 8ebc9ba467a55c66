/** Real attention and feed-forward, worked out for one entry of their output. */
import type { RealSublayers, Within } from "../../state/compute-block.js";
import type { ChainNode } from "../../state/compute.js";
import type { State } from "../../state/schema.js";
import { formatFor, scaleOf, type NumberFormat } from "../parts/format.js";
import { wiringOf } from "./labels.js";
import { classed, DIGITS, letter, products, rowOf, text, valueAt, type Entry, type Piece, type WorkedNode } from "./worked-pieces.js";

/** Row `row` of a matrix of `cols` columns. */
const row = (data: Float32Array, cols: number, index: number): Float32Array => data.subarray(index * cols, (index + 1) * cols);

/** Every `cols`-th number, from `first` on: column `first` of a matrix. */
function column(data: Float32Array, cols: number, first: number): Float32Array {
  return Float32Array.from({ length: data.length / cols }, (_, i) => data[i * cols + first]!);
}

const fine = (values: Float32Array): NumberFormat => formatFor(scaleOf(values), DIGITS);
const outcome = (value: string): Piece[] => [text(" = "), { text: value, role: "result" }];
const within = (node: ChainNode, real: RealSublayers): Within => real.within[wiringOf(node.id)];

/** The head that the state names, where there are so many. */
export const headOf = ({ head }: State, { heads }: RealSublayers): number => Math.min(head, heads - 1);

/** This head's weights: tokens x tokens. */
export function headWeights(node: ChainNode, real: RealSublayers, head: number): Float32Array {
  const count = node.rows * node.rows;
  return within(node, real).attentionWeights.subarray(head * count, (head + 1) * count);
}

/** First a number of the head's context, a weighted mean of values; then the chosen entry, which mixes all heads. */
export function workedAttention(node: ChainNode, _input: ChainNode, real: RealSublayers, state: State, entry: Entry): WorkedNode[] {
  const { cols, rows } = node;
  const { queryKeyValue, context } = within(node, real);
  const head = headOf(state, real);
  const width = cols / real.heads;
  const feature = head * width + (entry.col % width);
  const looks = row(headWeights(node, real, head), rows, entry.row);
  const values = column(queryKeyValue, 3 * cols, 2 * cols + feature);
  const contexts = row(context, cols, entry.row);
  const outWeights = row(real.weights.attnOutWeight!, cols, entry.col);
  return [
    {
      tex: String.raw`${classed("branch", "c_{t,k}")} = \displaystyle\sum_{j=0}^{${rows - 1}} ${classed("statistic", "a_{t,j}")}\, ${classed("stream", "v_{j,k}")}`,
      numbers: [text(`c[${entry.row}, ${feature}] = `), ...products({ values: looks, role: "statistic" }, { values: values, role: "stream" }), ...outcome(fine(contexts)(contexts[feature]!))],
    },
    {
      tex: String.raw`${classed("branch", String.raw`\mathrm{Attn}_{t,i}`)} = \displaystyle\sum_{k=0}^{${cols - 1}} ${classed("branch", "c_{t,k}")}\, ${classed("parameter", "W^O_{i,k}")}`,
      numbers: [
        text(`Attn[${entry.row}, ${entry.col}] = `), ...products({ values: contexts, role: "branch" }, { values: outWeights, role: "parameter" }),
        ...outcome(fine(rowOf(node, entry.row))(valueAt(node, entry))),
      ],
    },
  ];
}

/** First one number within, before and after the activation; then the chosen entry, which gathers all of them. */
export function workedFeedForward(node: ChainNode, input: ChainNode, real: RealSublayers, { activation }: State, entry: Entry): WorkedNode[] {
  const { cols } = node;
  const { dFf, weights } = real;
  const { up, activated } = within(node, real);
  const inner = entry.col % dFf;
  const [ups, acts] = [row(up, dFf, entry.row), row(activated, dFf, entry.row)];
  const act = activation === "relu" ? "ReLU" : "GELU";
  return [
    {
      tex: String.raw`${classed("branch", "u_{t,m}")} = \displaystyle\sum_{k=0}^{${cols - 1}} ${classed("stream", `${letter(input.id)}_{t,k}`)}\, ${classed("parameter", "W^{(1)}_{m,k}")}`,
      numbers: [
        text(`u[${entry.row}, ${inner}] = `), ...products({ values: rowOf(input, entry.row), role: "stream" }, { values: row(weights.ffnUpWeight!, cols, inner), role: "parameter" }),
        ...outcome(fine(ups)(ups[inner]!)),
      ],
    },
    {
      tex: String.raw`${classed("branch", "g_{t,m}")} = \mathrm{${act}}(${classed("branch", "u_{t,m}")})`,
      numbers: [text(`g[${entry.row}, ${inner}] = ${act}(`), { text: fine(ups)(ups[inner]!), role: "branch" }, text(")"), ...outcome(fine(acts)(acts[inner]!))],
    },
    {
      tex: String.raw`${classed("branch", String.raw`\mathrm{FFN}_{t,i}`)} = \displaystyle\sum_{m=0}^{${dFf - 1}} ${classed("branch", "g_{t,m}")}\, ${classed("parameter", "W^{(2)}_{i,m}")}`,
      numbers: [
        text(`FFN[${entry.row}, ${entry.col}] = `), ...products({ values: acts, role: "branch" }, { values: row(weights.ffnDownWeight!, dFf, entry.col), role: "parameter" }),
        ...outcome(fine(rowOf(node, entry.row))(valueAt(node, entry))),
      ],
    },
  ];
}
