/** From the state to every number that the views draw; all arithmetic of norms is done by the package. */
import type { Addnorm } from "../lib/index.js";
import { computeBlock, type RealSublayers } from "./compute-block.js";
import { drawn, drawScale, inputMatrix } from "./draw.js";
import type { Matrix } from "./matrix.js";
import { identityKey, Memo } from "./memo.js";
import { schema, type State, type StateKey } from "./schema.js";

/** Per token: one value a row. */
export interface Statistics {
  readonly mean: Float32Array;
  readonly std: Float32Array;
  readonly rms: Float32Array;
}

export interface WholeStatistics {
  readonly mean: number;
  readonly std: number;
  readonly rms: number;
}

export type StepId = "x" | "deviation" | "normalized" | "output";

/** x, x - mean, divided by the spread, scaled and shifted; `step` is the state's number for it. */
export interface TokensStep {
  readonly id: StepId;
  readonly step: number;
  readonly data: Float32Array;
}

export interface TokensResult {
  readonly rows: number;
  readonly cols: number;
  readonly x: Float32Array;
  /** The steps that the norm has: RMSNorm takes no mean away. */
  readonly steps: readonly TokensStep[];
  /** What the norm divides by, before eps: the standard deviation, or for RMSNorm the root mean square. */
  readonly spread: Float32Array;
  /** The reciprocal that the norm multiplies by, eps included. */
  readonly rstd: Float32Array;
  /** One value a feature. */
  readonly gamma: Float32Array;
  readonly beta: Float32Array;
  readonly before: Statistics;
  readonly after: Statistics;
  /** Over all numbers of the matrix, as the article prints them. */
  readonly whole: { readonly before: WholeStatistics; readonly after: WholeStatistics };
}

export interface ChainNode extends Statistics {
  /** wiring.name: post.x, post.f1, post.sum1, post.norm1, ... */
  readonly id: string;
  readonly op: "input" | "sublayer" | "branches" | "sum" | "norm";
  /** Ids of the nodes that this one is computed from: the edges of the diagram. */
  readonly inputs: readonly string[];
  readonly data: Float32Array;
  readonly rows: number;
  readonly cols: number;
  readonly whole: WholeStatistics;
}

export interface ChainResult {
  readonly rows: number;
  readonly cols: number;
  readonly post: readonly ChainNode[];
  readonly pre: readonly ChainNode[];
  /** W of both sublayers, features out x features in, while they are linear. */
  readonly weights: readonly [Float32Array, Float32Array] | undefined;
  /** Attention and feed-forward side by side, and what lies within them, while they are real. */
  readonly parallel?: readonly ChainNode[];
  readonly real?: RealSublayers;
}

type Sublayer = (x: Float32Array) => Float32Array;

interface Sublayers {
  readonly both: readonly [Sublayer, Sublayer];
  readonly weights: ChainResult["weights"];
}

const normKeys = ["norm", "eps", "epsPlacement", "variance", "gamma", "beta", "gammaOffset"] as const satisfies readonly StateKey[];
const tokensMemo = new Memo<TokensResult>(2);
const chainMemo = new Memo<ChainResult>(2);

const keyOf = (state: State, keys: readonly StateKey[]): string => keys.map((key) => (schema[key].format as (value: unknown) => string)(state[key])).join("/");

/** One value for all features becomes one a feature. */
export const perFeature = (values: readonly number[], cols: number): Float32Array =>
  values.length === 1 ? new Float32Array(cols).fill(values[0]!) : Float32Array.from(values);

function normOptions(state: State, cols: number) {
  const gamma = perFeature(state.gamma, cols);
  const { eps, epsPlacement, variance, gammaOffset } = state;
  return {
    layer: { cols, gamma, beta: perFeature(state.beta, cols), eps, epsPlacement, variance },
    rms: { cols, gamma, gammaOffset, eps },
  };
}

function wholeStatistics(an: Addnorm, data: Float32Array, variance: State["variance"]): WholeStatistics {
  const { mean, std, rms } = an.rowStats(data, { cols: data.length, variance });
  return { mean: mean[0]!, std: std[0]!, rms: rms[0]! };
}

/** The tokens view's numbers. `own` is the person's own table, used while source is "own". */
export function computeTokens(an: Addnorm, state: State, own?: Matrix): TokensResult {
  const x = inputMatrix(an, state, own);
  return tokensMemo.get(`${identityKey(x.data)}/${x.cols}/${keyOf(state, normKeys)}`, () => tokensResult(an, state, x));
}

function tokensResult(an: Addnorm, state: State, { rows, cols, data: x }: Matrix): TokensResult {
  const options = normOptions(state, cols);
  const { variance } = state;
  const before = an.rowStats(x, { cols, variance });
  let steps: TokensStep[];
  let spread: Float32Array;
  let rstd: Float32Array;
  if (state.norm === "layer") {
    const { deviation, normalized, y, ...row } = an.layerNormSteps(x, options.layer);
    ({ std: spread, rstd } = row);
    steps = [{ id: "deviation", step: 1, data: deviation }, { id: "normalized", step: 2, data: normalized }, { id: "output", step: 3, data: y }];
  } else {
    const { normalized, y, ...row } = an.rmsNormSteps(x, options.rms);
    ({ rms: spread, rstd } = row);
    steps = [{ id: "normalized", step: 2, data: normalized }, { id: "output", step: 3, data: y }];
  }
  const y = steps.at(-1)!.data;
  return {
    rows, cols, x, spread, rstd, before,
    steps: [{ id: "x", step: 0, data: x }, ...steps],
    gamma: options.layer.gamma,
    beta: options.layer.beta,
    after: an.rowStats(y, { cols, variance }),
    whole: { before: wholeStatistics(an, x, variance), after: wholeStatistics(an, y, variance) },
  };
}

