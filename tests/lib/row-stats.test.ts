// rowStats against loops over doubles.
import fc from "fast-check";
import { describe, test } from "vitest";
import { expectNear } from "./support/near.js";
import * as oracle from "./support/oracle.js";
import { builds } from "./support/package.js";
import { RUNS, drawn, roundingOf, shapes } from "./support/random-input.js";

describe.each(builds)("the build %s", (_name, an) => {
  test("gives mean, standard deviation and root mean square of each row", () => {
    fc.assert(fc.property(shapes, fc.constantFrom("population", "sample"), (shape, variance: "population" | "sample") => {
      const { x, cols, gamma, beta } = drawn(an, shape);
      const expected = oracle.layerNorm(x, gamma, beta, { cols, eps: 0, outside: false, sample: variance === "sample" });
      const { mean, std, rms } = an.rowStats(x, { cols, variance });
      expectNear(mean, expected.mean, roundingOf(x), "mean");
      expectNear(std, expected.std, roundingOf(x), "std");
      expectNear(rms, oracle.rmsNorm(x, gamma, cols, 0).rstd.map((r) => 1 / r), roundingOf(x), "rms");
    }), RUNS);
  });
});
