// A matrix that lives in wasm memory, so that the kernels read and write it without a copy.
import type { Heap } from "./heap.js";
import type { Pointer } from "./load/wasm-module.js";

/** While a view is in use, its matrix must not be collected. */
const ownerOfView = new WeakMap<Float32Array, ResidentMatrix>();

/**
 * rows x cols float32 in wasm memory, row by row, made by `an.matrix(rows, cols)` and zero at first.
 * Usable wherever a Float32Array is, and as `out`.
 *
 * @example
 * const x = an.matrix(7, 8);
 * const values = an.randn(42, 56);         // first, since a call may make memory grow
 * x.data.set(values);
 * an.layerNorm(x, { cols: 8, out: x });    // in place, nothing is copied
 */
export class ResidentMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly #heap: Heap;
  #pointer: Pointer;

  /** @internal Made by `an.matrix`. */
  constructor(heap: Heap, rows: number, cols: number) {
    this.rows = rows;
    this.cols = cols;
    this.#heap = heap;
    this.#pointer = heap.claim("matrix", this, this.length * Float32Array.BYTES_PER_ELEMENT);
    this.data.fill(0);
  }

  /** rows * cols. */
  get length(): number {
    return this.rows * this.cols;
  }

  /**
   * The values, as a view of wasm memory. Memory that grows invalidates earlier views, so read `.data` anew after
   * other calls and keep the matrix, not the view.
   * @throws TypeError after `free()`
   */
  get data(): Float32Array {
    const view = new Float32Array(this.#heap.buffer, this.address("data"), this.length);
    ownerOfView.set(view, this);
    return view;
  }

  /** Gives the memory back now; without it, the garbage collector does so some time. A second call does nothing. */
  free(): void {
    if (this.#pointer === 0) return;
    this.#pointer = 0;
    this.#heap.disclaim(this);
  }

  /** @internal True when this matrix lives in that heap. */
  livesIn(heap: Heap): boolean {
    return this.#heap === heap;
  }

  /** @internal Where it lies; throws in the name of `call` when it was freed. */
  address(call: string): Pointer {
    if (this.#pointer === 0) {
      throw new TypeError(`${call}: the ${this.rows} x ${this.cols} matrix was used after free()`);
    }
    return this.#pointer;
  }
}
