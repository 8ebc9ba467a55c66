// linear and linearBackward against loops over doubles.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import { rowsOf } from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, roundingOf, rounded, shapes } from "./support/random-input.js";

describe.each(builds)("the build %s", (_name, an) => {
  test("multiplies each row with every row of the weight and adds the bias", () => {
    fc.assert(fc.property(shapes, fc.integer({ min: 1, max: 9 }), (shape, outFeatures) => {
      const { x, cols: inFeatures } = drawn(an, shape);
      const weight = rounded(an.randn(1, outFeatures * inFeatures));
      const bias = rounded(an.randn(2, outFeatures));
      const dot = (a: number[], b: number[]): number => a.reduce((total, v, i) => total + v * b[i]!, 0);
      const expected = rowsOf(x, inFeatures).flatMap((row) => rowsOf(weight, inFeatures).map((w, o) => dot(row, w) + bias[o]!));
      const bound = roundingOf(bias) + roundingOf(x) * largestMagnitude(weight) * inFeatures;
      expectNear(an.linear(x, { weight, bias, inFeatures, outFeatures }), expected, bound, "y");
    }), RUNS);
  });

  test("the gradients agree with loops over doubles", () => {
    fc.assert(fc.property(shapes, fc.integer({ min: 1, max: 9 }), (shape, outFeatures) => {
      const { x, cols: inFeatures } = drawn(an, shape);
      const weight = rounded(an.randn(1, outFeatures * inFeatures));
      const dy = rounded(an.randn(3, shape.rows * outFeatures));
      const rows = rowsOf(x, inFeatures);
      const gradients = rowsOf(dy, outFeatures);
      const weights = rowsOf(weight, inFeatures);
      const { dx, dweight, dbias } = an.linearBackward(x, dy, { weight, inFeatures, outFeatures });
      const sum = (values: number[]): number => values.reduce((total, v) => total + v, 0);
      expectNear(dx, gradients.flatMap((g) => rows[0]!.map((_, i) => sum(g.map((v, o) => v * weights[o]![i]!)))), roundingOf(dy) * largestMagnitude(weight) * outFeatures, "dx");
      expectNear(dweight, weights.flatMap((w, o) => w.map((_, i) => sum(rows.map((row, r) => gradients[r]![o]! * row[i]!)))), roundingOf(dy) * largestMagnitude(x) * shape.rows, "dweight");
      expectNear(dbias, weights.map((_, o) => sum(gradients.map((g) => g[o]!))), roundingOf(dy) * shape.rows, "dbias");
    }), RUNS);
  });

  test("an absent bias is 0, and the weight may be given by rows", () => {
    expect(an.linear([[1, 2]], { weight: [[10, 1], [0, 3], [1, 1]], inFeatures: 2, outFeatures: 3 })).toEqual(new Float32Array([12, 6, 3]));
  });
});
