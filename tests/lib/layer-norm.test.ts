// layerNorm, layerNormSteps and layerNormBackward against loops over doubles, and where layerNorm may write.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import * as oracle from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, gradientBound, parameterBound, roundingOf, shapes } from "./support/random-input.js";

const conventions = fc.record({
  eps: fc.constantFrom(1e-6, 1e-5, 1e-3, 0.5),
  epsPlacement: fc.constantFrom("inside", "outside"),
  variance: fc.constantFrom("population", "sample"),
} as const);

function terms(cols: number, c: { eps: number; epsPlacement: string; variance: string }): oracle.Convention {
  return { cols, eps: c.eps, outside: c.epsPlacement === "outside", sample: c.variance === "sample" };
}

describe.each(builds)("the build %s", (_name, an) => {
  test("layerNorm agrees with loops over doubles in every convention", () => {
    fc.assert(fc.property(shapes, conventions, (shape, convention) => {
      const { x, cols, gamma, beta } = drawn(an, shape);
      const expected = oracle.layerNorm(x, gamma, beta, terms(cols, convention));
      const { y, mean, rstd } = an.layerNorm(x, { cols, gamma, beta, ...convention });
      expectNear(y, expected.y, 1e-6 * Math.max(1, largestMagnitude(expected.y)), "y");
      expectNear(mean, expected.mean, roundingOf(x), "mean");
      expectNear(rstd, expected.rstd, roundingOf(expected.rstd), "rstd");
    }), RUNS);
  });

  test("layerNormSteps gives the same y and what leads to it", () => {
    fc.assert(fc.property(shapes, conventions, (shape, convention) => {
      const { x, cols, gamma, beta } = drawn(an, shape);
      const expected = oracle.layerNorm(x, gamma, beta, terms(cols, convention));
      const plain = oracle.layerNorm(x, gamma.map(() => 1), beta.map(() => 0), terms(cols, convention));
      const steps = an.layerNormSteps(x, { cols, gamma, beta, ...convention });
      const { y, rstd } = an.layerNorm(x, { cols, gamma, beta, ...convention });
      expectNear(steps.y, y, 0, "y");
      expectNear(steps.rstd, rstd, 0, "rstd");
      expectNear(steps.deviation, x.map((v, i) => v - expected.mean[Math.floor(i / cols)]!), roundingOf(x), "deviation");
      expectNear(steps.normalized, plain.y, 1e-6 * Math.max(1, largestMagnitude(plain.y)), "normalized");
      expectNear(steps.std, expected.std, roundingOf(expected.std), "std");
    }), RUNS);
  });

  test("layerNormBackward agrees with the chain rule over doubles in every convention", () => {
    fc.assert(fc.property(shapes, conventions, (shape, convention) => {
      const { x, cols, gamma, beta, dy } = drawn(an, shape);
      const expected = oracle.layerNormBackward(x, dy, gamma, terms(cols, convention));
      const { rstd } = oracle.layerNorm(x, gamma, beta, terms(cols, convention));
      const { dx, dgamma, dbeta } = an.layerNormBackward(x, dy, { cols, gamma, beta, ...convention });
      expectNear(dx, expected.dx, gradientBound(expected.dx, rstd, dy, gamma), "dx");
      expectNear(dgamma, expected.dgamma, parameterBound(expected.dgamma, shape.rows), "dgamma");
      expectNear(dbeta, expected.dbeta, parameterBound(expected.dbeta, shape.rows), "dbeta");
    }), RUNS);
  });

  test("absent gamma, beta, eps and conventions are 1, 0, 1e-5, inside and population", () => {
    const x = an.randn(42, 24);
    const spelled = { gamma: new Float32Array(8).fill(1), beta: new Float32Array(8), eps: 1e-5, epsPlacement: "inside", variance: "population" } as const;
    expect(an.layerNorm(x, { cols: 8 })).toEqual(an.layerNorm(x, { cols: 8, ...spelled }));
    expect(an.layerNormBackward(x, x, { cols: 8 })).toEqual(an.layerNormBackward(x, x, { cols: 8, ...spelled }));
  });

  test("gradients of the parameters start from zero in each call", () => {
    const x = an.randn(42, 24);
    const first = an.layerNormBackward(x, x, { cols: 8 });
    expect(an.layerNormBackward(x, x, { cols: 8 })).toEqual(first);
  });

  test("a row that is constant, and any row of one feature, gives exactly beta", () => {
    expect(an.layerNorm([[1000.1, 1000.1, 1000.1]], { cols: 3, beta: [1, 2, 3] }).y).toEqual(new Float32Array([1, 2, 3]));
    expect(an.layerNorm([7, -3e38, 0], { cols: 1, beta: [0.5] }).y).toEqual(new Float32Array([0.5, 0.5, 0.5]));
  });

  describe("out", () => {
    const x = Float32Array.from(an.randn(7, 40));
    const options = { cols: 8, gamma: [1, 2, 3, 4, 5, 6, 7, 8] };
    const expected = an.layerNorm(x, options).y;

    test("an array takes y and is what comes back", () => {
      const out = new Float32Array(40);
      expect(an.layerNorm(x, { ...options, out }).y).toBe(out);
      expect(out).toEqual(expected);
    });

    test("x itself may be out", () => {
      const both = x.slice();
      an.layerNorm(both, { ...options, out: both });
      expect(both).toEqual(expected);
    });

    test("out may overlap x in part, and may be an array over shared memory", () => {
      const memory = new Float32Array(new SharedArrayBuffer(4 * 44));
      memory.set(x);
      an.layerNorm(memory.subarray(0, 40), { ...options, out: memory.subarray(4) });
      expect(Array.from(memory.subarray(4))).toEqual(Array.from(expected));
    });

    test("a matrix in wasm memory takes y, also in place", () => {
      const source = an.matrix(5, 8);
      const target = an.matrix(5, 8);
      source.data.set(x);
      expect(an.layerNorm(source, { ...options, out: target }).y).toBe(target);
      expect(target.data).toEqual(expected);
      an.layerNorm(source, { ...options, out: source });
      expect(source.data).toEqual(expected);
    });
  });
});
