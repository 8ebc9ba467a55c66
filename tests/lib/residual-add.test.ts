// residualAdd is the weighted sum, and where it may write.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear } from "./support/near.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, roundingOf, rounded, shapes } from "./support/random-input.js";

describe.each(builds)("the build %s", (_name, an) => {
  test("without options it is the float32 sum to the last bit", () => {
    fc.assert(fc.property(shapes, (shape) => {
      const { x, fx } = drawn(an, shape);
      expectNear(an.residualAdd(x, fx), rounded(x.map((v, i) => v + fx[i]!)), 0, "sum");
    }), RUNS);
  });

  test("alpha and beta weigh the two terms", () => {
    fc.assert(fc.property(shapes, fc.constantFrom(1, 0, -1, 0.5), fc.constantFrom(1, 0, 0.1), (shape, alpha, beta) => {
      const { x, fx } = drawn(an, shape);
      const expected = x.map((v, i) => alpha * v + beta * fx[i]!);
      expectNear(an.residualAdd(x, fx, { alpha, beta }), expected, roundingOf(x) + roundingOf(fx), "sum");
    }), RUNS);
  });

  test("out takes the sum: an array, x or fx itself, a matrix in wasm memory", () => {
    const x = new Float32Array([1, 2, 3]);
    const fx = new Float32Array([10, 20, 30]);
    const matrix = an.matrix(1, 3);
    expect(an.residualAdd(x, fx, { out: matrix })).toBe(matrix);
    expect(Array.from(matrix.data)).toEqual([11, 22, 33]);
    expect(an.residualAdd(matrix, fx, { out: matrix })).toBe(matrix);
    expect(Array.from(matrix.data)).toEqual([21, 42, 63]);
    an.residualAdd(x, fx, { out: fx });
    expect(Array.from(fx)).toEqual([11, 22, 33]);
    an.residualAdd(x, x, { out: x });
    expect(Array.from(x)).toEqual([2, 4, 6]);
  });
});
