// Wasm memory as the kernels' wrappers use it: scratch that is kept between calls, and room for resident matrices.
import type { Pointer, WasmModule } from "./load/wasm-module.js";
import { ResidentMatrix } from "./resident-matrix.js";
import type { MatrixOutput, Values } from "./types.js";

const BYTES_PER_FLOAT = 4;
const PAGE = 4096;
const SCRATCH_STEP = 64 * 1024;
/** Scratch larger than this is given back at the end of the call that wanted it; smaller scratch is kept. */
const SCRATCH_KEPT = 32 * 1024 * 1024;
/** wasm memory ends at 2 GiB, and a size beyond 32 bits would wrap around on its way in. */
const MOST_BYTES = 2 ** 31 - PAGE;

/**
 * Arrays that lie a multiple of 4 KiB apart slow each other down: a load waits for a store whose low 12 address bits
 * match. So the i-th array of a call starts at 448 * i past a multiple of 4 KiB (448 is a multiple of 64, and up to
 * nine arrays then keep at least 448 bytes of distance), and resident matrices start 192 bytes beside those places.
 */
const STAGGER = 448;
const STAGGERED = 9;
const RESIDENT_OFFSET = 192;

function startAt(pointer: Pointer, residue: number): Pointer {
  return pointer + ((residue - pointer) & (PAGE - 1));
}

export class Heap {
  readonly #wasm: WasmModule;
  readonly #claimed = new WeakMap<object, Pointer>();
  readonly #forgotten: FinalizationRegistry<Pointer>;
  #claims = 0;
  #call = "";
  #scratch: Pointer = 0;
  #capacity = 0;
  #next: Pointer = 0;
  #arrays = 0;

  constructor(wasm: WasmModule) {
    this.#wasm = wasm;
    this.#forgotten = new FinalizationRegistry((pointer) => wasm.release(pointer));
  }

  /** The memory as it is now; growing replaces it. */
  get buffer(): ArrayBufferLike {
    return this.#wasm.HEAPF32.buffer;
  }

