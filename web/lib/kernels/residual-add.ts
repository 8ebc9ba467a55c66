// Residual addition: the sum of the stream x and what a sublayer gave for it.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { ResidentMatrix } from "../resident-matrix.js";
import type { MatrixInput, MatrixOutput, OutOption } from "../types.js";

export interface ResidualAddOptions {
  /** Factor of x; 1 when absent. */
  alpha?: number;
  /** Factor of fx; 1 when absent. */
  beta?: number;
}

export interface ResidualAddKernels {
  /**
   * sum = alpha * x + beta * fx, value by value (He et al., arXiv:1512.03385; with alpha and beta 1 the sum of
   * "Attention Is All You Need", arXiv:1706.03762).
   *
   * @param x  any shape
   * @param fx F(x): as many values as x
   * @param options.out takes the sum instead of a fresh array; may be x or fx
   * @returns the sum, as many values as x
   * @throws TypeError for what is no matrix, a freed matrix, a factor that is no number
   * @throws RangeError when fx is not as long as x (unequal widths need a projection first), for a factor that is no
   *   finite float32, and when memory ends
   * @example an.residualAdd([1, 2], [10, 20])    // Float32Array [11, 22]
   */
  residualAdd(x: MatrixInput, fx: MatrixInput, options?: ResidualAddOptions & OutOption<Float32Array>): Float32Array;
  residualAdd(x: MatrixInput, fx: MatrixInput, options: ResidualAddOptions & OutOption<ResidentMatrix>): ResidentMatrix;
}

const NO_OPTIONS: ResidualAddOptions & OutOption<MatrixOutput> = {};

export function residualAddKernels(wasm: WasmModule, heap: Heap): ResidualAddKernels {
  function residualAdd(x: MatrixInput, fx: MatrixInput, given = NO_OPTIONS): MatrixOutput {
    const call = "residualAdd";
    const { alpha = 1, beta = 1, out: target } = check.options(call, given, "alpha, beta, out");
    const stream = check.matrix(heap, call, "x", x, 0);
    const count = stream.length;
    const branch = check.matching(heap, call, "fx", fx, 0, stream);
    check.number(call, "alpha", alpha);
    check.number(call, "beta", beta);
    const out = check.output(heap, call, "out", target, count);

    heap.open(call, 2 * count, 2);
    const at = heap.input(stream);
    const sum = heap.outputOver(stream, at, out);
    wasm.residualAdd(at, heap.input(branch), count, alpha, beta, sum);
    const result = heap.deliver(sum, count, out);
    heap.close();
    return result;
  }

  return { residualAdd: residualAdd as ResidualAddKernels["residualAdd"] };
}
