// The residual stream as a history of commits: what they add, how they stand to the stream, and how they are named.
import { describe, expect, test } from "vitest";
import { computeStream, headsOf, measureStream, tooLarge, type Stream } from "../../web/state/compute-residual-stream.js";
import type { State } from "../../web/state/schema.js";
import { Store } from "../../web/state/store.js";
import { expectNear } from "./support/near.js";
import { load } from "./support/package.js";

const an = await load();

const streamAt = (patch: Partial<State> = {}): Stream => {
  const { state, own } = new Store({ view: "residual", ...patch });
  return computeStream(an, state, own)!;
};

const x = Float32Array.from(an.randn(42, 56));
const article = { dModel: 8, heads: 2, layers: 3, eps: 1e-5, epsPlacement: "outside", seed: 43 } as const;

describe("the history of a pre-norm stack", () => {
  const stream = streamAt();
  const { steps } = an.stack(x, { ...article, placement: "pre" });

  test("has a commit for each sublayer of the package's own stack, with its output as the delta", () => {
    expect(stream.steps.map(({ kind, block }) => `${kind} ${block}`)).toEqual([1, 2, 3].flatMap((block) => [`attention ${block}`, `feedForward ${block}`]));
    const outputs = steps.filter(({ op }) => op === "attention" || op === "feedForward");
    stream.steps.forEach(({ delta }, i) => expect(delta).toEqual(outputs[i]!.data));
  });

  test("replays: x plus all deltas is the last state of the stream, to the last bit", () => {
    const last = stream.steps.reduce<Float32Array>((h, { delta }) => an.residualAdd(h, delta), x);
    expect(last).toEqual(steps.at(-1)!.data);
    expect(stream.steps.at(-1)!.after).toEqual(last);
  });
});

describe("the history of a post-norm stack", () => {
  const stream = streamAt({ logPlacement: "post" });

  test("has the norms as commits of their own, which take the stream to what the norm makes of it", () => {
    expect(stream.steps.slice(0, 4).map(({ kind, half }) => `${kind} ${half}`)).toEqual(["attention 1", "norm 1", "feedForward 2", "norm 2"]);
    const first = stream.steps[1]!;
    expect(first.after).toEqual(an.layerNorm(first.before, { cols: 8, eps: 1e-5, epsPlacement: "outside" }).y);
    expectNear(first.delta, first.after.map((value, i) => value - first.before[i]!), 1e-6);
  });

  test("ends where the package's stack ends", () => {
    expect(stream.steps.at(-1)!.after).toEqual(an.stack(x, { ...article, placement: "post" }).steps.at(-1)!.data);
  });
});

test.each<Partial<State>>([{}, { logPlacement: "post" }, { norm: "rms" }, { norm: "rms", gammaOffset: 1 }, { gamma: [2], beta: [0.5] }, { source: "own", data: "1,2,3;4,5,6" }])(
  "each commit starts where the one before ended, in state %o", (patch) => {
    const { data, steps } = streamAt(patch);
    steps.forEach(({ before, delta, after }, i) => {
      expect(before).toEqual(i ? steps[i - 1]!.after : data);
      expectNear(after, before.map((value, k) => value + delta[k]!), 1e-5);
    });
  });

test("the norms of the stack are those of the state", () => {
  expect(streamAt({ norm: "rms" }).steps[0]!.delta).not.toEqual(streamAt().steps[0]!.delta);
  const doubled = streamAt({ logPlacement: "post", gamma: [2] }).steps[1]!;
  expect(doubled.after).toEqual(an.layerNorm(doubled.before, { cols: 8, eps: 1e-5, epsPlacement: "outside", gamma: new Array(8).fill(2) }).y);
});

describe("the measures", () => {
  const norm = (values: Float32Array): number => Math.hypot(...values);

  test.each([3, "all"] as const)("are lengths and the angle of the vectors themselves, for %s", (row) => {
    const stream = streamAt({ logPlacement: "post" });
    const { commits, rootLength } = measureStream(an, stream, row);
    const part = (data: Float32Array): Float32Array => (row === "all" ? data : data.subarray(row * 8, row * 8 + 8));
    expect(rootLength).toBeCloseTo(norm(part(x)), 4);
    for (const { before, delta, after, deltaLength, beforeLength, afterLength, angle } of commits) {
      const [h, d] = [part(before), part(delta)];
      expect(deltaLength).toBeCloseTo(norm(d), 4);
      expect(beforeLength).toBeCloseTo(norm(h), 4);
      expect(afterLength).toBeCloseTo(norm(part(after)), 4);
      const cosine = h.reduce((sum, value, i) => sum + value * d[i]!, 0) / (norm(h) * norm(d));
      expect(Math.cos((angle! * Math.PI) / 180)).toBeCloseTo(cosine, 4);
    }
  });

  test("have no angle where the stream is 0 or not a number", () => {
    const zeros = measureStream(an, streamAt({ source: "own", data: "0,0;1,2" }), 0).commits[0]!;
    expect(zeros.beforeLength).toBe(0);
    expect(zeros.angle).toBeUndefined();
    expect(measureStream(an, streamAt({ source: "own", data: "nan,0;1,2" }), 0).commits[0]!.angle).toBeUndefined();
  });
});

describe("the ids of the commits", () => {
  const ids = (patch: Partial<State>): string[] => {
    const { rootId, steps } = streamAt(patch);
    return [rootId, ...steps.map(({ id }) => id)];
  };

  test("are seven hex digits, all different, and the same for the same numbers", () => {
    const found = ids({ logBlocks: 16 });
    for (const id of found) expect(id).toMatch(/^[0-9a-f]{7}$/);
    expect(new Set(found).size).toBe(33);
    expect(ids({ logBlocks: 16 })).toEqual(found);
  });

  test("all change with one number of x, and those of the blocks before stay when blocks are added", () => {
    const found = ids({});
    ids({ edits: [{ row: 0, col: 0, value: 5 }] }).forEach((id, i) => expect(id).not.toBe(found[i]));
    expect(ids({ logBlocks: 2 })).toEqual(found.slice(0, 5));
  });
});

test("the heads divide every width", () => {
  for (let cols = 1; cols <= 4096; cols++) expect(cols % headsOf(cols)).toBe(0);
});

test("a stack that would hold up the page is left out", () => {
  expect(tooLarge({ rows: 7, cols: 8 }, { logBlocks: 16 })).toBe(false);
  expect(tooLarge({ rows: 128, cols: 768 }, { logBlocks: 3 })).toBe(true);
  expect(streamAt({ source: "random", tokens: 128, features: 768 })).toBeUndefined();
});
