// activation and activationBackward against formulas over doubles.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Activation } from "../../web/lib/api.js";
import { activate } from "./support/activations.js";
import { expectNear, largestMagnitude } from "./support/near.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, shapes } from "./support/random-input.js";

const kinds: Activation[] = ["relu", "gelu", "sigmoid"];

describe.each(builds)("the build %s", (_name, an) => {
  test.each(kinds)("%s agrees with its formula over doubles", (kind) => {
    fc.assert(fc.property(shapes, (shape) => {
      const { x } = drawn(an, shape);
      const expected = x.map((v) => activate(kind, v));
      expectNear(an.activation(x, { kind }), expected, 1e-6 * Math.max(1, largestMagnitude(expected)), "y");
    }), RUNS);
  });

  test.each(kinds)("the gradient of %s agrees with central differences over doubles", (kind) => {
    fc.assert(fc.property(shapes, (shape) => {
      const { x, dy } = drawn(an, shape);
      const step = 1e-5;
      const expected = x.map((v, i) => ((activate(kind, v + step) - activate(kind, v - step)) / (2 * step)) * dy[i]!);
      // Beside its corner relu has no central difference.
      const smooth = x.map((v) => kind !== "relu" || Math.abs(v) > step);
      const dx = an.activationBackward(x, dy, { kind }).map((v, i) => (smooth[i] ? v : expected[i]!));
      expectNear(dx, expected, 1e-5 * Math.max(1, largestMagnitude(dy)), "dx");
    }), RUNS);
  });

  test("relu has gradient 0 at 0", () => {
    expect(an.activationBackward([-1, 0, 1], [5, 5, 5], { kind: "relu" })).toEqual(new Float32Array([0, 0, 5]));
  });

  test("out takes the result, and may be x", () => {
    const x = new Float32Array([-1, 2]);
    expect(an.activation(x, { kind: "relu", out: x })).toBe(x);
    expect(x).toEqual(new Float32Array([0, 2]));
  });
});
