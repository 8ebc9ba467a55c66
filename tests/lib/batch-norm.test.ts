// batchNorm and batchNormBackward against LayerNorm over doubles of the transposed matrix, and its padding.
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
  masked: fc.boolean(),
} as const);

/** The rows that count, as columns. */
function turned(values: number[], cols: number, padding: boolean[]): number[] {
  const rows = oracle.rowsOf(values, cols).filter((_, r) => !padding[r]);
  return Array.from({ length: cols }, (_, c) => rows.map((row) => row[c]!)).flat();
}

/** The way back, with 0 in padded rows. */
function returned(columns: number[], cols: number, padding: boolean[]): number[] {
  const count = padding.filter((padded) => !padded).length;
  let next = 0;
  return padding.flatMap((padded) => {
    const r = padded ? -1 : next++;
    return Array.from({ length: cols }, (_, c) => (padded ? 0 : columns[c * count + r]!));
  });
}

describe.each(builds)("the build %s", (_name, an) => {
  test("forward and backward agree with the transposed LayerNorm over doubles in every convention", () => {
    fc.assert(fc.property(shapes, settings, (shape, { masked, ...options }) => {
      const { x, cols, gamma, beta, dy } = drawn(an, shape);
      const padding = Array.from({ length: shape.rows }, (_, r) => masked && r > 0 && dy[r]! > 0);
      const count = padding.filter((padded) => !padded).length;
      const terms = { cols: count, eps: options.eps, outside: options.epsPlacement === "outside", sample: options.variance === "sample" };
      const ones = new Array<number>(count).fill(1);
      const zeros = new Array<number>(count).fill(0);
      const columns = turned(x, cols, padding);
      const expected = oracle.layerNorm(columns, ones, zeros, terms);

      const { y, mean, rstd } = an.batchNorm(x, { cols, gamma, beta, padding, ...options });
      const affine = expected.y.map((v, i) => v * gamma[Math.floor(i / count)]! + beta[Math.floor(i / count)]!);
      expectNear(y, returned(affine, cols, padding), 2e-6 * Math.max(1, largestMagnitude(affine)), "y");
      expectNear(mean, expected.mean, roundingOf(x), "mean");
      expectNear(rstd, expected.rstd, 2 * roundingOf(expected.rstd), "rstd");

      const arriving = turned(dy, cols, padding);
      const scaled = arriving.map((v, i) => v * gamma[Math.floor(i / count)]!);
      const back = oracle.layerNormBackward(columns, scaled, ones, terms);
      const { dx, dgamma, dbeta } = an.batchNormBackward(x, dy, { cols, gamma, padding, ...options });
      if (count > 1) expectNear(dx, returned(back.dx, cols, padding), gradientBound(back.dx, expected.rstd, dy, gamma), "dx");
      const perColumn = (values: number[]): number[] => oracle.rowsOf(values, count).map((column) => column.reduce((sum, v) => sum + v, 0));
      expectNear(dgamma, perColumn(arriving.map((v, i) => v * expected.y[i]!)), 2 * parameterBound(dgamma, shape.rows), "dgamma");
      expectNear(dbeta, perColumn(arriving), parameterBound(dbeta, shape.rows), "dbeta");
    }), RUNS);
  });

  test("padded rows give 0 and change nothing, whatever they hold", () => {
    const rows = [[1, 5], [3, 7]];
    const alone = an.batchNorm(rows, { cols: 2, beta: [1, 1] });
    const padded = an.batchNorm([...rows, [NaN, Infinity]], { cols: 2, beta: [1, 1], padding: [false, false, true] });
    expect(padded.mean).toEqual(alone.mean);
    expect(Array.from(padded.y)).toEqual([...alone.y, 0, 0]);
  });

  test("a constant column, and any column of a single row, gives exactly beta", () => {
    expect(an.batchNorm([[1000.1, 7], [1000.1, 7]], { cols: 2, beta: [1, 2] }).y).toEqual(new Float32Array([1, 2, 1, 2]));
    expect(an.batchNorm([[3, 4]], { cols: 2, beta: [1, 2] }).y).toEqual(new Float32Array([1, 2]));
  });

  test("a row is normalized otherwise when only its neighbours change", () => {
    const first = an.batchNorm([[1, 2], [0, 0]], { cols: 2 }).y.slice(0, 2);
    const second = an.batchNorm([[1, 2], [5, 9]], { cols: 2 }).y.slice(0, 2);
    expect(first).not.toEqual(second);
  });

  test("out takes y, and may be x", () => {
    const x = Float32Array.from(an.randn(3, 24));
    const expected = an.batchNorm(x, { cols: 8 }).y;
    expect(an.batchNorm(x, { cols: 8, out: x }).y).toBe(x);
    expect(x).toEqual(expected);
  });
});
