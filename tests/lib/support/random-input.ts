// Random matrices for comparisons with the oracle: fast-check chooses shape and seed, the package draws the numbers.
import fc from "fast-check";
import type { Addnorm } from "../../../web/lib/api.js";
import { largestMagnitude } from "./near.js";

/** On failure fast-check prints the seed and the smallest failing case. */
export const RUNS = { seed: 20240607, numRuns: 150 };

export interface Shape {
  rows: number;
  cols: number;
  seed: number;
  scale: number;
  offset: number;
}

export const shapes: fc.Arbitrary<Shape> = fc.record({
  rows: fc.integer({ min: 1, max: 6 }),
  cols: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(64, 100, 129, 768)),
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  scale: fc.constantFrom(0.01, 1, 30),
  offset: fc.constantFrom(0, 0, 5, -100),
});

/** Float32 values in an array of doubles. */
export function rounded(values: ArrayLike<number>): number[] {
  return Array.from(values, Math.fround);
}

export function drawn(an: Addnorm, { rows, cols, seed, scale, offset }: Shape) {
  const count = rows * cols;
  const all = an.randn(seed, 4 * count + 2 * cols);
  const part = (from: number, length: number): number[] => rounded(all.subarray(from, from + length));
  return {
    cols,
    x: rounded(part(0, count).map((v) => v * scale + offset)),
    fx: part(count, count),
    dy: part(2 * count, count),
    dsum: part(3 * count, count),
    gamma: part(4 * count, cols),
    beta: part(4 * count + cols, cols),
  };
}

/** What rounding to float32 may do to a vector, relative to its largest value. */
export function roundingOf(values: ArrayLike<number>): number {
  return 1e-6 * largestMagnitude(values);
}

/** dx is a difference of terms as large as rstd * dy * gamma. */
export function gradientBound(dx: ArrayLike<number>, rstd: ArrayLike<number>, dy: number[], gamma: number[]): number {
  return 2 * (roundingOf(dx) + roundingOf(rstd) * largestMagnitude(dy) * largestMagnitude(gamma));
}

/** A sum over rows. */
export function parameterBound(expected: ArrayLike<number>, rows: number): number {
  return 4e-6 * rows * Math.max(1, largestMagnitude(expected));
}
