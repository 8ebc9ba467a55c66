// Every choice of a config: each matrix of the trace against loops over doubles, and the gradients against central
// differences of those loops.
import { describe, expect, test } from "vitest";
import type { BlockArrays, ModelConfig, ModelNorm, Trace } from "../../web/lib/api.js";
import { Oracle, doubles, type OracleConfig, type Weights } from "./support/model-oracle.js";
import { largestError, largestMagnitude } from "./support/near.js";
import { builds } from "./support/package.js";
import { rounded } from "./support/random-input.js";

const PLACEMENTS = ["post", "pre", "sandwich", "none"] as const;
const BRANCHES = ["serial", "parallel"] as const;
const RESIDUALS = [
  { residual: "identity" }, { residual: "none" }, { residual: "gated" },
  { residual: "scaled", scaling: "reZero" }, { residual: "scaled", scaling: "layerScale" },
  { residual: "scaled", scaling: "deepNorm", scale: 1.5 },
] as const;
const NORMS: ModelNorm[] = ["layer", "rms", "batch", "group", "l2", "dyt", "none"];
const ROWS = 6;
const WIDTH = 4;
/** Large, since a norm magnifies what float32 has rounded up to 1 / EPS times, and so that it shows where eps stands. */
const EPS = 0.05;

interface Case {
  name: string;
  config: ModelConfig & OracleConfig;
  width: number;
  seed: number;
}

function cases(norm: ModelNorm): Case[] {
  let seed = 100 * NORMS.indexOf(norm);
  return PLACEMENTS.flatMap((placement) => BRANCHES.flatMap((branches) => RESIDUALS.map((residual) => {
    seed += 1;
    const wide = seed % 4 === 0 && residual.residual !== "none";
    const config = {
      dModel: WIDTH, heads: 1 + (seed % 2), dFf: 5, sequences: 1 + (seed % 3 === 0 ? 1 : 0), causal: seed % 5 < 2, placement, branches,
      ...residual, norm, eps: EPS, activation: seed % 2 === 0 ? "relu" as const : "gelu" as const, finalNorm: norm !== "none" && seed % 2 === 0,
      ...(norm === "group" ? { groups: 2 } : {}),
      ...(norm === "rms" ? { gammaOffset: (seed % 2) as 0 | 1 } : {}),
      ...(["layer", "batch", "group"].includes(norm) ? { epsPlacement: seed % 4 < 2 ? "inside" as const : "outside" as const } : {}),
      variance: seed % 3 === 1 && ["layer", "batch", "group"].includes(norm) ? "sample" as const : "population" as const,
      ...(wide ? { projection: true } : {}),
      ...(seed % 3 === 2 ? { padding: [false, true, false, false, true, false] } : {}),
    };
    const name = `${placement} ${branches} ${residual.residual}${"scaling" in residual ? ` ${residual.scaling}` : ""}`;
    return { name, config, width: wide ? 6 : WIDTH, seed };
  })));
}

describe.each(builds)("the build %s", (_name, an) => {
  /** Weights with nothing at a value where a gradient is special. */
  function drawnWeights(x: number[][], config: ModelConfig, seed: number): BlockArrays[] {
    const { weights } = an.stack(x, { ...config, layers: 2 } as ModelConfig & { keep: "all" });
    return weights!.map((block, b) => Object.fromEntries(Object.entries(block).map(([key, values], i) => {
      const noise = an.randn(seed + 31 * b + i, values.length);
      return [key, values.map((v, k) => v + 0.3 * noise[k]!)];
    })));
  }

  function expectMatrices(trace: Trace, oracle: Oracle): void {
    expect(trace.steps.map(({ id }) => id).sort()).toEqual([...oracle.matrices.keys()].sort());
    for (const { id, rows, cols, data } of trace.steps) {
      const matrix = oracle.matrices.get(id)!;
      expect([id, rows, cols]).toEqual([id, matrix.length, matrix[0]!.length]);
      const expected = matrix.flat();
      expect(largestError(data, expected), id).toBeLessThanOrEqual((1e-6 / EPS) * Math.max(1, largestMagnitude(expected)));
    }
  }

  describe.each(NORMS)("norm %s", (norm) => {
    test.each(cases(norm))("$name: matrices and gradients are those of the formulas", ({ config, width, seed }) => {
      const x = rounded(an.randn(seed, ROWS * width));
      const rows = Array.from({ length: ROWS }, (_, r) => x.slice(r * width, (r + 1) * width));
      const dy = rounded(an.randn(seed + 7, ROWS * WIDTH));
      const weights = drawnWeights(rows, config, seed);
      const trace = an.stack(rows, { ...config, layers: 2, weights, backward: true, dy } as ModelConfig & { keep: "all" });
      const exact = doubles(weights);
      expectMatrices(trace, new Oracle(x, exact, config, width));

      const loss = (at: number[], of: Weights[]): number =>
        new Oracle(at, of, config, width).output.flat().reduce((sum, v, i) => sum + v * dy[i]!, 0);
      // Along one random direction through x, and one through all weights.
      const step = 1e-6;
      const towards = Array.from(an.randn(seed + 1, x.length));
      const moved = (by: number): number => loss(x.map((v, i) => v + by * towards[i]!), exact);
      expectSlope(trace.backward![0]!.gradient, towards, (moved(step) - moved(-step)) / (2 * step), "dx");
      const ways = exact.map((block, b) => Object.fromEntries(Object.entries(block).map(([key, values], i) =>
        [key, Array.from(an.randn(seed + 1000 + 31 * b + i, values.length))])) as Weights);
      const changed = (by: number): number => loss(x, exact.map((block, b) => Object.fromEntries(Object.entries(block).map(([key, values]) =>
        [key, values.map((v, i) => v + by * ways[b]![key as keyof Weights]![i]!)]))));
      const grads = trace.grads!.flatMap((block) => Object.values(block).map((values) => Array.from(values))).flat();
      const directions = trace.grads!.flatMap((block, b) => Object.keys(block).map((key) => ways[b]![key as keyof Weights]!)).flat();
      expectSlope(grads, directions, (changed(step) - changed(-step)) / (2 * step), "grads");
    });
  });

  function expectSlope(gradient: ArrayLike<number>, direction: number[], expected: number, what: string): void {
    const terms = Array.from(gradient, (v, i) => v * direction[i]!);
    const slope = terms.reduce((sum, v) => sum + v, 0);
    const scale = Math.sqrt(terms.reduce((sum, v) => sum + v * v, 0));
    expect(Math.abs(slope - expected), what).toBeLessThanOrEqual(2e-4 * scale + 1e-6);
  }
});
