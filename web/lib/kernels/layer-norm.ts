// Layer normalization of each row: forward, forward with every step shown, and backward.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, MatrixOutput, OutOption } from "../types.js";
import { layerNormParameters, type LayerNormOptions } from "./norm-parameters.js";

export interface LayerNormSteps {
  /** x - mean, rows x cols. */
  deviation: Float32Array;
  /** (x - mean) * rstd, rows x cols. */
  normalized: Float32Array;
  /** normalized * gamma + beta, rows x cols. */
  y: Float32Array;
  /** One a row. */
  mean: Float32Array;
  /** Square root of the variance, without eps, one a row. */
  std: Float32Array;
  /** What the deviation is multiplied by, one a row. */
  rstd: Float32Array;
}

export interface LayerNormGradients {
  /** rows x cols. */
  dx: Float32Array;
  /** Summed over the rows, cols values. */
  dgamma: Float32Array;
  /** Summed over the rows, cols values. */
  dbeta: Float32Array;
}

export interface LayerNormKernels {
  /**
   * y = (x - mean) * rstd * gamma + beta, each row by itself (Ba et al., arXiv:1607.06450), where rstd is
   * 1 / sqrt(var + eps), or 1 / (sqrt(var) + eps) with `epsPlacement: "outside"`.
   * A constant row, and any row with cols = 1, gives exactly beta; NaN or infinity in a row poisons that row only.
   *
   * @param x rows x cols
   * @returns y (rows x cols; `out` itself when given), mean and rstd (one a row)
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array
   * @throws RangeError for lengths that do not fit, eps that is negative or not finite, an unknown convention, and when
   *   memory ends; the message names the argument, what came and what was expected
   * @example an.layerNorm([[1, 2, 3]], { cols: 3 }).y    // Float32Array [-1.2247, 0, 1.2247]
   */
  layerNorm<Out extends MatrixOutput = Float32Array>(
    x: MatrixInput, options: LayerNormOptions & OutOption<Out>,
  ): { y: Out; mean: Float32Array; rstd: Float32Array };

  /** As layerNorm, and what each of its steps gave. */
  layerNormSteps(x: MatrixInput, options: LayerNormOptions): LayerNormSteps;

  /**
   * The gradients of layerNorm for the gradient dy that arrives at y, with the same options, in every convention.
   *
   * @param x  rows x cols, as given to layerNorm
   * @param dy rows x cols
   * @throws TypeError, RangeError as layerNorm
   */
  layerNormBackward(x: MatrixInput, dy: MatrixInput, options: LayerNormOptions): LayerNormGradients;
}

export function layerNormKernels(wasm: WasmModule, heap: Heap): LayerNormKernels {
  function layerNorm(input: MatrixInput, options: LayerNormOptions & OutOption<MatrixOutput>) {
    const call = "layerNorm";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const { gamma, beta, eps, epsOutside, sampleVariance } = layerNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count + 2 * (cols + rows), 5);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    const mean = heap.room(rows);
    const rstd = heap.room(rows);
    wasm.layerNorm(
      at, rows, cols, heap.input(gamma), heap.input(beta), eps, epsOutside, sampleVariance, y, mean, rstd,
    );
    const result = { y: heap.deliver(y, count, out), mean: heap.copy(mean, rows), rstd: heap.copy(rstd, rows) };
    heap.close();
    return result;
  }

  function layerNormSteps(input: MatrixInput, options: LayerNormOptions): LayerNormSteps {
    const call = "layerNormSteps";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const { gamma, beta, eps, epsOutside, sampleVariance } = layerNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;

    heap.open(call, 4 * count + 2 * cols + 3 * rows, 9);
    const deviation = heap.room(count);
    const normalized = heap.room(count);
    const y = heap.room(count);
    const mean = heap.room(rows);
    const std = heap.room(rows);
    const rstd = heap.room(rows);
    wasm.layerNormSteps(
      heap.input(x), rows, cols, heap.input(gamma), heap.input(beta), eps, epsOutside, sampleVariance,
      deviation, normalized, y, mean, std, rstd,
    );
    const result = {
      deviation: heap.copy(deviation, count),
      normalized: heap.copy(normalized, count),
      y: heap.copy(y, count),
      mean: heap.copy(mean, rows),
      std: heap.copy(std, rows),
      rstd: heap.copy(rstd, rows),
    };
    heap.close();
    return result;
  }

  function layerNormBackward(input: MatrixInput, gradient: MatrixInput, options: LayerNormOptions): LayerNormGradients {
    const call = "layerNormBackward";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const { gamma, eps, epsOutside, sampleVariance } = layerNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;
    const dy = check.matching(heap, call, "dy", gradient, cols, x);

    heap.open(call, 2 * count + 3 * cols, 5);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dgamma = heap.zeros(cols);
    const dbeta = heap.zeros(cols);
    wasm.layerNormBackward(
      heap.input(x), at, rows, cols, heap.input(gamma), eps, epsOutside, sampleVariance, dx, dgamma, dbeta,
    );
    const result = { dx: heap.copy(dx, count), dgamma: heap.copy(dgamma, cols), dbeta: heap.copy(dbeta, cols) };
    heap.close();
    return result;
  }

  return { layerNorm: layerNorm as LayerNormKernels["layerNorm"], layerNormSteps, layerNormBackward };
}
