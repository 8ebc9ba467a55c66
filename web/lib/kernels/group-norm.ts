// Group normalization: LayerNorm of each of the equal parts of a row, forward and backward.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, MatrixOutput, OutOption } from "../types.js";
import type { LayerNormGradients } from "./layer-norm.js";
import { layerNormParameters, type LayerNormOptions } from "./norm-parameters.js";

export interface GroupNormOptions extends LayerNormOptions {
  /** How many parts a row has: whole, at least 1, a divisor of cols. One part is LayerNorm. */
  groups: number;
}

export interface GroupNormKernels {
  /**
   * y = (x - mean) * rstd * gamma + beta, with mean and rstd (as layerNorm) of each of the `groups` parts of each row
   * (Wu and He, arXiv:1803.08494), and one gamma and beta a feature.
   *
   * @param x rows x cols
   * @returns y (rows x cols; `out` itself when given), mean and rstd (rows x groups)
   * @throws TypeError, RangeError as layerNorm, and RangeError when groups does not divide cols
   * @example an.groupNorm([[1, 3, 10, 20]], { cols: 4, groups: 2, eps: 0 }).y    // Float32Array [-1, 1, -1, 1]
   */
  groupNorm<Out extends MatrixOutput = Float32Array>(
    x: MatrixInput, options: GroupNormOptions & OutOption<Out>,
  ): { y: Out; mean: Float32Array; rstd: Float32Array };

  /**
   * The gradients of groupNorm for the gradient dy that arrives at y, with the same options.
   *
   * @param x  rows x cols, as given to groupNorm
   * @param dy rows x cols
   * @throws TypeError, RangeError as groupNorm
   */
  groupNormBackward(x: MatrixInput, dy: MatrixInput, options: GroupNormOptions): LayerNormGradients;
}

export function groupNormKernels(wasm: WasmModule, heap: Heap): GroupNormKernels {
  function checked(call: string, input: MatrixInput, options: GroupNormOptions) {
    const cols = check.number(call, "cols", check.options(call, options, "cols, groups, ...").cols);
    const groups = check.number(call, "groups", options.groups);
    if (cols % groups !== 0) throw new RangeError(`${call}: groups is ${groups}, expected a divisor of cols, which is ${cols}`);
    const x = check.matrix(heap, call, "x", input, cols);
    return { cols, groups, x, rows: x.length / cols, ...layerNormParameters(heap, call, cols, options) };
  }

  function groupNorm(input: MatrixInput, options: GroupNormOptions & OutOption<MatrixOutput>) {
    const call = "groupNorm";
    const { cols, groups, x, rows, gamma, beta, eps, epsOutside, sampleVariance } = checked(call, input, options);
    const count = x.length;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count + 2 * (cols + rows * groups), 5);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    const mean = heap.room(rows * groups);
    const rstd = heap.room(rows * groups);
    wasm.groupNorm(
      at, rows, cols, groups, heap.input(gamma), heap.input(beta), eps, epsOutside, sampleVariance,
      y, mean, rstd,
    );
    const result = {
      y: heap.deliver(y, count, out),
      mean: heap.copy(mean, rows * groups),
      rstd: heap.copy(rstd, rows * groups),
    };
    heap.close();
    return result;
  }

  function groupNormBackward(input: MatrixInput, gradient: MatrixInput, options: GroupNormOptions): LayerNormGradients {
    const call = "groupNormBackward";
    const { cols, groups, x, rows, gamma, eps, epsOutside, sampleVariance } = checked(call, input, options);
    const dy = check.matching(heap, call, "dy", gradient, cols, x);
    const count = x.length;

    heap.open(call, 2 * count + 3 * cols, 5);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dgamma = heap.zeros(cols);
    const dbeta = heap.zeros(cols);
    wasm.groupNormBackward(
      heap.input(x), at, rows, cols, groups, heap.input(gamma), eps, epsOutside, sampleVariance,
      dx, dgamma, dbeta,
    );
    const result = { dx: heap.copy(dx, count), dgamma: heap.copy(dgamma, cols), dbeta: heap.copy(dbeta, cols) };
    heap.close();
    return result;
  }

  return { groupNorm: groupNorm as GroupNormKernels["groupNorm"], groupNormBackward };
}
