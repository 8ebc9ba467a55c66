// Raw bytes, dtype and shape to a checked tensor: what .npy and .safetensors have in common.

import { toHostOrder, type ByteOrder } from "./byte-order.js";
import type { Dtype } from "./dtypes.js";
import { FileError, type Place } from "./errors.js";
import { fortranPosition, fortranToC } from "./fortran-order.js";
import type { ReadOptions } from "./options.js";
import type { Tensor } from "./tensor.js";
import { fileWarning, type FileWarning } from "./warnings.js";

const maxDimensions = 64; // NumPy's own limit

/** A format's view of one array, before its bytes are looked at. */
export interface ArrayLayout {
  name: string;
  dtype: Dtype;
  shape: number[];
  order: ByteOrder;
  fortran: boolean;
}

/**
 * The bytes that a shape needs. Nothing is allocated by this claim: the caller compares it with what the file has.
 * @throws FileError zero-size, or bad-shape for sizes that are no counts or whose product is beyond 2^53.
 */
export function byteCount(shape: readonly number[], size: number): number {
  const value = `[${shape.join(", ")}]`;
  if (shape.length > maxDimensions) {
    throw new FileError("bad-shape", { value: `of ${shape.length} dimensions`, expected: `at most ${maxDimensions}` });
  }
  if (!shape.every((count) => Number.isSafeInteger(count) && count >= 0)) {
    throw new FileError("bad-shape", { value, expected: "whole sizes from 0 to 2^53" });
  }
  if (shape.includes(0)) throw new FileError("zero-size", { shape: [...shape] });
  const count = shape.reduce((product, each) => product * each, size);
  if (count > Number.MAX_SAFE_INTEGER) throw new FileError("bad-shape", { value, expected: "a product below 2^53" });
  return count;
}

/**
 * `bytes` are exactly the array's values as the file holds them; they are not changed and not kept.
 * @throws FileError non-finite, overflow (a finite float64 beyond float32).
 */
export function decodeTensor(bytes: Uint8Array, layout: ArrayLayout, options: ReadOptions): Tensor {
  const { name, dtype, shape, order, fortran } = layout;
  const raw = toHostOrder(bytes, dtype.size, order);
  const stored = dtype.toFloat32(raw);
  const data = fortran ? fortranToC(stored, shape) : stored;
  checkFinite(data, raw, layout, options);
  const warnings: FileWarning[] = [];
  const inexact = dtype.inexact?.(raw);
  if (inexact?.count) {
    const position = fortran ? fortranPosition(inexact.first, shape.toReversed()) : inexact.first;
    const value = String(dtype.valueAt(raw, inexact.first));
    warnings.push(fileWarning("inexact-integers", { ...placeOf(position, shape), value, count: inexact.count }));
  }
  return { name, shape, data, dtype: dtype.name, warnings };
}

function checkFinite(data: Float32Array, raw: Uint8Array, { dtype, shape, fortran }: ArrayLayout, options: ReadOptions): void {
  for (let i = 0; i < data.length; i++) {
    if (data[i] - data[i] === 0) continue;
    const held = dtype.valueAt(raw, fortran ? fortranPosition(i, shape) : i);
    const overflowed = Number.isFinite(Number(held));
    if (overflowed || !options.allowNonFinite) {
      throw new FileError(overflowed ? "overflow" : "non-finite", { ...placeOf(i, shape), value: String(held) });
    }
  }
}

/** The place of a position in C order; a vector is one row. */
export function placeOf(position: number, shape: readonly number[]): Place {
  const index = shape.map(() => 0);
  for (let axis = shape.length - 1, rest = position; axis >= 0; axis--) {
    index[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
  return placeAt(index);
}

export function placeAt(index: number[]): Place {
  return { row: (index.at(-2) ?? 0) + 1, column: (index.at(-1) ?? 0) + 1, index };
}
