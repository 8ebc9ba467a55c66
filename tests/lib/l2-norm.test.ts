// l2Norm (ScaleNorm) and l2NormBackward against loops over doubles.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import { rowsOf } from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, parameterBound, roundingOf, shapes } from "./support/random-input.js";

const dot = (a: number[], b: number[]): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);

describe.each(builds)("the build %s", (_name, an) => {
  test("forward and backward agree with loops over doubles, also where eps is the divisor", () => {
    fc.assert(fc.property(shapes, fc.constantFrom(1e-5, 1e-3, 30), (shape, eps) => {
      const { x, cols, dy, beta } = drawn(an, shape);
      const gain = beta[0]!;
      const rows = rowsOf(x, cols);
      const norms = rows.map((row) => Math.sqrt(dot(row, row)));
      const divisors = norms.map((norm) => Math.max(norm, eps));
      const hats = rows.map((row, r) => row.map((v) => v / divisors[r]!));

      const { y, norm } = an.l2Norm(x, { cols, gain, eps });
      expectNear(y, hats.flat().map((v) => gain * v), 1e-6 * Math.max(1, Math.abs(gain)), "y");
      expectNear(norm, norms, roundingOf(norms), "norm");

      const gradients = rowsOf(dy, cols);
      const { dx, dgain } = an.l2NormBackward(x, dy, { cols, gain, eps });
      const expected = hats.flatMap((hat, r) => {
        const along = norms[r]! > eps ? dot(hat, gradients[r]!) : 0;
        return hat.map((v, c) => (gain / divisors[r]!) * (gradients[r]![c]! - v * along));
      });
      const largest = (Math.abs(gain) * largestMagnitude(dy)) / Math.min(...divisors);
      expectNear(dx, expected, 4e-6 * largest, "dx");
      const total = dot(hats.flat(), dy);
      expectNear([dgain], [total], parameterBound([total], shape.rows), "dgain");
    }), RUNS);
  });

  test("a row of zeros gives zeros, with eps 0 too", () => {
    expect(an.l2Norm([[0, 0]], { cols: 2, eps: 0 })).toEqual({ y: new Float32Array(2), norm: new Float32Array(1) });
  });

  test("absent gain and eps are 1 and 1e-5", () => {
    expect(an.l2Norm([[3, 4]], { cols: 2 })).toEqual(an.l2Norm([[3, 4]], { cols: 2, gain: 1, eps: 1e-5 }));
    expect(an.l2Norm([[6e-6, 8e-6]], { cols: 2 }).y).toEqual(an.l2Norm([[6e-6, 8e-6]], { cols: 2, eps: 1e-5 }).y);
  });

  test("out takes y, and may be x", () => {
    const x = new Float32Array([3, 4]);
    expect(an.l2Norm(x, { cols: 2, out: x }).y).toBe(x);
    expectNear(x, [0.6, 0.8], 1e-7);
  });
});
