// The parameters and conventions of the norms, checked and in the form in which the kernels take them.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { BetaOption, GammaOption, LayerNormConvention, RmsNormConvention, RowOptions, Values } from "../types.js";

export interface LayerNormOptions extends RowOptions, GammaOption, BetaOption, LayerNormConvention {}

export interface RmsNormOptions extends RowOptions, GammaOption, RmsNormConvention {}

export interface LayerNormParameters {
  gamma: Values | null;
  beta: Values | null;
  eps: number;
  epsOutside: boolean;
  sampleVariance: boolean;
}

export interface RmsNormParameters {
  gamma: Values | null;
  gammaOffset: number;
  eps: number;
}

const DEFAULT_EPS = 1e-5;

/** Of all calls that take these parameters. */
const KEYS = "cols gamma beta eps epsPlacement variance gammaOffset norm groups padding dy dsum out sumOut".split(" ");

export function refuseUnknownOptions(call: string, options: object): void {
  check.keys(call, "options have", options, KEYS);
}

export function layerNormParameters(heap: Heap, call: string, cols: number, options: LayerNormOptions): LayerNormParameters {
  refuseUnknownOptions(call, options);
  if ((options as RmsNormConvention).gammaOffset) {
    throw new TypeError(`${call}: gammaOffset belongs to RMSNorm, LayerNorm has none`);
  }
  return {
    gamma: check.vector(heap, call, "gamma", options.gamma, cols, "cols"),
    beta: check.vector(heap, call, "beta", options.beta, cols, "cols"),
    eps: check.number(call, "eps", options.eps ?? DEFAULT_EPS),
    epsOutside: check.flag(call, "epsPlacement", options.epsPlacement ?? "inside"),
    sampleVariance: check.flag(call, "variance", options.variance ?? "population"),
  };
}

export function rmsNormParameters(heap: Heap, call: string, cols: number, options: RmsNormOptions): RmsNormParameters {
  refuseUnknownOptions(call, options);
  refuseLayerNormOptions(call, options);
  return {
    gamma: check.vector(heap, call, "gamma", options.gamma, cols, "cols"),
    gammaOffset: check.number(call, "gammaOffset", options.gammaOffset ?? 0),
    eps: check.number(call, "eps", options.eps ?? DEFAULT_EPS),
  };
}

/** What RMSNorm cannot honour is refused: leaving it out silently would give other numbers than the caller meant. */
function refuseLayerNormOptions(call: string, options: LayerNormOptions): void {
  if (options.beta !== undefined && options.beta !== null) {
    throw new TypeError(`${call}: beta belongs to LayerNorm, RMSNorm has none`);
  }
  if (check.flag(call, "epsPlacement", options.epsPlacement ?? "inside")) {
    throw new TypeError(`${call}: epsPlacement "outside" belongs to LayerNorm, RMSNorm adds eps inside the root`);
  }
  if (check.flag(call, "variance", options.variance ?? "population")) {
    throw new TypeError(`${call}: variance "sample" belongs to LayerNorm, RMSNorm divides by cols`);
  }
}