/** The chain's numbers in each wiring, from the same x and the same sublayers. */
export function computeChain(an: Addnorm, state: State, own?: Matrix): ChainResult {
  const x = inputMatrix(an, state, own);
  const key = `${identityKey(x.data)}/${x.cols}/${keyOf(state, [...normKeys, "sublayers", "seed", "heads", "dFf", "activation", "causal"])}/${drawScale(state)}/${state.source === "own"}`;
  return chainMemo.get(key, () => {
    if (state.sublayers === "attention") return realChain(an, state, x);
    const { both, weights } = sublayersOf(an, state, x);
    const wiring = new Wiring(an, state, x);
    return { rows: x.rows, cols: x.cols, post: wiring.post(both), pre: wiring.pre(both), weights };
  });
}

function realChain(an: Addnorm, state: State, x: Matrix): ChainResult {
  const { rows, cols } = x;
  const { post, pre, parallel, ...real } = computeBlock(an, state, x, takenByInput(state, x), perFeature(state.gamma, cols), perFeature(state.beta, cols));
  return { rows, cols, post, pre, parallel, real, weights: undefined };
}

/** Own numbers take nothing from the seed. */
const takenByInput = (state: State, { rows, cols }: Matrix): number => (state.source === "own" ? 0 : rows * cols);

/**
 * Both sublayers, drawn from the seed after x: either the article's
 * attn_output and ffn_output, whatever comes in, or F(x) = x W^T with W from the same draws over sqrt(d).
 */
function sublayersOf(an: Addnorm, state: State, x: Matrix): Sublayers {
  const { rows, cols } = x;
  const skip = takenByInput(state, x);
  const linear = state.sublayers === "linear";
  const size = linear ? cols * cols : rows * cols;
  const numbers = drawn(an, state.seed, skip, 2 * size, linear ? 1 / Math.sqrt(cols) : drawScale(state));
  const halves = [numbers.subarray(0, size), numbers.subarray(size)] as const;
  const sublayer = (half: Float32Array): Sublayer =>
    linear ? (input) => an.linear(input, { weight: half, inFeatures: cols, outFeatures: cols }) : () => half;
  return { both: [sublayer(halves[0]), sublayer(halves[1])], weights: linear ? halves : undefined };
}

/** Builds the nodes of one block in either wiring. */
class Wiring {
  readonly #an: Addnorm;
  readonly #state: State;
  readonly #x: Matrix;
  readonly #options: ReturnType<typeof normOptions>;

  constructor(an: Addnorm, state: State, x: Matrix) {
    this.#an = an;
    this.#state = state;
    this.#x = x;
    this.#options = normOptions(state, x.cols);
  }

  /** norm(x + F(x)), twice. */
  post([f1, f2]: readonly [Sublayer, Sublayer]): ChainNode[] {
    const x = this.#x.data;
    const out1 = f1(x);
    const first = this.#addNorm(x, out1);
    const out2 = f2(first.y);
    const second = this.#addNorm(first.y, out2);
    return [
      this.#node("post.x", "input", [], x),
      this.#node("post.f1", "sublayer", ["post.x"], out1),
      this.#node("post.sum1", "sum", ["post.x", "post.f1"], first.sum),
      this.#node("post.norm1", "norm", ["post.sum1"], first.y),
      this.#node("post.f2", "sublayer", ["post.norm1"], out2),
      this.#node("post.sum2", "sum", ["post.norm1", "post.f2"], second.sum),
      this.#node("post.norm2", "norm", ["post.sum2"], second.y),
    ];
  }

  /** x + F(norm(x)), twice. */
  pre([f1, f2]: readonly [Sublayer, Sublayer]): ChainNode[] {
    const x = this.#x.data;
    const norm1 = this.#norm(x);
    const out1 = f1(norm1);
    const sum1 = this.#an.residualAdd(x, out1);
    const norm2 = this.#norm(sum1);
    const out2 = f2(norm2);
    const sum2 = this.#an.residualAdd(sum1, out2);
    return [
      this.#node("pre.x", "input", [], x),
      this.#node("pre.norm1", "norm", ["pre.x"], norm1),
      this.#node("pre.f1", "sublayer", ["pre.norm1"], out1),
      this.#node("pre.sum1", "sum", ["pre.x", "pre.f1"], sum1),
      this.#node("pre.norm2", "norm", ["pre.sum1"], norm2),
      this.#node("pre.f2", "sublayer", ["pre.norm2"], out2),
      this.#node("pre.sum2", "sum", ["pre.sum1", "pre.f2"], sum2),
    ];
  }

  #addNorm(x: Float32Array, fx: Float32Array): { sum: Float32Array; y: Float32Array } {
    const { norm } = this.#state;
    return this.#an.addNorm(x, fx, { norm, ...this.#options[norm] });
  }

  #norm(x: Float32Array): Float32Array {
    return this.#state.norm === "layer" ? this.#an.layerNorm(x, this.#options.layer).y : this.#an.rmsNorm(x, this.#options.rms).y;
  }

  #node(id: string, op: ChainNode["op"], inputs: readonly string[], data: Float32Array): ChainNode {
    const { rows, cols } = this.#x;
    const { variance } = this.#state;
    return { id, op, inputs, data, rows, cols, ...this.#an.rowStats(data, { cols, variance }), whole: wholeStatistics(this.#an, data, variance) };
  }
}
