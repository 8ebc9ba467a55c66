// ScaleNorm: each row is brought to one length, forward and backward.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, MatrixOutput, OutOption } from "../types.js";

export interface L2NormOptions {
  /** Width of a row: the number of features d. */
  cols: number;
  /** The length that rows are brought to, ScaleNorm's g; 1 when absent. */
  gain?: number;
  /** The least that a row is divided by: finite, at least 0; 1e-5 when absent. */
  eps?: number;
}

export interface L2NormGradients {
  /** rows x cols. */
  dx: Float32Array;
  dgain: number;
}

export interface L2NormKernels {
  /**
   * y = gain * x / max(||x||, eps), each row by itself, ||x|| = sqrt(sum(x^2)): ScaleNorm (Nguyen and Salazar,
   * arXiv:1910.05895), which begins with gain sqrt(cols). A row of zeros gives zeros.
   *
   * @param x rows x cols
   * @returns y (rows x cols; `out` itself when given) and norm, ||x|| (one a row)
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array
   * @throws RangeError for lengths that do not fit, eps that is negative or not finite, and when memory ends
   * @example an.l2Norm([[3, 4]], { cols: 2 }).y    // Float32Array [0.6, 0.8]
   */
  l2Norm<Out extends MatrixOutput = Float32Array>(
    x: MatrixInput, options: L2NormOptions & OutOption<Out>,
  ): { y: Out; norm: Float32Array };

  /**
   * The gradients of l2Norm for the gradient dy that arrives at y, with the same options.
   *
   * @param x  rows x cols, as given to l2Norm
   * @param dy rows x cols
   * @throws TypeError, RangeError as l2Norm
   */
  l2NormBackward(x: MatrixInput, dy: MatrixInput, options: L2NormOptions): L2NormGradients;
}

export function l2NormKernels(wasm: WasmModule, heap: Heap): L2NormKernels {
  function checked(call: string, input: MatrixInput, options: L2NormOptions) {
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const gain = Float32Array.of(check.number(call, "gain", options.gain ?? 1));
    return { cols, x, rows: x.length / cols, gain, eps: check.number(call, "eps", options.eps ?? 1e-5) };
  }

  function l2Norm(input: MatrixInput, options: L2NormOptions & OutOption<MatrixOutput>) {
    const call = "l2Norm";
    const { cols, x, rows, gain, eps } = checked(call, input, options);
    const count = x.length;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count + 1 + rows, 3);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    const norm = heap.room(rows);
    wasm.l2Norm(at, rows, cols, heap.input(gain), eps, y, norm);
    const result = { y: heap.deliver(y, count, out), norm: heap.copy(norm, rows) };
    heap.close();
    return result;
  }

  function l2NormBackward(input: MatrixInput, gradient: MatrixInput, options: L2NormOptions): L2NormGradients {
    const call = "l2NormBackward";
    const { cols, x, rows, gain, eps } = checked(call, input, options);
    const dy = check.matching(heap, call, "dy", gradient, cols, x);
    const count = x.length;

    heap.open(call, 2 * count + 2, 4);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dgain = heap.zeros(1);
    wasm.l2NormBackward(heap.input(x), at, rows, cols, heap.input(gain), eps, dx, dgain);
    const result = { dx: heap.copy(dx, count), dgain: heap.copy(dgain, 1)[0]! };
    heap.close();
    return result;
  }

  return { l2Norm: l2Norm as L2NormKernels["l2Norm"], l2NormBackward };
}
