// LayerNorm with parameters of its own, as beginners write it.
import * as check from "../check.js";
import type { LayerNormGradients, LayerNormKernels } from "../kernels/layer-norm.js";
import { refuseUnknownOptions } from "../kernels/norm-parameters.js";
import type { EpsPlacement, LayerNormConvention, MatrixInput, Variance } from "../types.js";

export interface LayerNormSettings extends LayerNormConvention {
  /** Finite, at least 0; 1e-5 when absent. */
  eps?: number;
}

/**
 * A LayerNorm over the last dimension (Ba et al., arXiv:1607.06450) that keeps gamma and beta.
 *
 * @example
 * const norm = new an.LayerNorm(8);
 * norm.gamma.fill(2);
 * const y = norm.forward(x);
 */
export class LayerNorm {
  /** Width of a row, d_model. */
  readonly cols: number;
  /** Gain, ones at first; change its values or put another Float32Array of the same length in its place. */
  gamma: Float32Array;
  /** Shift, zeros at first; changeable as gamma. */
  beta: Float32Array;
  eps: number;
  epsPlacement: EpsPlacement;
  variance: Variance;
  readonly #kernels: LayerNormKernels;

  /** @internal Callers write `new an.LayerNorm(dModel, settings)`. */
  constructor(kernels: LayerNormKernels, dModel: number, settings: LayerNormSettings = {}) {
    const { eps = 1e-5, epsPlacement = "inside", variance = "population" } = check.options("LayerNorm", settings, "eps, ...");
    refuseUnknownOptions("LayerNorm", settings);
    this.cols = check.number("LayerNorm", "dModel", dModel);
    this.eps = check.number("LayerNorm", "eps", eps);
    check.flag("LayerNorm", "epsPlacement", epsPlacement);
    check.flag("LayerNorm", "variance", variance);
    this.epsPlacement = epsPlacement;
    this.variance = variance;
    this.gamma = check.floats("LayerNorm", dModel).fill(1);
    this.beta = check.floats("LayerNorm", dModel);
    this.#kernels = kernels;
  }

  /**
   * y = (x - mean) * rstd * gamma + beta for each row of x.
   *
   * @param x rows x dModel
   * @throws TypeError, RangeError as `an.layerNorm`
   */
  forward(x: MatrixInput): Float32Array {
    return this.#kernels.layerNorm(x, this).y;
  }

  /**
   * The gradients for dy that arrives at the output of forward(x). gamma and beta are not changed.
   *
   * @throws TypeError, RangeError as `an.layerNormBackward`
   */
  backward(x: MatrixInput, dy: MatrixInput): LayerNormGradients {
    return this.#kernels.layerNormBackward(x, dy, this);
  }
}

/** `LayerNorm` of one loaded instance. */
export type LayerNormClass = new (dModel: number, settings?: LayerNormSettings) => LayerNorm;

export function layerNormClass(kernels: LayerNormKernels): LayerNormClass {
  return class extends LayerNorm {
    constructor(dModel: number, settings?: LayerNormSettings) {
      super(kernels, dModel, settings);
    }
  };
}
