// The compare view's numbers: the batch and its padding, six norms of it, what shares a statistic, and whose row moves.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BATCH_LIMIT, batchNormBySize, batchNormOfOne, computeCompare, groupsFor, normIds, rowChange, shareIndex, shareOf, statisticsOf, type CompareResult, type NormId,
} from "../../web/state/compute-compare.js";
import type { State } from "../../web/state/schema.js";
import { Store } from "../../web/state/store.js";
import { formatHash, parseHash } from "../../web/state/url.js";
import { expectNear } from "./support/near.js";
import { load } from "./support/package.js";

const an = await load();

const at = (patch: Partial<State>): { state: State; own: Store["own"]; result: CompareResult } => {
  const { state, own } = new Store({ view: "compare", ...patch });
  return { state, own, result: computeCompare(an, state, own) };
};

/** RandomState(42).randn, `count` numbers after the first `skip`, as float32. */
const draw = (skip: number, count: number): Float32Array => Float32Array.from(an.randn(42, skip + count).subarray(skip));

/** Rows that are not padding. */
const realRows = ({ mask }: CompareResult): number[] => [...mask.keys()].filter((row) => !mask[row]);

const patches = fc.record({
  tokens: fc.integer({ min: 1, max: 6 }), features: fc.constantFrom(1, 2, 6, 8, 9), seed: fc.integer({ min: 0, max: 1e9 }),
  batch: fc.integer({ min: 1, max: 8 }), padding: fc.integer({ min: 0, max: 7 }), groups: fc.integer({ min: 1, max: 9 }),
  dytAlpha: fc.double({ min: 0, max: 3, noNaN: true }), variance: fc.constantFrom("population" as const, "sample" as const),
  epsPlacement: fc.constantFrom("inside" as const, "outside" as const),
});
const anyState = patches.map((patch): Partial<State> => ({ source: "random", scale: 1, ...patch }));

describe("the batch", () => {
  test("is x alone at first", () => {
    const { result } = at({});
    expect(result.sequences).toBe(1);
    expect(result.data).toEqual(draw(0, 56));
    expect(result.counted).toBe(7);
  });

  test("grows by sequences drawn after x, and those that were there stay", () => {
    const { result } = at({ batch: 3 });
    expect(result.data).toEqual(draw(0, 168));
    expect(at({ batch: 8 }).result.data.subarray(0, 168)).toEqual(result.data);
  });

  test("ends the other sequences with padding of zeros, and x with none", () => {
    const { result } = at({ batch: 3, padding: 2 });
    expect([...result.mask]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1]);
    expect(result.counted).toBe(17);
    expect([...result.data.subarray(12 * 8, 14 * 8)]).toEqual(new Array(16).fill(0));
    expect(result.data.subarray(0, 12 * 8)).toEqual(draw(0, 96));
  });

  test("leaves each sequence a token, however much padding is asked, and a batch of one has none", () => {
    expect(at({ batch: 2, padding: 4096 }).result.counted).toBe(8);
    expect(at({ batch: 1, padding: 3 }).result.padding).toBe(0);
  });

  test("takes nothing from the seed for a person's own x", () => {
    const { result } = at({ source: "own", data: "1,2;3,4", batch: 2 });
    expect(result.data).toEqual(Float32Array.of(1, 2, 3, 4, ...draw(0, 4)));
  });

  test("keeps to the numbers that a drag can bear", () => {
    const { result } = at({ source: "random", tokens: 512, features: 512, batch: 8 });
    expect(result.most).toBe(2);
    expect(result.data.length).toBeLessThanOrEqual(BATCH_LIMIT);
    expect(at({ source: "random", tokens: 2048, features: 2048, batch: 8 }).result.sequences).toBe(1);
  });
});

