// rmsNorm, rmsNormSteps and rmsNormBackward against loops over doubles, and where rmsNorm may write.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import * as oracle from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, gradientBound, parameterBound, roundingOf, shapes } from "./support/random-input.js";

const settings = fc.record({ eps: fc.constantFrom(1e-6, 1e-5, 0.5), gammaOffset: fc.constantFrom<0 | 1>(0, 1) });

describe.each(builds)("the build %s", (_name, an) => {
  test("rmsNorm agrees with loops over doubles, with Gemma's offset too", () => {
    fc.assert(fc.property(shapes, settings, (shape, { eps, gammaOffset }) => {
      const { x, cols, gamma } = drawn(an, shape);
      const expected = oracle.rmsNorm(x, gamma.map((g) => g + gammaOffset), cols, eps);
      const { y, rstd } = an.rmsNorm(x, { cols, gamma, gammaOffset, eps });
      expectNear(y, expected.y, 1e-6 * Math.max(1, largestMagnitude(expected.y)), "y");
      expectNear(rstd, expected.rstd, roundingOf(expected.rstd), "rstd");
    }), RUNS);
  });

  test("rmsNormSteps gives the same y and what leads to it", () => {
    fc.assert(fc.property(shapes, settings, (shape, { eps, gammaOffset }) => {
      const { x, cols, gamma } = drawn(an, shape);
      const steps = an.rmsNormSteps(x, { cols, gamma, gammaOffset, eps });
      const { y, rstd } = an.rmsNorm(x, { cols, gamma, gammaOffset, eps });
      const plain = oracle.rmsNorm(x, gamma.map(() => 1), cols, eps);
      expectNear(steps.y, y, 0, "y");
      expectNear(steps.rstd, rstd, 0, "rstd");
      expectNear(steps.normalized, plain.y, 1e-6 * Math.max(1, largestMagnitude(plain.y)), "normalized");
      expectNear(steps.rms, oracle.rmsNorm(x, gamma, cols, 0).rstd.map((r) => 1 / r), roundingOf(x), "rms");
    }), RUNS);
  });

  test("rmsNormBackward agrees with the chain rule over doubles", () => {
    fc.assert(fc.property(shapes, settings, (shape, { eps, gammaOffset }) => {
      const { x, cols, gamma, dy } = drawn(an, shape);
      const gain = gamma.map((g) => g + gammaOffset);
      const expected = oracle.rmsNormBackward(x, dy, gain, cols, eps);
      const { dx, dgamma } = an.rmsNormBackward(x, dy, { cols, gamma, gammaOffset, eps });
      expectNear(dx, expected.dx, gradientBound(expected.dx, oracle.rmsNorm(x, gain, cols, eps).rstd, dy, gain), "dx");
      expectNear(dgamma, expected.dgamma, parameterBound(expected.dgamma, shape.rows), "dgamma");
    }), RUNS);
  });

  test("out takes y: an array, x itself, a matrix in wasm memory", () => {
    const x = Float32Array.from(an.randn(7, 40));
    const expected = an.rmsNorm(x, { cols: 8 }).y;
    const inPlace = x.slice();
    expect(an.rmsNorm(inPlace, { cols: 8, out: inPlace }).y).toBe(inPlace);
    expect(inPlace).toEqual(expected);
    const matrix = an.matrix(5, 8);
    matrix.data.set(x);
    expect(an.rmsNorm(matrix, { cols: 8, out: matrix }).y).toBe(matrix);
    expect(matrix.data).toEqual(expected);
  });
});
