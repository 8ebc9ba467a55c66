// Batch normalization of each feature over the tokens of the batch: forward and backward, as in training.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MaskInput, MatrixInput, MatrixOutput, OutOption } from "../types.js";
import type { LayerNormGradients } from "./layer-norm.js";
import { layerNormParameters, type LayerNormOptions } from "./norm-parameters.js";

export interface BatchNormOptions extends LayerNormOptions {
  /** The rows that are padding, one value a row; none when absent. */
  padding?: MaskInput | null;
}

export interface BatchNormKernels {
  /**
   * y = (x - mean) * rstd * gamma + beta, where mean and variance are each column's over the rows that are not padding
   * (Ioffe and Szegedy, arXiv:1502.03167; in training, so without running statistics); rstd as layerNorm.
   * Padded rows give 0, whatever they hold. A constant column, and any column of a single row, gives exactly beta; NaN or
   * infinity poisons its own column only.
   *
   * @param x rows x cols
   * @returns y (rows x cols; `out` itself when given), mean and rstd (one a column)
   * @throws TypeError, RangeError as layerNorm
   * @example an.batchNorm([[1, 5], [3, 5]], { cols: 2, eps: 0 }).y    // Float32Array [-1, 0, 1, 0]
   */
  batchNorm<Out extends MatrixOutput = Float32Array>(
    x: MatrixInput, options: BatchNormOptions & OutOption<Out>,
  ): { y: Out; mean: Float32Array; rstd: Float32Array };

  /**
   * The gradients of batchNorm for the gradient dy that arrives at y, with the same options. Padded rows have gradient 0.
   *
   * @param x  rows x cols, as given to batchNorm
   * @param dy rows x cols
   * @throws TypeError, RangeError as layerNorm
   */
  batchNormBackward(x: MatrixInput, dy: MatrixInput, options: BatchNormOptions): LayerNormGradients;
}

export function batchNormKernels(wasm: WasmModule, heap: Heap): BatchNormKernels {
  function checked(call: string, input: MatrixInput, options: BatchNormOptions) {
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const rows = x.length / cols;
    const padding = check.mask(call, "padding", options.padding, rows, "the number of rows of x");
    return { cols, x, rows, padding, ...layerNormParameters(heap, call, cols, options) };
  }

  function batchNorm(input: MatrixInput, options: BatchNormOptions & OutOption<MatrixOutput>) {
    const call = "batchNorm";
    const { cols, x, rows, padding, gamma, beta, eps, epsOutside, sampleVariance } = checked(call, input, options);
    const count = x.length;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count + 4 * cols + rows, 6);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    const mean = heap.room(cols);
    const rstd = heap.room(cols);
    wasm.batchNorm(
      at, rows, cols, heap.mask(padding), heap.input(gamma), heap.input(beta), eps, epsOutside, sampleVariance,
      y, mean, rstd,
    );
    const result = { y: heap.deliver(y, count, out), mean: heap.copy(mean, cols), rstd: heap.copy(rstd, cols) };
    heap.close();
    return result;
  }

  function batchNormBackward(input: MatrixInput, gradient: MatrixInput, options: BatchNormOptions): LayerNormGradients {
    const call = "batchNormBackward";
    const { cols, x, rows, padding, gamma, eps, epsOutside, sampleVariance } = checked(call, input, options);
    const dy = check.matching(heap, call, "dy", gradient, cols, x);
    const count = x.length;

    heap.open(call, 2 * count + 3 * cols + rows, 6);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dgamma = heap.zeros(cols);
    const dbeta = heap.zeros(cols);
    wasm.batchNormBackward(
      heap.input(x), at, rows, cols, heap.mask(padding), heap.input(gamma), eps, epsOutside, sampleVariance,
      dx, dgamma, dbeta,
    );
    const result = { dx: heap.copy(dx, count), dgamma: heap.copy(dgamma, cols), dbeta: heap.copy(dbeta, cols) };
    heap.close();
    return result;
  }

  return { batchNorm: batchNorm as BatchNormKernels["batchNorm"], batchNormBackward };
}
