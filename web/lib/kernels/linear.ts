// The linear map of each row: a feed-forward layer, or the projection between unequal widths.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, VectorInput } from "../types.js";

export interface LinearOptions {
  /** outFeatures x inFeatures, PyTorch's layout. */
  weight: MatrixInput;
  /** outFeatures values; 0 when absent. */
  bias?: VectorInput | null;
  inFeatures: number;
  outFeatures: number;
}

export interface LinearKernels {
  /**
   * y = x W^T + b, as torch.nn.Linear.
   *
   * @param x rows x inFeatures
   * @returns rows x outFeatures
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array
   * @throws RangeError for lengths that do not fit, and when memory ends
   * @example an.linear([[1, 2]], { weight: [[10, 1], [0, 3], [1, 1]], inFeatures: 2, outFeatures: 3 })    // [12, 6, 3]
   */
  linear(x: MatrixInput, options: LinearOptions): Float32Array;
}

export function linearKernels(wasm: WasmModule, heap: Heap): LinearKernels {
  return {
    linear(input, given) {
      const call = "linear";
      const options = check.options(call, given, "weight, inFeatures, outFeatures, ...");
      const inFeatures = check.number(call, "inFeatures", options.inFeatures);
      const outFeatures = check.number(call, "outFeatures", options.outFeatures);
      const x = check.matrix(heap, call, "x", input, inFeatures, "inFeatures");
      const weight = check.matrix(heap, call, "weight", options.weight, inFeatures, "inFeatures");
      check.length(call, "weight", weight, outFeatures * inFeatures, "outFeatures * inFeatures");
      const bias = check.vector(heap, call, "bias", options.bias, outFeatures, "outFeatures");
      const rows = x.length / inFeatures;
      const count = rows * outFeatures;

      heap.open(call, x.length + weight.length + outFeatures + count, 4);
      const y = heap.room(count);
      wasm.linear(heap.input(x), rows, inFeatures, heap.input(weight), heap.input(bias), outFeatures, y);
      const result = heap.copy(y, count);
      heap.close();
      return result;
    },
  };
}