describe("each norm", () => {
  test("is the package's, with the state's own conventions", () => {
    const state = { batch: 3, padding: 2, groups: 4, dytAlpha: 0.75, eps: 0.25, epsPlacement: "inside", variance: "sample", gamma: [1, 2, 3, 4, 5, 6, 7, -8], beta: [0.5] } as const;
    const { result } = at(state);
    const { data, mask, outputs } = result;
    const layer = { cols: 8, gamma: [...state.gamma], beta: new Array<number>(8).fill(0.5), eps: 0.25, epsPlacement: "inside", variance: "sample" } as const;
    expect(outputs.layer).toEqual(an.layerNorm(data, layer).y);
    expect(outputs.rms).toEqual(an.rmsNorm(data, { cols: 8, gamma: layer.gamma, eps: 0.25 }).y);
    expect(outputs.batch).toEqual(an.batchNorm(data, { ...layer, padding: mask }).y);
    expect(outputs.group).toEqual(an.groupNorm(data, { ...layer, groups: 4 }).y);
    expect(outputs.l2).toEqual(an.l2Norm(data, { cols: 8, gain: Math.sqrt(8), eps: 0.25 }).y);
    expect(outputs.dyt).toEqual(an.dynamicTanh(data, { cols: 8, alpha: 0.75, gamma: layer.gamma, beta: layer.beta }).y);
    expect(result.unmasked).toEqual(an.batchNorm(data, layer).y);
  });

  test("of a number is worked out from the cells that shareOf names", () => {
    fc.assert(fc.property(anyState, fc.nat(), fc.nat(), (patch, anyRow, anyCol) => {
      const { state, result } = at(patch);
      const rows = realRows(result);
      const row = rows[anyRow % rows.length]!;
      const col = anyCol % result.cols;
      const x = result.data[row * result.cols + col]!;
      const of = (norm: NormId) => statisticsOf(an, result, shareOf(result, norm, row, col)!, state.variance);
      const shown = (norm: NormId): number => result.outputs[norm][row * result.cols + col]!;
      const centred = (norm: NormId): number => {
        const { mean, std } = of(norm);
        const divisor = state.epsPlacement === "inside" ? Math.sqrt(std * std + state.eps) : std + state.eps;
        return (x - mean) / divisor;
      };
      // Where all shared numbers are nearly alike, x - mean is rounding.
      for (const norm of ["layer", "batch", "group"] as const) if (of(norm).std > 1e-2) expect(shown(norm)).toBeCloseTo(centred(norm), 3);
      expect(shown("rms")).toBeCloseTo(x / Math.sqrt(of("rms").rms ** 2 + state.eps), 4);
      expect(shown("l2")).toBeCloseTo((Math.sqrt(result.cols) * x) / Math.max(of("l2").length, state.eps), 4);
      expect(shown("dyt")).toBeCloseTo(Math.tanh(state.dytAlpha * x), 5);
    }), { numRuns: 150 });
  });
});

describe("what shares a statistic", () => {
  test("is a row, a column of all rows that are not padding, a group of a row, or the number itself", () => {
    const { result } = at({ batch: 2, padding: 5 });
    expect(shareOf(result, "layer", 3, 5)).toEqual({ rows: [3], first: 0, end: 8 });
    expect(shareOf(result, "rms", 8, 0)).toEqual({ rows: [8], first: 0, end: 8 });
    expect(shareOf(result, "l2", 0, 7)).toEqual({ rows: [0], first: 0, end: 8 });
    expect(shareOf(result, "batch", 3, 5)).toEqual({ rows: [0, 1, 2, 3, 4, 5, 6, 7, 8], first: 5, end: 6 });
    expect(shareOf(result, "group", 3, 5)).toEqual({ rows: [3], first: 4, end: 8 });
    expect(shareOf(result, "dyt", 3, 5)).toEqual({ rows: [3], first: 5, end: 6 });
  });

  test("leaves padding out", () => {
    const { result } = at({ batch: 2, padding: 5 });
    for (const norm of normIds) {
      expect(shareOf(result, norm, 9, 0)).toBeUndefined();
      expect(shareIndex(result, norm, 9, 0)).toBeUndefined();
    }
  });

  test("has one number for all its cells and another for every other set", () => {
    fc.assert(fc.property(anyState, (patch) => {
      const { result } = at(patch);
      for (const norm of ["layer", "rms", "batch", "group", "l2"] as const) {
        const sets = new Map<number, string>();
        for (const row of realRows(result)) {
          for (let col = 0; col < result.cols; col++) {
            const share = JSON.stringify(shareOf(result, norm, row, col));
            const index = shareIndex(result, norm, row, col)!;
            expect(sets.get(index) ?? share).toBe(share);
            sets.set(index, share);
          }
        }
        expect(new Set(sets.values()).size).toBe(sets.size);
      }
    }), { numRuns: 40 });
  });
});

