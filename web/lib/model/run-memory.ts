// The memory of one run: all its arrays in one piece, so that it can be given back at once.
import { outOfMemory, type Heap } from "../heap.js";
import type { Pointer } from "../load/wasm-module.js";

const ALIGNMENT = 64;

export class RunMemory<Part extends string> {
  readonly #heap: Heap;
  readonly #call: string;
  readonly #parts = new Map<string, Pointer>();

  /**
   * @param bytes of each part; they lie in this order, and a part of 0 bytes is absent
   * @throws RangeError when there is not so much memory
   */
  constructor(heap: Heap, call: string, bytes: Record<Part, number>) {
    this.#heap = heap;
    this.#call = call;
    const sizes = Object.entries<number>(bytes).map(([part, size]) => [part, Math.ceil(size / ALIGNMENT) * ALIGNMENT] as const);
    let next = heap.claim(call, this, sizes.reduce((total, [, size]) => total + size, 0));
    for (const [part, size] of sizes) {
      this.#parts.set(part, size > 0 ? next : 0);
      next += size;
    }
  }

  /** Its address; 0 when it is absent. */
  at(part: Part): Pointer {
    return this.#parts.get(part)!;
  }

  /** A view of the memory as it is now, which growing invalidates: for use at once. */
  view<View>(Kind: new (buffer: ArrayBufferLike, at: Pointer, count: number) => View, at: Pointer, count: number): View {
    return new Kind(this.#heap.buffer, at, count);
  }

  /** A fresh array of the floats at an address. */
  copy(at: Pointer, count: number): Float32Array {
    try {
      return this.view(Float32Array, at, count).slice();
    } catch (cause) {
      throw outOfMemory(this.#call, count * Float32Array.BYTES_PER_ELEMENT, cause);
    }
  }

  free(): void {
    this.#heap.disclaim(this);
  }
}
