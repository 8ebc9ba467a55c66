// The linear map of each row: a feed-forward layer, or the projection between unequal widths.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, VectorInput } from "../types.js";

export interface LinearWeightOptions {
  /** outFeatures x inFeatures, PyTorch's layout. */
  weight: MatrixInput;
  inFeatures: number;
  outFeatures: number;
}

export interface LinearOptions extends LinearWeightOptions {
  /** outFeatures values; 0 when absent. */
  bias?: VectorInput | null;
}

export interface LinearGradients {
  /** rows x inFeatures. */
  dx: Float32Array;
  /** outFeatures x inFeatures. */
  dweight: Float32Array;
  /** Summed over the rows, outFeatures values. */
  dbias: Float32Array;
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

  /**
   * The gradients of linear for the gradient dy that arrives at y: dx = dy W, dweight = dy^T x, dbias = sum of dy's rows.
   *
   * @param x  rows x inFeatures, as given to linear
   * @param dy rows x outFeatures
   * @throws TypeError, RangeError as linear
   */
  linearBackward(x: MatrixInput, dy: MatrixInput, options: LinearWeightOptions): LinearGradients;
}

export function linearKernels(wasm: WasmModule, heap: Heap): LinearKernels {
  function checked(call: string, input: MatrixInput, given: LinearWeightOptions) {
    const options = check.options(call, given, "weight, inFeatures, outFeatures, ...");
    const inFeatures = check.number(call, "inFeatures", options.inFeatures);
    const outFeatures = check.number(call, "outFeatures", options.outFeatures);
    const x = check.matrix(heap, call, "x", input, inFeatures, "inFeatures");
    const weight = check.matrix(heap, call, "weight", options.weight, inFeatures, "inFeatures");
    check.length(call, "weight", weight, outFeatures * inFeatures, "outFeatures * inFeatures");
    return { inFeatures, outFeatures, x, weight, rows: x.length / inFeatures };
  }

  function linear(input: MatrixInput, options: LinearOptions): Float32Array {
    const call = "linear";
    const { inFeatures, outFeatures, x, weight, rows } = checked(call, input, options);
    const bias = check.vector(heap, call, "bias", options.bias, outFeatures, "outFeatures");
    const count = rows * outFeatures;

    heap.open(call, x.length + weight.length + outFeatures + count, 4);
    const y = heap.room(count);
    wasm.linear(heap.input(x), rows, inFeatures, heap.input(weight), heap.input(bias), outFeatures, y);
    const result = heap.copy(y, count);
    heap.close();
    return result;
  }

  function linearBackward(input: MatrixInput, gradient: MatrixInput, options: LinearWeightOptions): LinearGradients {
    const call = "linearBackward";
    const { inFeatures, outFeatures, x, weight, rows } = checked(call, input, options);
    const dy = check.matrix(heap, call, "dy", gradient, outFeatures, "outFeatures");
    check.length(call, "dy", dy, rows * outFeatures, "rows * outFeatures");

    heap.open(call, 2 * (x.length + weight.length) + dy.length + outFeatures, 6);
    const dx = heap.room(x.length);
    const dweight = heap.zeros(weight.length);
    const dbias = heap.zeros(outFeatures);
    wasm.linearBackward(heap.input(x), heap.input(dy), rows, inFeatures, heap.input(weight), outFeatures, dx, dweight, dbias);
    const result = {
      dx: heap.copy(dx, x.length),
      dweight: heap.copy(dweight, weight.length),
      dbias: heap.copy(dbias, outFeatures),
    };
    heap.close();
    return result;
  }

  return { linear, linearBackward };
}
