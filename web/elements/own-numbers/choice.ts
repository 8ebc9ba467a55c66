/** From the arrays of a file to the one matrix that a person looks at: array, slice, and as many rows as fit. */
import { selectSlice, type Tensor } from "../../files/tensor.js";
import type { Matrix } from "../../state/matrix.js";
import { MATRIX_LIMIT } from "../../state/schema.js";

export interface Choice {
  readonly tensors: readonly Tensor[];
  /** Which array. */
  readonly chosen: number;
  /** One index for each dimension before the last two. */
  readonly indices: readonly number[];
}

export interface Chosen {
  readonly tensor: Tensor;
  /** Sizes of the dimensions before the last two. */
  readonly leading: readonly number[];
  /** Rows of the slice; the matrix has fewer when not all fit. */
  readonly rows: number;
  readonly cols: number;
  /** 0 when not even one row fits. */
  readonly usedRows: number;
}

export const firstChoice = (tensors: readonly Tensor[], chosen = 0): Choice =>
  ({ tensors, chosen, indices: tensors[chosen]!.shape.slice(0, -2).map(() => 0) });

export function describeChoice({ tensors, chosen }: Choice): Chosen {
  const tensor = tensors[chosen]!;
  const rows = tensor.shape.at(-2) ?? 1;
  const cols = tensor.shape.at(-1) ?? 1;
  return { tensor, leading: tensor.shape.slice(0, -2), rows, cols, usedRows: Math.min(rows, Math.floor(MATRIX_LIMIT / cols)) };
}

/** The value of a cell of the chosen slice. */
export function cellOf(choice: Choice, row: number, col: number): number {
  const { tensor, leading, rows, cols } = describeChoice(choice);
  const slice = leading.reduce((index, size, axis) => index * size + choice.indices[axis]!, 0);
  return tensor.data[(slice * rows + row) * cols + col]!;
}

export function matrixOf(choice: Choice): Matrix {
  const { tensor, cols, usedRows } = describeChoice(choice);
  // A single number has no dimensions; it is shown as one token with one feature.
  if (tensor.shape.length === 0) return { rows: 1, cols: 1, data: tensor.data.slice(0, 1) };
  const { data } = selectSlice(tensor, choice.indices);
  return { rows: usedRows, cols, data: data.subarray(0, usedRows * cols) };
}
