// The names of a model's steps and weights.
import type { MatrixInput } from "../types.js";

/** In the order in which the kernels count them (cpp/model/trace.h). */
export const OPS = [
  "input", "projection", "norm", "queryKeyValue", "attentionWeights", "context", "attention", "up", "activated",
  "feedForward", "given", "branchSum", "gateLogit", "gate", "sum",
] as const;

/**
 * What a step computes: "input" x; "projection" x W^T; "norm" the config's norm; "queryKeyValue" attention's
 * in-projection (rows x 3 dModel); "attentionWeights" after softmax ((sequences * heads * tokens) x tokens);
 * "context" those weights times the values; "attention" its out-projection; "up" feed-forward before the activation
 * (rows x dFf), "activated" after it; "feedForward" its output; "given" a sublayer's output that was simulated;
 * "branchSum" both branches of a parallel block; "gateLogit" x W^T + b; "gate" its sigmoid; "sum" what the residual
 * connection makes of stream and branch.
 */
export type Op = (typeof OPS)[number];

/** Written by the sublayer's own step, which comes after them. */
export const WITHIN_SUBLAYER: ReadonlySet<Op> = new Set(["queryKeyValue", "attentionWeights", "context", "up", "activated"]);

const SHORT: Partial<Record<Op, string>> = {
  queryKeyValue: "qkv", attentionWeights: "attnWeights", attention: "attn", feedForward: "ffn", branchSum: "branches",
};
const NUMBERED: ReadonlySet<Op> = new Set(["norm", "gateLogit", "gate", "sum"]);
const FINAL_NORM = 5;

/** "x", "block0.attn", "block0.sum1", "block0.norm1", "finalNorm". `site` as cpp/model/trace.h counts it. */
export function stepId(op: Op, block: number, site: number): string {
  if (op === "input") return "x";
  if (site === FINAL_NORM) return "finalNorm";
  const name = op === "given" ? (site === 1 ? "attn" : "ffn") : (SHORT[op] ?? op);
  return `block${block}.${name}${NUMBERED.has(op) ? site : ""}`;
}

type Site = 1 | 2 | 3 | 4;
type NormWeight = "Gamma" | "Beta" | "Alpha";

/**
 * PyTorch's parameters of nn.TransformerEncoderLayer: attnIn (in_proj: query, key and value, 3 dModel x width), attnOut
 * (out_proj, dModel x dModel), ffnUp (linear1, dFf x width), ffnDown (linear2, dModel x dFf), each with Weight and Bias;
 * norm1 and norm2 with Gamma (weight; of norm "l2" its one gain) and Beta (bias). Beyond those: norm3 and norm4 behind
 * the branches of a sandwich; Alpha of norm "dyt"; scale1 and scale2 of residual "scaled" (one value for "reZero",
 * dModel for "layerScale"); gate1 and gate2 of residual "gated" (dModel x dModel and dModel); projectionWeight (dModel x
 * dInput) in the first block; finalNorm in the last.
 */
export type WeightName =
  | `${"attnIn" | "attnOut" | "ffnUp" | "ffnDown"}${"Weight" | "Bias"}`
  | `norm${Site}${NormWeight}` | `finalNorm${NormWeight}`
  | `scale${1 | 2}` | `gate${1 | 2}${"Weight" | "Bias"}` | "projectionWeight";

/** A block's weights as callers give them. */
export type BlockWeights = Readonly<Partial<Record<WeightName, MatrixInput>>>;

/** A block's weights, or their gradients, as a trace holds them. */
export type BlockArrays = Partial<Record<WeightName, Float32Array>>;

const WEIGHT_NAMES =
  /^((attnIn|attnOut|ffnUp|ffnDown|gate[12])(Weight|Bias)|(norm[1-4]|finalNorm)(Gamma|Beta|Alpha)|scale[12]|projectionWeight)$/;

export function isWeightName(name: string): name is WeightName {
  return WEIGHT_NAMES.test(name);
}

/** Drawn at random; all others begin at a constant. */
export function isMatrixName(name: string): boolean {
  return name.endsWith("Weight");
}

/** In the order in which the kernels count them; # is the site. */
const PARAMETERS = [
  "attnInWeight", "attnInBias", "attnOutWeight", "attnOutBias", "ffnUpWeight", "ffnUpBias", "ffnDownWeight", "ffnDownBias",
  "norm#Gamma", "norm#Beta", "norm#Alpha", "scale#", "gate#Weight", "gate#Bias", "projectionWeight",
];

export function weightName(kind: number, site: number): WeightName {
  const name = PARAMETERS[kind]!;
  return (site === FINAL_NORM ? name.replace("norm#", "finalNorm") : name.replace("#", String(site))) as WeightName;
}
