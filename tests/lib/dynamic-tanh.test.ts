// dynamicTanh (DyT) and dynamicTanhBackward against loops over doubles.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import { rowsOf } from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, shapes } from "./support/random-input.js";

describe.each(builds)("the build %s", (_name, an) => {
  test("forward and backward agree with loops over doubles", () => {
    fc.assert(fc.property(shapes, fc.constantFrom(0.5, -0.1, 3), (shape, alpha) => {
      const { x, cols, gamma, beta, dy } = drawn(an, shape);
      const factor = Math.fround(alpha);
      const tanh = x.map((v) => Math.tanh(factor * v));
      const expected = tanh.map((t, i) => gamma[i % cols]! * t + beta[i % cols]!);
      expectNear(an.dynamicTanh(x, { cols, alpha, gamma, beta }).y, expected, 1e-6 * Math.max(1, largestMagnitude(expected)), "y");

      const slopes = tanh.map((t) => 1 - t * t);
      const arriving = dy.map((v, i) => v * gamma[i % cols]!);
      const perFeature = (values: number[]): number[] =>
        rowsOf(values, cols).reduce((sums, row) => sums.map((sum, c) => sum + row[c]!), new Array<number>(cols).fill(0));
      const { dx, dalpha, dgamma, dbeta } = an.dynamicTanhBackward(x, dy, { cols, alpha, gamma });
      const bound = 2e-6 * Math.max(1, largestMagnitude(arriving), largestMagnitude(dy));
      expectNear(dx, arriving.map((v, i) => v * factor * slopes[i]!), bound * Math.abs(factor), "dx");
      const terms = arriving.map((v, i) => v * x[i]! * slopes[i]!);
      expectNear([dalpha], [terms.reduce((sum, v) => sum + v, 0)], 4e-6 * x.length * Math.max(1, largestMagnitude(terms)), "dalpha");
      expectNear(dgamma, perFeature(dy.map((v, i) => v * tanh[i]!)), bound * shape.rows, "dgamma");
      expectNear(dbeta, perFeature(dy), bound * shape.rows, "dbeta");
    }), RUNS);
  });

  test("absent alpha, gamma and beta are 0.5, 1 and 0", () => {
    const x = an.randn(1, 24);
    expect(an.dynamicTanh(x, { cols: 8 })).toEqual(an.dynamicTanh(x, { cols: 8, alpha: 0.5, gamma: new Float32Array(8).fill(1), beta: new Float32Array(8) }));
  });

  test("out takes y, and may be x", () => {
    const x = new Float32Array([0, 2]);
    expect(an.dynamicTanh(x, { cols: 2, out: x }).y).toBe(x);
    expectNear(x, [0, Math.tanh(1)], 1e-7);
  });
});
