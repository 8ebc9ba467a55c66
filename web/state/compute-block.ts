/** The chain's block with real sublayers: an.block in each wiring, on the same x and the same weights. */
import type { Addnorm, BlockArrays, TraceStep } from "../lib/index.js";
import type { ChainNode } from "./compute.js";
import { drawn } from "./draw.js";
import type { Matrix } from "./matrix.js";
import { Memo } from "./memo.js";
import type { State } from "./schema.js";

export type BlockWiring = "post" | "pre" | "parallel";

/** What attention and feed-forward compute on the way to their outputs. */
export interface Within {
  /** tokens x 3 features: query, key and value side by side. */
  readonly queryKeyValue: Float32Array;
  /** heads x tokens rows, tokens columns: whom each token looks at, after softmax. */
  readonly attentionWeights: Float32Array;
  /** tokens x features: those weights times the values, the heads side by side. */
  readonly context: Float32Array;
  /** tokens x dFf: feed-forward before its activation, and after it. */
  readonly up: Float32Array;
  readonly activated: Float32Array;
}

export interface RealSublayers {
  /** Those that divide the features. */
  readonly heads: number;
  readonly dFf: number;
  /** Of attention and feed-forward, the same in each wiring. */
  readonly weights: BlockArrays;
  readonly within: Readonly<Record<BlockWiring, Within>>;
}

export type BlockResult = RealSublayers & Readonly<Record<BlockWiring, readonly ChainNode[]>>;

/** The step's short id in the trace -> the node's name in the chain, and what kind of step it is. */
const nodes: Readonly<Record<string, readonly [name: string, op: ChainNode["op"]]>> = {
  "x": ["x", "input"],
  "block0.norm1": ["norm1", "norm"],
  "block0.attn": ["f1", "sublayer"],
  "block0.sum1": ["sum1", "sum"],
  "block0.norm2": ["norm2", "norm"],
  "block0.ffn": ["f2", "sublayer"],
  "block0.sum2": ["sum2", "sum"],
  "block0.branches": ["branches", "branches"],
};

const weightsMemo = new Memo<BlockArrays>(2);

/** The wanted number of heads where it divides the features, else the next smaller one that does. */
export function headsFor(wanted: number, cols: number): number {
  let heads = Math.min(wanted, cols);
  while (cols % heads !== 0) heads--;
  return heads;
}

/** The width within feed-forward; 0 stands for four times that of x. */
export const dFfFor = (wanted: number, cols: number): number => wanted || 4 * cols;

/** `skip`: numbers that x took from the seed. `gamma` and `beta`: one a feature, for all norms. */
export function computeBlock(an: Addnorm, state: State, { cols, data: x }: Matrix, skip: number, gamma: Float32Array, beta: Float32Array): BlockResult {
  const heads = headsFor(state.heads, cols);
  const dFf = dFfFor(state.dFf, cols);
  const weights = weightsMemo.get(`${state.seed}/${skip}/${cols}/${dFf}`, () => drawnWeights(an, state.seed, skip, cols, dFf));
  const { norm, eps, variance } = state;
  const convention = norm === "layer" ? { epsPlacement: state.epsPlacement } : { gammaOffset: state.gammaOffset };
  const trace = (wiring: BlockWiring) => an.block(x, {
    dModel: cols, heads, dFf, activation: state.activation, causal: state.causal === "yes",
    placement: wiring === "post" ? "post" : "pre", branches: wiring === "parallel" ? "parallel" : "serial",
    norm, eps, variance, ...convention,
    weights: { ...weights, norm1Gamma: gamma, norm2Gamma: gamma, norm1Beta: beta, norm2Beta: beta },
  }).steps;
  const [post, pre, parallel] = [trace("post"), trace("pre"), trace("parallel")];
  return {
    heads, dFf, weights,
    post: nodesOf("post", post), pre: nodesOf("pre", pre), parallel: nodesOf("parallel", parallel),
    within: { post: withinOf(post), pre: withinOf(pre), parallel: withinOf(parallel) },
  };
}

/** From the numbers that follow x, each matrix over the root of its fan-in; no biases. */
function drawnWeights(an: Addnorm, seed: number, skip: number, cols: number, dFf: number): BlockArrays {
  const all = drawn(an, seed, skip, 4 * cols * cols + 2 * cols * dFf, 1);
  let place = 0;
  const matrix = (rows: number, fanIn: number): Float32Array => {
    const numbers = all.subarray(place, (place += rows * fanIn));
    return numbers.map((value) => value / Math.sqrt(fanIn));
  };
  return { attnInWeight: matrix(3 * cols, cols), attnOutWeight: matrix(cols, cols), ffnUpWeight: matrix(dFf, cols), ffnDownWeight: matrix(cols, dFf) };
}

function nodesOf(wiring: BlockWiring, steps: readonly TraceStep[]): ChainNode[] {
  return steps.filter(({ id }) => id in nodes).map(({ id, inputs, rows, cols, data, mean, std, rms, whole }) => {
    const [name, op] = nodes[id]!;
    const from = inputs.filter((input) => input in nodes).map((input) => `${wiring}.${nodes[input]![0]}`);
    return { id: `${wiring}.${name}`, op, inputs: from, rows, cols, data, mean, std, rms, whole };
  });
}

function withinOf(steps: readonly TraceStep[]): Within {
  const data = (op: TraceStep["op"]): Float32Array => steps.find((step) => step.op === op)!.data;
  return {
    queryKeyValue: data("queryKeyValue"), attentionWeights: data("attentionWeights"), context: data("context"),
    up: data("up"), activated: data("activated"),
  };
}
