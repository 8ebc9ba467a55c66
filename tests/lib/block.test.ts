// an.block and an.stack against PyTorch's encoder, their defaults, and what the trace holds.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ModelConfig } from "../../web/lib/api.js";
import { expectNear, largestMagnitude } from "./support/near.js";
import { ROOT, builds } from "./support/package.js";

interface Golden extends Required<Pick<ModelConfig, "placement" | "activation" | "dModel" | "heads" | "dFf" | "eps">> {
  name: string;
  x: number[];
  dy: number[];
  y: number[];
  dx: number[];
}
interface GoldenBlock extends Golden {
  weights: Record<string, number[]>;
  grads: Record<string, number[]>;
}
interface GoldenStack extends Golden {
  weights: Record<string, number[]>[];
  layers: number;
  activationRms: number[];
  gradientRms: number[];
}

const golden = <T>(name: string): T => JSON.parse(readFileSync(join(ROOT, "tests/golden", name), "utf8"));

function expectRelative(values: ArrayLike<number>, expected: number[], bound: number, what: string): void {
  expectNear(values, expected, bound * largestMagnitude(expected), what);
}

describe.each(builds)("the build %s", (_name, an) => {
  test.each(golden<GoldenBlock[]>("encoder_block.json"))("a block gives PyTorch's output, dx and gradient of every weight: $name", (c) => {
    const { dModel, heads, dFf, activation, placement, eps, weights, dy } = c;
    const trace = an.block(c.x, { dModel, heads, dFf, activation, placement, eps, weights, dy, backward: true });
    expectRelative(trace.steps.at(-1)!.data, c.y, 1e-5, "y");
    expectRelative(trace.backward![0]!.gradient, c.dx, 1e-5, "dx");
    expect(Object.keys(trace.grads![0]!).sort()).toEqual(Object.keys(c.grads).sort());
    for (const [name, gradient] of Object.entries(trace.grads![0]!)) {
      expectRelative(gradient, c.grads[name]!, 1e-5, name);
    }
    expect(trace.weights![0]!.attnInWeight).toEqual(Float32Array.from(weights.attnInWeight!));
  });

  test.each(golden<GoldenStack[]>("encoder_stack.json"))("a stack gives PyTorch's output, dx and curves: $name", (c) => {
    const { dModel, heads, dFf, activation, placement, eps, weights, layers, dy } = c;
    const { steps, backward } = an.stack(c.x, { dModel, heads, dFf, activation, placement, eps, weights, layers, dy, backward: true });
    expectRelative(steps.at(-1)!.data, c.y, 2e-5, "y");
    expectRelative(backward![0]!.gradient, c.dx, 2e-5, "dx");
    const states = steps.filter(({ state }) => state !== null);
    expect(states.map(({ state }) => state)).toEqual(Array.from({ length: layers + 1 }, (_, k) => k));
    states.forEach(({ whole }, k) => { expectRelative([whole.rms], [c.activationRms[k]!], 1e-5, `activation RMS of state ${k}`); });
    backward!.forEach(({ gradientRms }, k) => { expectRelative([gradientRms], [c.gradientRms[k]!], 2e-5, `gradient RMS of state ${k}`); });
  });

  describe("defaults", () => {
    const x = Float32Array.from(an.randn(1, 40));
    const spelled = {
      dModel: 8, dInput: 8, heads: 1, dFf: 32, layers: 1, sequences: 1, activation: "relu", causal: false, padding: null,
      placement: "post", branches: "serial", residual: "identity", projection: false, norm: "layer", eps: 1e-5,
      epsPlacement: "inside", variance: "population", gammaOffset: 0, finalNorm: false, sublayers: "computed", seed: 42,
      initGain: 1, backward: false, keep: "all",
    } as const;

    test("dModel is enough for a block", () => {
      expect(an.block(x, { dModel: 8 })).toEqual(an.block(x, spelled));
    });

    test("a stack has 6 blocks, or as many as there are weights", () => {
      const six = an.stack(x, { dModel: 8 });
      expect(six).toEqual(an.stack(x, { ...spelled, layers: 6 }));
      expect(an.stack(x, { dModel: 8, weights: six.weights!.slice(0, 2) }).steps.at(-1)!.block).toBe(1);
    });

    test("a key that is undefined or null is absent", () => {
      expect(an.block(x, { dModel: 8, heads: undefined, weights: undefined, dy: undefined, padding: null })).toEqual(an.block(x, { dModel: 8 }));
    });

    test("ReZero begins at 0, LayerScale at 0.1, a gate nearly closed, and DeepNorm's factor follows the depth", () => {
      const scale = (config: Partial<ModelConfig>) => an.stack(x, { dModel: 8, layers: 8, ...config } as ModelConfig & { keep: "all" }).weights![0]!;
      expect(scale({ residual: "scaled" }).scale1).toEqual(new Float32Array(1));
      expect(scale({ residual: "scaled", scaling: "layerScale" }).scale2).toEqual(new Float32Array(8).fill(0.1));
      expect(scale({ residual: "scaled", scaling: "layerScale", scale: 3 }).scale2).toEqual(new Float32Array(8).fill(3));
      expect(scale({ residual: "gated" }).gate1Bias).toEqual(new Float32Array(8).fill(-1));
      const deep = { dModel: 8, layers: 8, residual: "scaled", scaling: "deepNorm" } as const;
      expect(an.stack(x, deep)).toEqual(an.stack(x, { ...deep, scale: 2 }));
    });

    test("without dy the gradient is that of the mean square of the output", () => {
      const y = an.block(x, { dModel: 8 }).steps.at(-1)!.data;
      const dy = y.map((v) => (2 * v) / y.length);
      const given = an.block(x, { dModel: 8, backward: true, dy }).backward!;
      const own = an.block(x, { dModel: 8, backward: true }).backward!;
      own.forEach(({ gradient }, k) => { expectNear(gradient, given[k]!.gradient, 1e-6, `state ${k}`); });
    });
  });

  describe("the trace", () => {
    const x = an.randn(1, 40);

    test("names every matrix of a post-norm block and what it is made from", () => {
      const { steps } = an.block(x, { dModel: 8, heads: 2 });
      expect(steps.map(({ id, op, state, rows, cols, inputs }) => `${id} ${op} ${state} ${rows}x${cols} < ${inputs.join(" ")}`)).toEqual([
        "x input 0 5x8 < ",
        "block0.qkv queryKeyValue null 5x24 < x",
        "block0.attnWeights attentionWeights null 10x5 < block0.qkv",
        "block0.context context null 5x8 < block0.attnWeights block0.qkv",
        "block0.attn attention null 5x8 < x block0.context",
        "block0.sum1 sum null 5x8 < x block0.attn",
        "block0.norm1 norm null 5x8 < block0.sum1",
        "block0.up up null 5x32 < block0.norm1",
        "block0.activated activated null 5x32 < block0.up",
        "block0.ffn feedForward null 5x8 < block0.norm1 block0.activated",
        "block0.sum2 sum null 5x8 < block0.norm1 block0.ffn",
        "block0.norm2 norm 1 5x8 < block0.sum2",
      ]);
    });

    test("holds the statistics that rowStats gives, of each row and of the whole", () => {
      for (const { data, rows, cols, mean, std, rms, whole } of an.block(x, { dModel: 8, variance: "sample" }).steps) {
        expect({ mean, std, rms }).toEqual(an.rowStats(data, { cols, variance: "sample" }));
        const all = an.rowStats(data, { cols: rows * cols, variance: "sample" });
        expect(whole).toEqual({ mean: all.mean[0], std: all.std[0], rms: all.rms[0] });
      }
    });

    test("gives back weights that make the same trace again", () => {
      const config = { dModel: 8, layers: 2, norm: "dyt", residual: "gated", finalNorm: true, seed: 7, backward: true } as const;
      const drawn = an.stack(x, config);
      expect(an.stack(x, { ...config, weights: drawn.weights })).toEqual(drawn);
      expect(Object.keys(drawn.weights![1]!).filter((name) => name.startsWith("finalNorm"))).toEqual(["finalNormGamma", "finalNormBeta", "finalNormAlpha"]);
    });

    test("has a weight and a gradient by every name of the other", () => {
      const { weights, grads } = an.stack(x, { dModel: 8, layers: 2, backward: true });
      expect(grads!.map((block) => Object.entries(block).map(([name, values]) => [name, values.length])))
        .toEqual(weights!.map((block) => Object.entries(block).map(([name, values]) => [name, values.length])));
    });

    test.each(["states", "statistics"] as const)("keeps %s only when asked, with the same numbers", (keep) => {
      const config = { dModel: 8, layers: 3, placement: "pre", finalNorm: true, backward: true } as const;
      const full = an.stack(x, config);
      const lean = an.stack(x, { ...config, keep });
      expect([lean.weights, lean.grads]).toEqual([undefined, undefined]);
      lean.steps.forEach(({ data, ...numbers }, i) => {
        const { data: all, ...expected } = full.steps[i]!;
        expect(numbers).toEqual(expected);
        const kept = i === full.steps.length - 1 || (keep === "states" && numbers.state !== null);
        expect(data).toEqual(kept ? all : null);
      });
      lean.backward!.forEach(({ gradient, ...numbers }, k) => {
        const { gradient: all, ...expected } = full.backward![k]!;
        expect(numbers).toEqual(expected);
        expect(gradient).toEqual(keep === "states" ? all : null);
      });
    });
  });

  describe("x", () => {
    const flat = Float32Array.from(an.randn(1, 24));

    test("may be rows, a flat array or a matrix in wasm memory, and stays as it is", () => {
      const expected = an.block(flat, { dModel: 8 }).steps;
      const rows = [0, 1, 2].map((r) => Array.from(flat.subarray(8 * r, 8 * r + 8)));
      const resident = an.matrix(3, 8);
      resident.data.set(flat);
      expect(an.block(rows, { dModel: 8 }).steps).toEqual(expected);
      expect(an.block(resident, { dModel: 8 }).steps).toEqual(expected);
      expect(resident.data).toEqual(flat);
    });

    test("of another width is projected, by its rows' width or by dInput", () => {
      const rows = [0, 1].map((r) => Array.from(flat.subarray(12 * r, 12 * r + 12)));
      const trace = an.block(rows, { dModel: 8, projection: true, backward: true });
      expect(trace.steps.map(({ id }) => id)).toContain("block0.projection");
      expect([trace.backward![0]!.gradient.length, trace.weights![0]!.projectionWeight!.length]).toEqual([24, 96]);
      expect(an.block(flat, { dModel: 8, dInput: 12, projection: true, backward: true })).toEqual(trace);
    });

    test("of several sequences is computed as each of them alone", () => {
      const both = an.block(flat.subarray(0, 16), { dModel: 4, sequences: 2, causal: true }).steps.at(-1)!.data;
      const alone = [0, 8].flatMap((at) => Array.from(an.block(flat.subarray(at, at + 8), { dModel: 4, causal: true }).steps.at(-1)!.data));
      expectNear(both, alone, 1e-6);
    });
  });

  describe("simulated sublayers", () => {
    const [x, attnOutput, ffnOutput] = [0, 1, 2].map((i) => Float32Array.from(an.randn(42, 168).subarray(56 * i, 56 * i + 56))) as [Float32Array, Float32Array, Float32Array];

    test("give the article's chain", () => {
      const article = golden<{ add_norm_chain: Record<"x" | "attn_output" | "ffn_output" | "after_attn" | "after_ffn", number[]> }>("article.json").add_norm_chain;
      const { steps } = an.block(article.x, {
        dModel: 8, sublayers: "simulated", attnOutput: article.attn_output, ffnOutput: article.ffn_output, epsPlacement: "outside",
      });
      expect(steps.map(({ id }) => id)).toEqual(["x", "block0.attn", "block0.sum1", "block0.norm1", "block0.ffn", "block0.sum2", "block0.norm2"]);
      expectNear(steps.find(({ id }) => id === "block0.norm1")!.data, article.after_attn, 3e-6);
      expectNear(steps.at(-1)!.data, article.after_ffn, 6e-6);
    });

    test("are drawn where they are not given, in the place that they have among all", () => {
      const drawn = an.randn(42, 112);
      const given = (part: number) => Float32Array.from(drawn.subarray(56 * part, 56 * part + 56), (v) => 0.5 * v);
      const config = { dModel: 8, sublayers: "simulated", initGain: 0.5 } as const;
      const expected = an.block(x, { ...config, attnOutput: given(0), ffnOutput: given(1) });
      expect(an.block(x, config)).toEqual(expected);
      expect(an.block(x, { ...config, attnOutput: given(0) })).toEqual(expected);
    });

    test("take one matrix a block, one after the other", () => {
      const two = { dModel: 8, layers: 2, sublayers: "simulated" } as const;
      const stacked = (matrix: Float32Array): Float32Array => Float32Array.from([...matrix, ...matrix.map((v) => -v)]);
      const { steps } = an.stack(x, { ...two, attnOutput: stacked(attnOutput), ffnOutput: stacked(ffnOutput) });
      const dataOf = (id: string) => steps.find((step) => step.id === id)!.data;
      expect(dataOf("block1.attn")).toEqual(attnOutput.map((v) => -v));
      expect(dataOf("block1.ffn")).toEqual(ffnOutput.map((v) => -v));
    });

    test("let the gradient through the residual connections only", () => {
      const { backward } = an.block(x, { dModel: 8, sublayers: "simulated", placement: "pre", backward: true, dy: attnOutput });
      expect(backward![0]!.gradient).toEqual(attnOutput);
    });
  });
});
