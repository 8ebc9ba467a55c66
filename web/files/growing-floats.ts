// A Float32Array that grows by doubling, for readers that learn the number of values only at the end.

export class GrowingFloats {
  length = 0;
  #values: Float32Array;

  constructor(capacity = 1024) {
    this.#values = new Float32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  /** The values in an array of their own. */
  finish(): Float32Array {
    return this.length === this.#values.length ? this.#values : this.#values.slice(0, this.length);
  }
}
