// Comparison of arrays of numbers within a bound.
import { expect } from "vitest";

/** The largest difference; NaN where only one of the two is NaN counts as infinite. */
export function largestError(values: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (values.length !== expected.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    if (Object.is(values[i], expected[i])) continue;
    const error = Math.abs(values[i]! - expected[i]!);
    largest = Math.max(largest, Number.isNaN(error) ? Infinity : error);
  }
  return largest;
}

export function largestMagnitude(values: ArrayLike<number>): number {
  return Array.from(values).reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

export function expectNear(values: ArrayLike<number>, expected: ArrayLike<number>, bound: number, what = ""): void {
  expect(values.length, `${what}: length`).toBe(expected.length);
  expect(largestError(values, expected), `${what}: largest error`).toBeLessThanOrEqual(bound);
}
