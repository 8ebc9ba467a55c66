// softmax and softmaxBackward against loops over doubles, and what their masks leave out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectNear, largestMagnitude } from "./support/near.js";
import { rowsOf } from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, rounded, shapes } from "./support/random-input.js";

function softmaxRow(row: number[], seen: boolean[]): number[] {
  const largest = Math.max(...row.filter((_, c) => seen[c]));
  const weights = row.map((v, c) => (seen[c] ? Math.exp(v - largest) : 0));
  const total = weights.reduce((sum, w) => sum + w, 0);
  return weights.map((w) => (total > 0 ? w / total : 0));
}

describe.each(builds)("the build %s", (_name, an) => {
  test("agrees with loops over doubles, with columns left out and with a causal mask", () => {
    fc.assert(fc.property(shapes, fc.boolean(), fc.boolean(), (shape, masked, causal) => {
      const { x, cols, beta } = drawn(an, shape);
      const leftOut = masked ? beta.map((v) => v > 0.5) : undefined;
      const expected = rowsOf(x, cols).flatMap((row, r) =>
        softmaxRow(row, row.map((_, c) => !leftOut?.[c] && !(causal && c > r))));
      expectNear(an.softmax(x, { cols, leftOut, causal }), expected, 1e-6, "y");
    }), RUNS);
  });

  test("the gradient agrees with the chain rule over doubles", () => {
    fc.assert(fc.property(shapes, (shape) => {
      const { x, dy, cols } = drawn(an, shape);
      const y = rounded(an.softmax(x, { cols }));
      const gradients = rowsOf(dy, cols);
      const expected = rowsOf(y, cols).flatMap((row, r) => {
        const dot = row.reduce((sum, v, c) => sum + v * gradients[r]![c]!, 0);
        return row.map((v, c) => v * (gradients[r]![c]! - dot));
      });
      expectNear(an.softmaxBackward(y, dy, { cols }), expected, 2e-6 * largestMagnitude(dy), "dx");
    }), RUNS);
  });

  test("what is left out is 0 whatever it holds, and a row that sees nothing is all 0", () => {
    expect(an.softmax([[1, NaN, 1], [2, Infinity, 2]], { cols: 3, leftOut: [0, 1, 0] })).toEqual(new Float32Array([0.5, 0, 0.5, 0.5, 0, 0.5]));
    expect(an.softmax([[1, 2]], { cols: 2, leftOut: new Uint8Array([1, 1]) })).toEqual(new Float32Array(2));
  });

  test("out takes the result, and may be x", () => {
    const x = Float32Array.from(an.randn(3, 24));
    const expected = an.softmax(x, { cols: 8 });
    expect(an.softmax(x, { cols: 8, out: x })).toBe(x);
    expect(x).toEqual(expected);
    const resident = an.matrix(3, 8);
    resident.data.set(an.randn(3, 24));
    an.softmax(resident, { cols: 8, out: resident });
    expect(resident.data).toEqual(expected);
  });
});
