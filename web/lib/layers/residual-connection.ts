// Residual connections around the caller's own sublayer F, by the names that tutorials use.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { AddNormKernels } from "../kernels/add-norm.js";
import type { ResidualAddKernels } from "../kernels/residual-add.js";
import { ResidentMatrix } from "../resident-matrix.js";
import type { MatrixInput, Values } from "../types.js";
import { LayerNorm, type LayerNormClass } from "./layer-norm.js";

/** The caller's own sublayer, such as attention. It gets a copy of its input and gives as many values as it got. */
export type Sublayer = (x: Float32Array) => Float32Array;

/**
 * x + F(norm(x)): a pre-norm residual block (Pre-LN, arXiv:2002.04745) with a LayerNorm of its own.
 *
 * @example
 * const block = new an.PreNormResidual(8, (x) => x.map((v) => 0.5 * v));
 * const out = block.forward(x);
 */
export interface PreNormResidual {
  readonly layerNorm: LayerNorm;
  readonly F: Sublayer;
  /** @throws TypeError, RangeError as `an.preNorm` */
  forward(x: MatrixInput): Float32Array;
}

export interface ResidualConnections {
  /**
   * x + fx (He et al., arXiv:1512.03385), as `an.residualAdd` without options.
   *
   * @throws TypeError, RangeError as `an.residualAdd`
   */
  residualConnection(x: MatrixInput, fx: MatrixInput): Float32Array;

  /**
   * layerNorm(x + fx): the Add & Norm of "Attention Is All You Need" (arXiv:1706.03762) when F(x) is known already.
   *
   * @throws TypeError, RangeError as `an.addNorm`
   */
  addAndNorm(x: MatrixInput, fx: MatrixInput, layerNorm: LayerNorm): Float32Array;

  /**
   * layerNorm(x + F(x)): post-norm (arXiv:1706.03762).
   *
   * @throws TypeError when F is no function or returns no Float32Array
   * @throws RangeError when F returns another number of values than it got: unequal widths need a projection
   */
  postNorm(x: MatrixInput, F: Sublayer, layerNorm: LayerNorm): Float32Array;

  /**
   * x + F(layerNorm(x)): pre-norm (Pre-LN, arXiv:2002.04745).
   *
   * @throws TypeError, RangeError as postNorm
   */
  preNorm(x: MatrixInput, F: Sublayer, layerNorm: LayerNorm): Float32Array;

  PreNormResidual: new (dModel: number, F: Sublayer) => PreNormResidual;
}

export function residualConnections(
  heap: Heap, kernels: ResidualAddKernels & AddNormKernels, Norm: LayerNormClass,
): ResidualConnections {
  const residualConnection: ResidualConnections["residualConnection"] = (x, fx) => kernels.residualAdd(x, fx);

  const addAndNorm: ResidualConnections["addAndNorm"] = (x, fx, layerNorm) =>
    kernels.addNorm(x, fx, checkedNorm("addAndNorm", layerNorm)).y;

  const postNorm: ResidualConnections["postNorm"] = (x, F, layerNorm) => {
    const call = "postNorm";
    const { cols } = checkedNorm(call, layerNorm);
    check.sublayer(call, F);
    const stream = check.matrix(heap, call, "x", x, cols);
    const fx = check.sublayerResult(call, F(copyOf(stream)), stream.length);
    return kernels.addNorm(stream, fx, layerNorm).y;
  };

  const preNorm: ResidualConnections["preNorm"] = (x, F, layerNorm) => {
    const call = "preNorm";
    const { cols } = checkedNorm(call, layerNorm);
    check.sublayer(call, F);
    const stream = check.matrix(heap, call, "x", x, cols);
    const fx = check.sublayerResult(call, F(layerNorm.forward(stream)), stream.length);
    return kernels.residualAdd(stream, fx);
  };

  class PreNormResidualBlock implements PreNormResidual {
    readonly layerNorm: LayerNorm;
    readonly F: Sublayer;

    constructor(dModel: number, F: Sublayer) {
      this.layerNorm = new Norm(dModel);
      this.F = check.sublayer("PreNormResidual", F);
    }

    forward(x: MatrixInput): Float32Array {
      return preNorm(x, this.F, this.layerNorm);
    }
  }

  return { residualConnection, addAndNorm, postNorm, preNorm, PreNormResidual: PreNormResidualBlock };
}

/** F may write into what it gets; the caller's x stays as it is. */
function copyOf(values: Values): Float32Array {
  return new Float32Array(values instanceof ResidentMatrix ? values.data : values);
}

function checkedNorm(call: string, layerNorm: LayerNorm): LayerNorm {
  if (layerNorm instanceof LayerNorm) return layerNorm;
  throw new TypeError(`${call}: layerNorm is ${check.describe(layerNorm)}, expected a new an.LayerNorm(dModel)`);
}
