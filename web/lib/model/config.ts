// What a block and a stack of blocks are made of, as callers write it.
import type { BlockWeights } from "./names.js";
import type { EpsPlacement, MaskInput, MatrixInput, Variance } from "../types.js";

/** Each list in the order in which the kernels count it. */
export const CHOICES = {
  sublayers: ["computed", "simulated"],
  activation: ["relu", "gelu"],
  placement: ["post", "pre", "sandwich", "none"],
  branches: ["serial", "parallel"],
  residual: ["identity", "none", "scaled", "gated"],
  scaling: ["reZero", "layerScale", "deepNorm"],
  norm: ["layer", "rms", "batch", "group", "l2", "dyt", "none"],
  keep: ["all", "states", "statistics"],
} as const;

type Choice<Name extends keyof typeof CHOICES> = (typeof CHOICES)[Name][number];

/**
 * Where the norms stand around a branch F and its residual connection: "post" norm(x + F(x)) (arXiv:1706.03762), "pre"
 * x + F(norm(x)) (arXiv:2002.04745), "sandwich" x + norm(F(norm(x))) (arXiv:2105.13290), "none" x + F(x).
 */
export type Placement = Choice<"placement">;

/**
 * "serial": attention, then feed-forward, each with a residual connection of its own. "parallel": one branch
 * attention(x) + feedForward(x), so one residual connection and one norm a block (GPT-J; PaLM, arXiv:2204.02311).
 */
export type Branches = Choice<"branches">;

/**
 * What becomes of the stream x and the branch's f: "identity" x + f; "none" f; "scaled" as `scaling` says; "gated"
 * g f + (1 - g) x with g = sigmoid(x W^T + b) (highway, arXiv:1505.00387).
 */
export type Residual = Choice<"residual">;

/**
 * "reZero" x + a f with one learned a (arXiv:2003.04887); "layerScale" the same with an a for each feature
 * (arXiv:2103.17239); "deepNorm" a x + f with a constant a (arXiv:2203.00555).
 */
export type Scaling = Choice<"scaling">;

/** As layerNorm, rmsNorm, batchNorm, groupNorm, l2Norm and dynamicTanh compute it; "none" leaves every norm out. */
export type ModelNorm = Choice<"norm">;

/**
 * What the trace holds: "all"; "states": data and gradients of the stream's states and of the output only, without
 * weights and grads; "statistics": no data but the output's, no gradients, only the numbers about them.
 */
export type Keep = Choice<"keep">;

export interface ModelConfig {
  /** Width of the stream, of what attention and feed-forward give, and of the output. */
  dModel: number;
  /** Width of x; when absent that of x's rows, and for a flat array dModel. Another than dModel needs `projection`. */
  dInput?: number;
  /** Heads of attention, a divisor of dModel; 1 when absent. */
  heads?: number;
  /** Width within feed-forward; 4 * dModel when absent. */
  dFf?: number;
  /** Blocks, 1 to 128. An `an.block` has 1; an `an.stack` as many as `weights`, and without those 6. */
  layers?: number;
  /** x holds so many sequences of equal length, one after the other, which do not see each other; 1 when absent. */
  sequences?: number;

  /** Feed-forward's; "relu" when absent. */
  activation?: Choice<"activation">;
  /** Token i sees tokens 0 to i only; false when absent. */
  causal?: boolean;
  /** Rows that are padding, one value a row: no token looks at them, and batch norm leaves them out. */
  padding?: MaskInput | null;

  /** "post" when absent. */
  placement?: Placement;
  /** "serial" when absent. */
  branches?: Branches;
  /** "identity" when absent. */
  residual?: Residual;
  /** Of `residual: "scaled"`; "reZero" when absent. */
  scaling?: Scaling;
  /** Where a begins; when absent 0 for reZero, 0.1 for layerScale, and for deepNorm (2 layers)^(1/4), which stays. */
  scale?: number;
  /** Where the bias of `residual: "gated"` begins; -1, nearly closed, when absent. */
  gateBias?: number;
  /** Put x W^T in x's place in the first residual connection, where dInput is not dModel; false when absent. */
  projection?: boolean;

  /** "layer" when absent. */
  norm?: ModelNorm;
  /** Of `norm: "group"`, a divisor of the width; when absent 2 where the widths are even, else 1. */
  groups?: number;
  /** Of the norms (of "l2": the least divisor); finite, at least 0; 1e-5 when absent. */
  eps?: number;
  /** Of "layer", "batch" and "group"; "inside" when absent. */
  epsPlacement?: EpsPlacement;
  /** Of "layer", "batch" and "group", and of every std in the trace; "population" when absent. */
  variance?: Variance;
  /** Of `norm: "rms"`; 0 when absent. */
  gammaOffset?: 0 | 1;
  /** One more norm behind the last block, as pre-norm stacks have it; false when absent. */
  finalNorm?: boolean;

  /** "simulated": attention's and feed-forward's outputs are not computed, but given or drawn; "computed" when absent. */
  sublayers?: Choice<"sublayers">;
  /** Of "simulated": what attention gives, (layers * rows) x dModel, block after block; drawn when absent. */
  attnOutput?: MatrixInput;
  /** Of "simulated": what feed-forward gives, likewise. */
  ffnOutput?: MatrixInput;

  /**
   * One record a block in PyTorch's layouts (a single record will do for one block), see BlockWeights; drawn when absent.
   * Matrices are given all or not at all. Vectors and scales may be left out: biases and beta are then 0, gamma 1 (in
   * "l2" the square root of dModel), alpha 0.5. What this config has no place for is left aside, so that one record
   * serves every wiring.
   */
  weights?: BlockWeights | readonly BlockWeights[];
  /** Of NumPy's generator that draws weights and simulated outputs; 42 when absent. */
  seed?: number;
  /** Matrices are drawn from N(0, (initGain / sqrt(fan in))^2), simulated outputs from N(0, initGain^2); 1 when absent. */
  initGain?: number;

  /** Whether gradients are computed; false when absent. */
  backward?: boolean;
  /** The gradient that arrives at the output, rows x dModel; when absent that of the output's mean square. */
  dy?: MatrixInput;
  /** "all" when absent. */
  keep?: Keep;
}

/** Every key that a config may have. */
export const KEYS = Object.keys({
  dModel: 0, dInput: 0, heads: 0, dFf: 0, layers: 0, sequences: 0, activation: 0, causal: 0, padding: 0, placement: 0,
  branches: 0, residual: 0, scaling: 0, scale: 0, gateBias: 0, projection: 0, norm: 0, groups: 0, eps: 0,
  epsPlacement: 0, variance: 0, gammaOffset: 0, finalNorm: 0, sublayers: 0, attnOutput: 0, ffnOutput: 0, weights: 0,
  seed: 0, initGain: 0, backward: 0, dy: 0, keep: 0,
} satisfies Record<keyof ModelConfig, 0>);