describe("the row of interest", () => {
  test("moves under BatchNorm when only its neighbours change, and under no other norm by a single bit", () => {
    fc.assert(fc.property(anyState, fc.nat(), (patch, anyToken) => {
      const { result } = at(patch);
      const token = anyToken % result.tokens;
      for (const norm of normIds) {
        const { changed, now, alone, delta } = rowChange(an, result, norm, token);
        if (norm !== "batch" || result.sequences === 1) {
          expect(changed, norm).toBe(0);
          expect(now).toEqual(alone);
        } else expect(changed).toBeGreaterThan(0);
        delta.forEach((value, i) => expect(value).toBe(Math.fround(now[i]! - alone[i]!)));
      }
    }), { numRuns: 100 });
  });

  test("moves in all its numbers in the article's batch of 3, and moves again with padding", () => {
    const three = rowChange(an, at({ batch: 3 }).result, "batch", 0);
    const padded = rowChange(an, at({ batch: 3, padding: 2 }).result, "batch", 0);
    expect([three.changed, padded.changed]).toEqual([8, 8]);
    expect(padded.alone).toEqual(three.alone);
    expect(padded.now).not.toEqual(three.now);
  });
});

describe("why not BatchNorm", () => {
  test("a token that is the whole batch comes out as beta, whatever it says", () => {
    const { state, result } = at({ beta: [0.25], gamma: [3], variance: "sample" });
    for (let token = 0; token < 7; token++) expect([...batchNormOfOne(an, state, result, token)]).toEqual(new Array(8).fill(0.25));
  });

  test("by the size of the batch starts at the sequence alone and passes through the batch that is shown", () => {
    const { state, own, result } = at({ batch: 5, padding: 3 });
    const sizes = batchNormBySize(an, state, result, own);
    expect(sizes).toHaveLength(8);
    expect(sizes[0]).toEqual(result.alone.batch);
    expect(sizes[4]).toEqual(result.outputs.batch.subarray(0, 56));
  });

  test("the mask makes a difference only where there is padding", () => {
    const plain = at({ batch: 3 }).result;
    expect(plain.unmasked).toEqual(plain.outputs.batch);
    const { result } = at({ batch: 3, padding: 2 });
    expect(result.unmasked.subarray(0, 56)).not.toEqual(result.outputs.batch.subarray(0, 56));
    // The same sum over more rows: the zeros pull the mean towards 0.
    const column = Float32Array.from({ length: 21 }, (_, row) => result.data[row * 8]!);
    const { mean } = an.rowStats(column, { cols: 21 });
    const kept = statisticsOf(an, result, shareOf(result, "batch", 0, 0)!, "population");
    expect(mean[0]! * 21).toBeCloseTo(kept.mean * 17, 4);
  });
});

describe("the keys of the compare view", () => {
  test("survive the address", () => {
    const { state } = new Store({ view: "compare", batch: 3, padding: 2, groups: 4, dytAlpha: 0.7, compareShow: "numbers", compareNorm: "l2" });
    expect(formatHash(state)).toBe("#view=compare&batch=3&padding=2&groups=4&dytAlpha=0.7&compareShow=numbers&compareNorm=l2");
    const { patch, notices } = parseHash(formatHash(state));
    expect(notices).toEqual([]);
    expect(new Store(patch).state).toEqual(state);
  });

  test.each(["batch=0", "batch=9", "batch=1.5", "padding=-1", "groups=0", "dytAlpha=x", "compareShow=all", "compareNorm=none"])("refuse %s with a notice", (pair) => {
    expect(parseHash(`#view=compare&${pair}`).notices).toHaveLength(1);
  });

  test("settle for the next smaller number of groups that divides the features", () => {
    expect([1, 2, 3, 4, 5, 7, 8, 100].map((groups) => groupsFor(groups, 8))).toEqual([1, 2, 2, 4, 4, 4, 8, 8]);
    expect(groupsFor(4, 7)).toBe(1);
    expectNear(at({ groups: 1 }).result.outputs.group, at({}).result.outputs.layer, 0);
  });
});
