// Random numbers as NumPy draws them.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";

export interface RandomKernels {
  /**
   * What `numpy.random.RandomState(seed).randn(count)` gives, to the last bit.
   *
   * @param seed  whole, 0 to 4294967295
   * @param count whole, at least 0
   * @throws TypeError, RangeError for other values, and RangeError when memory ends
   * @example an.randn(42, 2)    // Float64Array [0.4967141530112327, -0.13826430117118466]
   */
  randn(seed: number, count: number): Float64Array;
}

export function randomKernels(wasm: WasmModule, heap: Heap): RandomKernels {
  return {
    randn(seed, count) {
      const call = "randn";
      check.number(call, "seed", seed);
      check.number(call, "count", count);

      heap.open(call, 2 * count, 1);
      const out = heap.room(2 * count);
      wasm.randn(seed, count, out);
      const result = heap.copyDoubles(out, count);
      heap.close();
      return result;
    },
  };
}
