// The chain with real sublayers: every number is an.block's, and the wirings share their weights.
import { describe, expect, test } from "vitest";
import { computeBlock, headsFor } from "../../web/state/compute-block.js";
import { computeChain } from "../../web/state/compute.js";
import type { State } from "../../web/state/schema.js";
import { Store } from "../../web/state/store.js";
import { formatHash, parseHash } from "../../web/state/url.js";
import { load } from "./support/package.js";

const an = await load();
const stateOf = (patch: Partial<State> = {}): State => new Store({ view: "chain", sublayers: "attention", ...patch }).state;

/** Drawn after the 56 numbers of x, each matrix over the root of its fan-in. */
function weightsOf(cols: number, dFf: number, skip: number) {
  const all = an.randn(42, skip + 4 * cols * cols + 2 * cols * dFf);
  let place = skip;
  const take = (rows: number, fanIn: number) => Float32Array.from({ length: rows * fanIn }, () => Math.fround(all[place++]!) / Math.sqrt(fanIn));
  return { attnInWeight: take(3 * cols, cols), attnOutWeight: take(cols, cols), ffnUpWeight: take(dFf, cols), ffnDownWeight: take(cols, dFf) };
}

const placements = {
  post: { placement: "post", branches: "serial" },
  pre: { placement: "pre", branches: "serial" },
  parallel: { placement: "pre", branches: "parallel" },
} as const;
const stepOf: Record<string, string> = {
  x: "x", norm1: "block0.norm1", f1: "block0.attn", sum1: "block0.sum1", norm2: "block0.norm2", f2: "block0.ffn", sum2: "block0.sum2", branches: "block0.branches",
};

const choices: { title: string; patch: Partial<State>; config: object }[] = [
  { title: "as it opens", patch: {}, config: { heads: 2, epsPlacement: "outside" } },
  { title: "causal, GELU, narrower", patch: { causal: "yes", activation: "gelu", heads: 4, dFf: 5 }, config: { heads: 4, dFf: 5, causal: true, activation: "gelu", epsPlacement: "outside" } },
  { title: "under RMSNorm", patch: { norm: "rms", gammaOffset: 1 }, config: { heads: 2, norm: "rms", gammaOffset: 1 } },
  { title: "with PyTorch's eps and a sample's variance", patch: { epsPlacement: "inside", variance: "sample", heads: 1 }, config: { heads: 1, variance: "sample" } },
];

describe.each(choices)("the chain's real sublayers $title", ({ patch, config }) => {
  const state = stateOf({ ...patch, gamma: [0.5], beta: [0.25] });
  const result = computeChain(an, state);
  const gamma = new Float32Array(8).fill(0.5), beta = new Float32Array(8).fill(0.25);
  const weights = { ...weightsOf(8, state.dFf || 32, 56), norm1Gamma: gamma, norm2Gamma: gamma, norm1Beta: beta, norm2Beta: beta };

  test.each(["post", "pre", "parallel"] as const)("are the steps of an.block: %s", (wiring) => {
    const { steps } = an.block(result.post[0]!.data, { dModel: 8, ...placements[wiring], ...config, weights });
    const within = { qkv: "queryKeyValue", attnWeights: "attentionWeights", context: "context", up: "up", activated: "activated" } as const;
    const nodes = result[wiring]!;
    expect(nodes).toHaveLength(wiring === "parallel" ? 6 : 7);
    for (const { id, data, mean, std, rms, whole, inputs } of nodes) {
      const step = steps.find((candidate) => candidate.id === stepOf[id.split(".")[1]!])!;
      expect({ id, data, mean, std, rms, whole }).toEqual({ id, data: step.data, mean: step.mean, std: step.std, rms: step.rms, whole: step.whole });
      expect(inputs.every((input) => nodes.findIndex((node) => node.id === input) < nodes.findIndex((node) => node.id === id)), id).toBe(true);
    }
    for (const [short, name] of Object.entries(within)) {
      expect(result.real!.within[wiring][name as "up"], name).toEqual(steps.find(({ id }) => id === `block0.${short}`)!.data);
    }
  });
});

describe("the chain's real sublayers", () => {
  test("are drawn once for all wirings, after x", () => {
    const { real } = computeChain(an, stateOf());
    expect(real!.weights).toEqual(weightsOf(8, 32, 56));
  });

  test("take the seed from its start when the numbers are a person's own", () => {
    const own = { rows: 2, cols: 4, data: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 9) };
    const { real } = computeChain(an, { ...stateOf(), source: "own" }, own);
    expect(real!.weights).toEqual(weightsOf(4, 16, 0));
  });

  test("let no token see a later one where they are causal", () => {
    const { real } = computeChain(an, stateOf({ causal: "yes" }));
    real!.within.pre.attentionWeights.forEach((weight, i) => {
      if (i % 7 > Math.floor(i / 7) % 7) expect(weight).toBe(0);
    });
  });

  test("have as many heads as divide the features", () => {
    expect(headsFor(3, 8)).toBe(2);
    expect(headsFor(16, 6)).toBe(6);
    expect(headsFor(1, 7)).toBe(1);
    expect(computeBlock(an, stateOf({ heads: 3 }), { rows: 7, cols: 8, data: new Float32Array(56) }, 0, new Float32Array(8), new Float32Array(8)).heads).toBe(2);
  });

  test("are refused beyond 64 tokens or features, with a notice", () => {
    for (const patch of [{ tokens: 65 }, { features: 65 }]) {
      const store = new Store({ view: "chain" });
      store.set({ ...patch, sublayers: "attention" });
      expect(store.state.sublayers).toBe("simulated");
      expect(store.notices.map(({ reason }) => reason)).toEqual(["large"]);
    }
    const store = new Store({ view: "chain" });
    store.set({ tokens: 64, features: 64, sublayers: "attention" });
    expect(store.state.sublayers).toBe("attention");
  });

  test("travel in the address, and so do their steps", () => {
    const state = stateOf({ wiring: "parallel", heads: 4, head: 3, dFf: 12, causal: "yes", activation: "gelu", node: "parallel.branches" });
    const hash = formatHash(state);
    expect(hash).toBe("#view=chain&sublayers=attention&wiring=parallel&heads=4&head=3&dFf=12&causal=yes&node=parallel.branches&activation=gelu");
    expect(new Store(parseHash(hash).patch).state).toEqual(state);
    expect(parseHash("#node=parallel.sum2").patch.node).toBeUndefined();
  });
});
