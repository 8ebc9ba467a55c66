// The array that every reader hands out, and the ways to see it as a matrix of tokens x features.

import { FileError } from "./errors.js";
import type { FileWarning } from "./warnings.js";

/** rows x cols, row-major: data[row * cols + col]. */
export interface Matrix {
  rows: number;
  cols: number;
  data: Float32Array;
}

export interface Tensor {
  /** The array's name in the file, or the file's name without its ending. */
  name: string;
  /** Sizes, outermost first; [] is a single number. No size is 0. */
  shape: number[];
  /** The values in C order (last index fastest), rounded to float32. */
  data: Float32Array;
  /** The type the file holds: float16, bfloat16, float32, float64, int8 … uint64, bool; text for .csv and .json. */
  dtype: string;
  warnings: FileWarning[];
}

/**
 * One tokens x features matrix of a tensor: the last two dimensions, at `indices` for all dimensions before them
 * (none for a matrix). A vector is one row. The data is a copy.
 * @throws FileError zero-dimensions for a single number; RangeError when the indices do not fit the shape.
 */
export function selectSlice(tensor: Tensor, indices: readonly number[]): Matrix {
  const { rows, cols } = lastTwo(tensor);
  const leading = tensor.shape.slice(0, -2);
  if (indices.length !== leading.length) {
    const needs = `the shape [${tensor.shape.join(", ")}] needs ${leading.length}`;
    throw new RangeError(`selectSlice: indices has ${indices.length} values, ${needs}`);
  }
  let slice = 0;
  leading.forEach((size, axis) => {
    const index = indices[axis];
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw new RangeError(`selectSlice: indices[${axis}] is ${index}, expected an integer from 0 to ${size - 1}`);
    }
    slice = slice * size + index;
  });
  const start = slice * rows * cols;
  return { rows, cols, data: tensor.data.slice(start, start + rows * cols) };
}

/**
 * The whole tensor as one matrix: the last dimension is the features, all dimensions before it together are the rows
 * ([batch, tokens, features] gives batch * tokens rows). A vector is one row. The data is a copy.
 * @throws FileError zero-dimensions for a single number.
 */
export function toMatrix(tensor: Tensor): Matrix {
  const { cols } = lastTwo(tensor);
  return { rows: tensor.data.length / cols, cols, data: tensor.data.slice() };
}

function lastTwo({ shape, data, name }: Tensor): { rows: number; cols: number } {
  if (shape.length === 0) throw new FileError("zero-dimensions", { value: String(data[0]) }, name);
  return { rows: shape.at(-2) ?? 1, cols: shape.at(-1)! };
}
