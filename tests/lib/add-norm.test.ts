// addNorm and addNormBackward are the sum and then its norm, and where addNorm may write.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import * as oracle from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, gradientBound, parameterBound, roundingOf, rounded, shapes } from "./support/random-input.js";

const epsilons = fc.constantFrom(1e-6, 1e-5, 1e-3);
const conventions = fc.record({ outside: fc.boolean(), sample: fc.boolean() });

describe.each(builds)("the build %s", (_name, an) => {
  test("with LayerNorm it agrees with loops over doubles in every convention, forward and backward", () => {
    fc.assert(fc.property(shapes, epsilons, conventions, (shape, eps, { outside, sample }) => {
      const { x, fx, cols, gamma, beta, dy, dsum } = drawn(an, shape);
      const options = { cols, gamma, beta, eps, epsPlacement: outside ? "outside" : "inside", variance: sample ? "sample" : "population" } as const;
      const stream = rounded(x.map((v, i) => v + fx[i]!));
      const convention = { cols, eps, outside, sample };
      const expected = oracle.layerNorm(stream, gamma, beta, convention);
      const { sum, y, mean, rstd } = an.addNorm(x, fx, options);
      expectNear(sum, stream, 0, "sum");
      expectNear(y, expected.y, 1e-6 * Math.max(1, largestMagnitude(expected.y)), "y");
      expectNear(mean, expected.mean, roundingOf(stream), "mean");
      expectNear(rstd, expected.rstd, roundingOf(expected.rstd), "rstd");

      const through = oracle.layerNormBackward(stream, dy, gamma, convention);
      const dx = through.dx.map((g, i) => g + dsum[i]!);
      const gradients = an.addNormBackward(x, fx, { ...options, dy, dsum });
      expectNear(gradients.dx, dx, gradientBound(dx, expected.rstd, dy, gamma), "dx");
      expectNear(gradients.dfx, gradients.dx, 0, "dfx");
      expectNear(gradients.dgamma, through.dgamma, parameterBound(through.dgamma, shape.rows), "dgamma");
      expectNear(gradients.dbeta, through.dbeta, parameterBound(through.dbeta, shape.rows), "dbeta");
    }), RUNS);
  });

  test("with RMSNorm it agrees with loops over doubles, forward and backward", () => {
    fc.assert(fc.property(shapes, epsilons, fc.constantFrom<0 | 1>(0, 1), (shape, eps, gammaOffset) => {
      const { x, fx, cols, gamma, dy, dsum } = drawn(an, shape);
      const options = { norm: "rms", cols, gamma, gammaOffset, eps } as const;
      const gain = gamma.map((g) => g + gammaOffset);
      const stream = rounded(x.map((v, i) => v + fx[i]!));
      const expected = oracle.rmsNorm(stream, gain, cols, eps);
      const { sum, y, mean, rstd } = an.addNorm(x, fx, options);
      expectNear(sum, stream, 0, "sum");
      expect(mean).toBe(null);
      expectNear(y, expected.y, 1e-6 * Math.max(1, largestMagnitude(expected.y)), "y");
      expectNear(rstd, expected.rstd, roundingOf(expected.rstd), "rstd");

      const through = oracle.rmsNormBackward(stream, dy, gain, cols, eps);
      const dx = through.dx.map((g, i) => g + dsum[i]!);
      const gradients = an.addNormBackward(x, fx, { ...options, dy, dsum });
      expectNear(gradients.dx, dx, gradientBound(dx, expected.rstd, dy, gain), "dx");
      expectNear(gradients.dfx, gradients.dx, 0, "dfx");
      expectNear(gradients.dgamma, through.dgamma, parameterBound(through.dgamma, shape.rows), "dgamma");
      expect(gradients.dbeta).toBe(null);
    }), RUNS);
  });

  test("an absent dsum is a gradient of zeros, an absent norm is LayerNorm", () => {
    const x = an.randn(1, 24);
    const fx = an.randn(2, 24);
    const dy = an.randn(3, 24);
    expect(an.addNormBackward(x, fx, { cols: 8, dy })).toEqual(an.addNormBackward(x, fx, { norm: "layer", cols: 8, dy, dsum: new Float32Array(24) }));
    expect(an.addNorm(x, fx, { cols: 8 })).toEqual(an.addNorm(x, fx, { norm: "layer", cols: 8 }));
  });

  describe.each(["layer", "rms"] as const)("out and sumOut with norm %s", (norm) => {
    const x = Float32Array.from(an.randn(5, 40));
    const fx = Float32Array.from(an.randn(6, 40));
    const expected = an.addNorm(x, fx, { norm, cols: 8 });

    test("arrays take y and the sum, x and fx too", () => {
      const stream = x.slice();
      const branch = fx.slice();
      const { sum, y } = an.addNorm(stream, branch, { norm, cols: 8, sumOut: stream, out: branch });
      expect(sum).toBe(stream);
      expect(y).toBe(branch);
      expect(stream).toEqual(expected.sum);
      expect(branch).toEqual(expected.y);
    });

    test("matrices in wasm memory take them, x and fx too", () => {
      const stream = an.matrix(5, 8);
      const branch = an.matrix(5, 8);
      stream.data.set(x);
      branch.data.set(fx);
      an.addNorm(stream, branch, { norm, cols: 8, sumOut: stream, out: branch });
      expect(stream.data).toEqual(expected.sum);
      expect(branch.data).toEqual(expected.y);
    });
  });
});
