// groupNorm and groupNormBackward against LayerNorm over doubles of each group.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import * as oracle from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, gradientBound, parameterBound, roundingOf, shapes } from "./support/random-input.js";

const settings = fc.record({
  eps: fc.constantFrom(1e-5, 1e-3, 0.5),
  epsPlacement: fc.constantFrom("inside", "outside"),
  variance: fc.constantFrom("population", "sample"),
} as const);

describe.each(builds)("the build %s", (_name, an) => {
  test("forward and backward agree with LayerNorm over doubles of each group in every convention", () => {
    fc.assert(fc.property(shapes, fc.nat(20), settings, (shape, pick, options) => {
      const { x, cols, gamma, beta, dy } = drawn(an, shape);
      const divisors = Array.from({ length: cols }, (_, i) => i + 1).filter((groups) => cols % groups === 0);
      const groups = divisors[pick % divisors.length]!;
      const width = cols / groups;
      const terms = { cols: width, eps: options.eps, outside: options.epsPlacement === "outside", sample: options.variance === "sample" };
      const ones = new Array<number>(width).fill(1);
      const expected = oracle.layerNorm(x, ones, ones.map(() => 0), terms);

      const { y, mean, rstd } = an.groupNorm(x, { cols, groups, gamma, beta, ...options });
      const affine = expected.y.map((v, i) => v * gamma[i % cols]! + beta[i % cols]!);
      expectNear(y, affine, 2e-6 * Math.max(1, largestMagnitude(affine)), "y");
      expectNear(mean, expected.mean, roundingOf(x), "mean");
      expectNear(rstd, expected.rstd, 2 * roundingOf(expected.rstd), "rstd");

      const back = oracle.layerNormBackward(x, dy.map((v, i) => v * gamma[i % cols]!), ones, terms);
      const { dx, dgamma, dbeta } = an.groupNormBackward(x, dy, { cols, groups, gamma, ...options });
      if (width > 1) expectNear(dx, back.dx, gradientBound(back.dx, expected.rstd, dy, gamma), "dx");
      const perFeature = (values: number[]): number[] =>
        oracle.rowsOf(values, cols).reduce((sums, row) => sums.map((sum, c) => sum + row[c]!), new Array<number>(cols).fill(0));
      expectNear(dgamma, perFeature(dy.map((v, i) => v * expected.y[i]!)), 2 * parameterBound(dgamma, shape.rows), "dgamma");
      expectNear(dbeta, perFeature(dy), parameterBound(dbeta, shape.rows), "dbeta");
    }), RUNS);
  });

  test("one group is LayerNorm, bit for bit", () => {
    const x = an.randn(5, 48);
    const options = { cols: 16, gamma: an.randn(6, 16), beta: an.randn(7, 16) };
    expect(an.groupNorm(x, { ...options, groups: 1 })).toEqual(an.layerNorm(x, options));
  });

  test("out takes y, and may be x", () => {
    const x = Float32Array.from(an.randn(3, 24));
    const expected = an.groupNorm(x, { cols: 8, groups: 2 }).y;
    expect(an.groupNorm(x, { cols: 8, groups: 2, out: x }).y).toBe(x);
    expect(x).toEqual(expected);
  });
});
