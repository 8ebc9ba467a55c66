// Statistics of each row, as the norms see them.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, Variance } from "../types.js";

/** One value a row each. */
export interface RowStats {
  mean: Float32Array;
  /** Square root of the variance. */
  std: Float32Array;
  /** sqrt(mean(x^2)). */
  rms: Float32Array;
}

export interface RowStatsKernels {
  /**
   * mean, std = sqrt(var) and rms = sqrt(mean(x^2)) of each row, without any eps.
   *
   * @param x rows x cols
   * @throws TypeError, RangeError as layerNorm
   * @example an.rowStats([[1, 3]], { cols: 2 })    // mean [2], std [1], rms [2.2361]
   */
  rowStats(x: MatrixInput, options: { cols: number; variance?: Variance }): RowStats;
}

export function rowStatsKernels(wasm: WasmModule, heap: Heap): RowStatsKernels {
  return {
    rowStats(input, given) {
      const call = "rowStats";
      const options = check.options(call, given, "cols, ...");
      const cols = check.number(call, "cols", options.cols);
      const x = check.matrix(heap, call, "x", input, cols);
      const sampleVariance = check.flag(call, "variance", options.variance ?? "population");
      const rows = x.length / cols;

      heap.open(call, x.length + 3 * rows, 4);
      const mean = heap.room(rows);
      const std = heap.room(rows);
      const rms = heap.room(rows);
      wasm.rowStats(heap.input(x), rows, cols, sampleVariance, mean, std, rms);
      const result = { mean: heap.copy(mean, rows), std: heap.copy(std, rows), rms: heap.copy(rms, rows) };
      heap.close();
      return result;
    },
  };
}
