// Softmax of each row, as attention takes it.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { ResidentMatrix } from "../resident-matrix.js";
import type { MaskInput, MatrixInput, MatrixOutput, OutOption } from "../types.js";

export interface SoftmaxOptions {
  /** Width of a row. */
  cols: number;
  /** The columns that no row sees (padding), cols values; none when absent. */
  leftOut?: MaskInput | null;
  /** Row r sees columns 0 to r only; false when absent. */
  causal?: boolean;
}

export interface SoftmaxKernels {
  /**
   * y = exp(x - max) / sum(exp(x - max)) over the columns that a row sees, and 0 in the others, whatever x holds there.
   * A row that sees none is all 0.
   *
   * @param x rows x cols
   * @returns rows x cols; `out` itself when given
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array
   * @throws RangeError for lengths that do not fit, and when memory ends
   * @example an.softmax([[0, Math.log(3)]], { cols: 2 })    // Float32Array [0.25, 0.75]
   */
  softmax(x: MatrixInput, options: SoftmaxOptions & OutOption<Float32Array>): Float32Array;
  softmax(x: MatrixInput, options: SoftmaxOptions & OutOption<ResidentMatrix>): ResidentMatrix;

  /**
   * The gradient at x for the gradient dy that arrives at y: y * (dy - sum(dy * y)).
   *
   * @param y  rows x cols, what softmax gave
   * @param dy rows x cols
   * @throws TypeError, RangeError as softmax
   */
  softmaxBackward(y: MatrixInput, dy: MatrixInput, options: { cols: number }): Float32Array;
}

export function softmaxKernels(wasm: WasmModule, heap: Heap): SoftmaxKernels {
  function softmax(input: MatrixInput, options: SoftmaxOptions & OutOption<MatrixOutput>): MatrixOutput {
    const call = "softmax";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const leftOut = check.mask(call, "leftOut", options.leftOut, cols, "cols");
    const causal = check.boolean(call, "causal", options.causal ?? false);
    const count = x.length;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count + cols, 2);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    wasm.softmax(at, count / cols, cols, heap.mask(leftOut), causal, y);
    const result = heap.deliver(y, count, out);
    heap.close();
    return result;
  }

  function softmaxBackward(result: MatrixInput, gradient: MatrixInput, options: { cols: number }): Float32Array {
    const call = "softmaxBackward";
    const cols = check.number(call, "cols", check.options(call, options, "cols").cols);
    const y = check.matrix(heap, call, "y", result, cols);
    const dy = check.matching(heap, call, "dy", gradient, cols, y, "y");
    const count = y.length;

    heap.open(call, 2 * count, 2);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    wasm.softmaxBackward(heap.input(y), at, count / cols, cols, dx);
    const copy = heap.copy(dx, count);
    heap.close();
    return copy;
  }

  return { softmax: softmax as SoftmaxKernels["softmax"], softmaxBackward };
}
