// Root mean square normalization of each row: forward, forward with every step shown, and backward.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, MatrixOutput, OutOption } from "../types.js";
import { rmsNormParameters, type RmsNormOptions } from "./norm-parameters.js";

export interface RmsNormSteps {
  /** x * rstd, rows x cols. */
  normalized: Float32Array;
  /** normalized * (gammaOffset + gamma), rows x cols. */
  y: Float32Array;
  /** sqrt(mean(x^2)), without eps, one a row. */
  rms: Float32Array;
  /** What x is multiplied by, one a row. */
  rstd: Float32Array;
}

export interface RmsNormGradients {
  /** rows x cols. */
  dx: Float32Array;
  /** Summed over the rows, cols values. */
  dgamma: Float32Array;
}

export interface RmsNormKernels {
  /**
   * y = x * rstd * (gammaOffset + gamma), each row by itself, rstd = 1 / sqrt(mean(x^2) + eps) (Zhang and Sennrich,
   * arXiv:1910.07467; gammaOffset 1 is Gemma's way to store gamma).
   *
   * @param x rows x cols
   * @returns y (rows x cols; `out` itself when given) and rstd (one a row)
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array, and for an option that only
   *   LayerNorm has (beta, epsPlacement "outside", variance "sample")
   * @throws RangeError for lengths that do not fit, eps that is negative or not finite, and when memory ends
   * @example an.rmsNorm([[3, 4]], { cols: 2, eps: 0 }).y    // Float32Array [0.8485, 1.1314]
   */
  rmsNorm<Out extends MatrixOutput = Float32Array>(
    x: MatrixInput, options: RmsNormOptions & OutOption<Out>,
  ): { y: Out; rstd: Float32Array };

  /** As rmsNorm, and what each of its steps gave. */
  rmsNormSteps(x: MatrixInput, options: RmsNormOptions): RmsNormSteps;

  /**
   * The gradients of rmsNorm for the gradient dy that arrives at y, with the same options.
   *
   * @param x  rows x cols, as given to rmsNorm
   * @param dy rows x cols
   * @throws TypeError, RangeError as rmsNorm
   */
  rmsNormBackward(x: MatrixInput, dy: MatrixInput, options: RmsNormOptions): RmsNormGradients;
}

export function rmsNormKernels(wasm: WasmModule, heap: Heap): RmsNormKernels {
  function rmsNorm(input: MatrixInput, options: RmsNormOptions & OutOption<MatrixOutput>) {
    const call = "rmsNorm";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const { gamma, gammaOffset, eps } = rmsNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count + cols + rows, 3);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    const rstd = heap.room(rows);
    wasm.rmsNorm(at, rows, cols, heap.input(gamma), gammaOffset, eps, y, rstd);
    const result = { y: heap.deliver(y, count, out), rstd: heap.copy(rstd, rows) };
    heap.close();
    return result;
  }

  function rmsNormSteps(input: MatrixInput, options: RmsNormOptions): RmsNormSteps {
    const call = "rmsNormSteps";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const { gamma, gammaOffset, eps } = rmsNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;

    heap.open(call, 3 * count + cols + 2 * rows, 6);
    const normalized = heap.room(count);
    const y = heap.room(count);
    const rms = heap.room(rows);
    const rstd = heap.room(rows);
    wasm.rmsNormSteps(heap.input(x), rows, cols, heap.input(gamma), gammaOffset, eps, normalized, y, rms, rstd);
    const result = {
      normalized: heap.copy(normalized, count),
      y: heap.copy(y, count),
      rms: heap.copy(rms, rows),
      rstd: heap.copy(rstd, rows),
    };
    heap.close();
    return result;
  }

  function rmsNormBackward(input: MatrixInput, gradient: MatrixInput, options: RmsNormOptions): RmsNormGradients {
    const call = "rmsNormBackward";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const { gamma, gammaOffset, eps } = rmsNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;
    const dy = check.matching(heap, call, "dy", gradient, cols, x);

    heap.open(call, 2 * (count + cols), 4);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dgamma = heap.zeros(cols);
    wasm.rmsNormBackward(heap.input(x), at, rows, cols, heap.input(gamma), gammaOffset, eps, dx, dgamma);
    const result = { dx: heap.copy(dx, count), dgamma: heap.copy(dgamma, cols) };
    heap.close();
    return result;
  }

  return { rmsNorm: rmsNorm as RmsNormKernels["rmsNorm"], rmsNormSteps, rmsNormBackward };
}
