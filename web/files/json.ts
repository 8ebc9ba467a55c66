// Reads .json: nested arrays of numbers (one level a dimension), or an object of such arrays by name.

import { placeAt } from "./decode-tensor.js";
import { FileError } from "./errors.js";
import { GrowingFloats } from "./growing-floats.js";
import { JsonCursor } from "./json-cursor.js";
import { Members } from "./members.js";
import { isInexactInteger } from "./numbers.js";
import type { ReadOptions } from "./options.js";
import type { Tensor } from "./tensor.js";
import { fileWarning, type FileWarning } from "./warnings.js";

/**
 * [1, 2] is a vector, [[1, 2], [3, 4]] a matrix, deeper nesting more dimensions; {"a": [..], "b": [..]} is two arrays.
 * @param name of the array when the text is an array.
 * @throws FileError bad-json, json-not-an-array, duplicate-name, ragged-rows, ragged-nesting, not-a-number, non-finite,
 * overflow, zero-size, no-arrays.
 */
export function readJson(text: string, name: string, options: ReadOptions): Tensor[] {
  const cursor = new JsonCursor(text);
  if (cursor.peek() === "{") {
    const members = new Members(options);
    cursor.object((key) => {
      const { at, depth } = cursor;
      if (members.add(key, () => readArray(cursor, key, options))) return;
      Object.assign(cursor, { at, depth });
      cursor.value();
    });
    cursor.end();
    return members.finish(".json");
  }
  const tensor = readArray(cursor, name, options);
  cursor.end();
  return [tensor];
}

function readArray(cursor: JsonCursor, name: string, options: ReadOptions): Tensor {
  if (cursor.peek() !== "[") throw new FileError("json-not-an-array", { got: cursor.describe() });
  const reader = new NestedReader(cursor, options);
  reader.level(0);
  if (reader.shape.includes(0)) throw new FileError("zero-size", { shape: reader.shape });
  return { name, shape: reader.shape, data: reader.values.finish(), dtype: "text", warnings: reader.warnings() };
}

class NestedReader {
  /** The size of each level, learnt from the first array of that level. */
  readonly shape: number[] = [];
  readonly values = new GrowingFloats();
  readonly #index: number[] = [];
  /** How many levels deep the numbers stand; 0 until the first number. */
  #leafDepth = 0;
  #inexact: { index: number[]; value: string } | undefined;
  #inexactCount = 0;

  constructor(private readonly cursor: JsonCursor, private readonly options: ReadOptions) {}

  level(depth: number): void {
    const { cursor } = this;
    const count = cursor.array((i) => {
      this.#index[depth] = i;
      if (cursor.text[cursor.at] === "[") {
        if (depth + 1 === this.#leafDepth) this.#ragged(depth, "a number", "an array");
        this.level(depth + 1);
      } else {
        this.#number(depth);
      }
    });
    const expected = (this.shape[depth] ??= count);
    if (count !== expected) this.#wrongCount(depth, count, expected);
  }

  warnings(): FileWarning[] {
    if (!this.#inexact) return [];
    const { index, value } = this.#inexact;
    return [fileWarning("inexact-integers", { ...placeAt(index), value, count: this.#inexactCount })];
  }

  #number(depth: number): void {
    const { cursor } = this;
    const start = cursor.at;
    const value = cursor.number();
    if (value === undefined) {
      if (!/["{a-z]/i.test(cursor.peek() ?? "")) cursor.fail("a number");
      const found = cursor.peek() === '"' ? cursor.string() : cursor.describe();
      throw new FileError("not-a-number", { ...this.#place(depth), value: found });
    }
    if (this.#leafDepth !== depth + 1) {
      if (this.#leafDepth !== 0 || this.shape.length > depth + 1) this.#ragged(depth, "an array", "a number");
      this.#leafDepth = depth + 1;
    }
    const rounded = Math.fround(value);
    if (rounded - rounded !== 0) this.#checkFinite(depth, cursor.text.slice(start, cursor.at));
    else if (rounded !== value && isInexactInteger(value) && this.#inexactCount++ === 0) {
      this.#inexact = { index: this.#index.slice(0, depth + 1), value: cursor.text.slice(start, cursor.at) };
    }
    this.values.push(rounded);
  }

  #checkFinite(depth: number, value: string): void {
    const overflowed = /\d/.test(value);
    if (!overflowed && this.options.allowNonFinite) return;
    throw new FileError(overflowed ? "overflow" : "non-finite", { ...this.#place(depth), value });
  }

  #place(depth: number) {
    return placeAt(this.#index.slice(0, depth + 1));
  }

  #ragged(depth: number, expected: string, got: string): never {
    throw new FileError("ragged-nesting", { index: this.#index.slice(0, depth + 1), expected, got });
  }

  #wrongCount(depth: number, got: number, expected: number): never {
    if (depth === 1 && this.shape.length === 2) {
      throw new FileError("ragged-rows", { row: this.#index[0] + 1, got, firstRow: 1, expected });
    }
    throw new FileError("ragged-nesting", {
      index: this.#index.slice(0, depth), expected: `${expected} items, as in the first array of this level`, got: String(got),
    });
  }
}
