// Float arrays in wasm memory, laid out as the package's own heap lays them out.

const PAGE = 4096;
const STAGGER = 448;

/**
 * The i-th array starts 448 * i bytes past a multiple of 4 KiB: arrays a multiple of 4 KiB apart slow each other down,
 * since a load waits for a store whose low 12 address bits match.
 */
export class WasmArrays {
  #wasm;
  #base;
  #lengths;
  /** Addresses in bytes, by name. */
  at = {};

  /** @param lengths by name */
  constructor(wasm, lengths) {
    this.#wasm = wasm;
    this.#lengths = lengths;
    const bytes = Object.values(lengths).reduce((total, length) => total + 4 * length + PAGE, PAGE);
    this.#base = wasm.allocate(bytes);
    if (this.#base === 0) throw new RangeError(`bench: out of memory, ${bytes} bytes wanted`);
    let next = this.#base;
    Object.entries(lengths).forEach(([name, length], i) => {
      this.at[name] = next + ((i * STAGGER - next) & (PAGE - 1));
      next = this.at[name] + 4 * length;
    });
  }

  /** Memory may have grown since the last look. */
  #view(name) {
    return new Float32Array(this.#wasm.HEAPF32.buffer, this.at[name], this.#lengths[name]);
  }

  fill(inputs) {
    for (const name of Object.keys(this.#lengths)) if (inputs[name]) this.#view(name).set(inputs[name]);
  }

  zero(names) {
    for (const name of names) if (name in this.#lengths) this.#view(name).fill(0);
  }

  copies(names) {
    return Object.fromEntries(names.map((name) => [name, this.#view(name).slice()]));
  }

  free() {
    this.#wasm.release(this.#base);
  }
}