  /**
   * Begins a call that needs `arrays` arrays of together `floats` floats. Arrays placed in an earlier call are gone.
   * @throws RangeError when there is not so much memory
   */
  open(call: string, floats: number, arrays: number): void {
    this.#call = call;
    const bytes = floats * BYTES_PER_FLOAT + arrays * PAGE;
    if (bytes > this.#capacity) this.#growScratch(bytes);
    this.#next = this.#scratch;
    this.#arrays = 0;
  }

  /** Ends the call. */
  close(): void {
    if (this.#capacity > SCRATCH_KEPT) this.#dropScratch();
  }

  /** Room for `count` floats with any content. */
  room(count: number): Pointer {
    const pointer = startAt(this.#next, (this.#arrays % STAGGERED) * STAGGER);
    this.#arrays += 1;
    this.#next = pointer + count * BYTES_PER_FLOAT;
    return pointer;
  }

  /** Room for `count` zeros. */
  zeros(count: number): Pointer {
    const pointer = this.room(count);
    const start = pointer / BYTES_PER_FLOAT;
    this.#wasm.HEAPF32.fill(0, start, start + count);
    return pointer;
  }

  /** An input where the kernels can read it: a resident matrix as it lies, anything else copied, absent as 0. */
  input(values: Values | null): Pointer {
    if (values === null) return 0;
    if (values instanceof ResidentMatrix) return values.address(this.#call);
    const pointer = this.room(values.length);
    this.#wasm.HEAPF32.set(values, pointer / BYTES_PER_FLOAT);
    return pointer;
  }

  /** Doubles where the kernels can read them. */
  doubles(values: readonly number[]): Pointer {
    const pointer = this.room(2 * values.length);
    this.#wasm.HEAPF64.set(values, pointer / 8);
    return pointer;
  }

  /** A mask where the kernels can read it, absent as 0. */
  mask(bytes: Uint8Array | null): Pointer {
    if (bytes === null) return 0;
    const pointer = this.room(Math.ceil(bytes.length / BYTES_PER_FLOAT));
    new Uint8Array(this.buffer).set(bytes, pointer);
    return pointer;
  }

  /** Where a kernel shall write `count` floats: into `out` itself when that is resident, else into scratch. */
  output(out: MatrixOutput | null, count: number): Pointer {
    return out instanceof ResidentMatrix ? out.address(this.#call) : this.room(count);
  }

  /**
   * The same for a kernel that may write over `input`, which lies at `pointer`: that is done when it is a copy, as less
   * memory then passes through the caches.
   */
  outputOver(input: Values, pointer: Pointer, out: MatrixOutput | null): Pointer {
    if (out instanceof ResidentMatrix || input instanceof ResidentMatrix) return this.output(out, input.length);
    return pointer;
  }

  /** The floats that a kernel wrote, in `out` when there is one, else in a fresh array. */
  deliver(pointer: Pointer, count: number, out: MatrixOutput | null): MatrixOutput {
    if (out === null) return this.copy(pointer, count);
    if (!(out instanceof ResidentMatrix)) {
      const start = pointer / BYTES_PER_FLOAT;
      out.set(this.#wasm.HEAPF32.subarray(start, start + count));
    }
    return out;
  }

  /** A fresh array of the floats at `pointer`. */
  copy(pointer: Pointer, count: number): Float32Array {
    const start = pointer / BYTES_PER_FLOAT;
    try {
      // Unlike slice(), this does not clear what it then fills.
      return new Float32Array(this.#wasm.HEAPF32.subarray(start, start + count));
    } catch (cause) {
      throw outOfMemory(this.#call, count * BYTES_PER_FLOAT, cause);
    }
  }

  /** A fresh array of the doubles at `pointer`. */
  copyDoubles(pointer: Pointer, count: number): Float64Array {
    const start = pointer / 8;
    try {
      return this.#wasm.HEAPF64.slice(start, start + count);
    } catch (cause) {
      throw outOfMemory(this.#call, count * 8, cause);
    }
  }

  /**
   * Memory that stays between calls: until `disclaim`, or until its owner is garbage.
   * @throws RangeError when there is not so much memory
   */
  claim(call: string, owner: object, bytes: number): Pointer {
    const base = this.#allocate(call, bytes + PAGE);
    this.#claimed.set(owner, base);
    this.#forgotten.register(owner, base, owner);
    const place = this.#claims++ % STAGGERED;
    return startAt(base, place * STAGGER + RESIDENT_OFFSET);
  }

  disclaim(owner: object): void {
    this.#forgotten.unregister(owner);
    this.#wasm.release(this.#claimed.get(owner)!);
    this.#claimed.delete(owner);
  }

  #growScratch(bytes: number): void {
    const ample = Math.max(bytes, Math.min(this.#capacity * 1.5, SCRATCH_KEPT));
    const capacity = Math.ceil(ample / SCRATCH_STEP) * SCRATCH_STEP;
    this.#dropScratch();
    this.#scratch = this.#allocate(this.#call, capacity);
    this.#capacity = capacity;
  }

  #dropScratch(): void {
    if (this.#scratch !== 0) this.#wasm.release(this.#scratch);
    this.#scratch = 0;
    this.#capacity = 0;
  }

  #allocate(call: string, bytes: number): Pointer {
    if (bytes > MOST_BYTES) throw outOfMemory(call, bytes);
    let pointer = this.#wasm.allocate(bytes);
    if (pointer === 0 && this.#scratch !== 0) {
      this.#dropScratch();
      pointer = this.#wasm.allocate(bytes);
    }
    if (pointer === 0) throw outOfMemory(call, bytes);
    return pointer;
  }
}

export function outOfMemory(call: string, bytes: number, cause?: unknown): RangeError {
  return new RangeError(`${call}: out of memory, ${bytes} bytes wanted`, cause === undefined ? undefined : { cause });
}
