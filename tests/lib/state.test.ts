// The state table, the store, the address and what is computed from them, without a page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeChain, computeTokens } from "../../web/state/compute.js";
import { withEdit } from "../../web/state/edits.js";
import { formatTable, parseTable, TABLE_TEXT_LIMIT } from "../../web/state/matrix.js";
import { attributeName, initialState, lineOf, MATRIX_LIMIT, stateKeys, type State, type StateKey } from "../../web/state/schema.js";
import { Store, type Change } from "../../web/state/store.js";
import { bindUrl, formatHash, parseHash } from "../../web/state/url.js";
import { expectNear } from "./support/near.js";
import { load, ROOT } from "./support/package.js";

const an = await load();
const article = JSON.parse(readFileSync(join(ROOT, "tests/golden/article.json"), "utf8"));

const float32 = fc.float({ noDefaultInfinity: false, noNaN: false });
const finite = fc.double({ noDefaultInfinity: true, noNaN: true });
const index = fc.integer({ min: 0, max: 999_999_999 });
const table = fc.integer({ min: 1, max: 6 }).chain((cols) => fc.array(fc.array(float32, { minLength: cols, maxLength: cols }), { minLength: 1, maxLength: 6 }));

/** Values that a key accepts. */
function valuesOf(key: StateKey): fc.Arbitrary<unknown> {
  const { kind, choices, members, min, max } = lineOf(key);
  switch (kind) {
    case "choice": return fc.constantFrom(...choices!);
    case "choices": return fc.subarray([...members!], { minLength: 1, maxLength: max });
    case "integer": return fc.integer({ min, max });
    case "number": return fc.double({ min, max, noNaN: true });
    case "numbers": return fc.array(finite, { minLength: 1, maxLength: 20 });
    case "edits": return fc.array(fc.record({ row: index, col: index, value: float32 }), { maxLength: 8 });
    case "table": return table.map((rows) => formatTable({ rows: rows.length, cols: rows[0]!.length, data: Float32Array.from(rows.flat()) }));
    case "node": return fc.tuple(fc.constantFrom("post", "pre"), fc.constantFrom("x", "f1", "sum2", "norm1")).map((parts) => parts.join("."));
  }
}

/** A window as far as bindUrl needs one, with a history that can be looked at. */
function fakePage(hash = "") {
  const entries = [hash];
  const listeners = new Set<() => void>();
  let at = 0;
  const page = {
    location: { pathname: "/", search: "", get hash() { return entries[at]!; } },
    history: {
      pushState: (_: unknown, __: string, address: string) => { entries.splice(++at, Infinity, address.slice(1)); },
      replaceState: (_: unknown, __: string, address: string) => { entries[at] = address.slice(1); },
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  };
  const go = (by: number): void => {
    at += by;
    for (const listener of listeners) listener();
  };
  return { page: page as unknown as Window, entries, listeners, go };
}

describe("the state table", () => {
  test.each(stateKeys)("%s reads back what it writes", (key) => {
    const { parse, format, accepts } = lineOf(key);
    fc.assert(fc.property(valuesOf(key), (value) => {
      expect(accepts(value)).toBe(true);
      expect(parse(format(value))).toEqual(value);
    }));
  });

  test.each(stateKeys)("%s has a default that it accepts and a meaning", (key) => {
    const { initial, accepts, meaning } = lineOf(key);
    expect(accepts(initial)).toBe(true);
    expect(meaning).not.toBe("");
  });

  test.each(stateKeys)("%s reads any text without throwing, and only to values that it accepts", (key) => {
    const { parse, accepts } = lineOf(key);
    const hostile = fc.oneof(fc.string(), fc.constantFrom("", "NaN", "-1", "1e999", "0x10", "1,,2", "1.5", "__proto__", "<img onerror=1>", "9".repeat(5000), "1,".repeat(5000)));
    fc.assert(fc.property(hostile, (text) => {
      const value = parse(text);
      expect(value === undefined || accepts(value)).toBe(true);
    }));
  });

  test("names its keys as attributes in kebab-case", () => {
    expect(attributeName("epsPlacement")).toBe("eps-placement");
    expect(new Set(stateKeys.map(attributeName)).size).toBe(stateKeys.length);
  });

  test("takes a language tag with a region or script", () => {
    expect(lineOf("lang").parse("zh-Hans-CN")).toBe("zh");
    expect(lineOf("lang").parse("en-GB")).toBe("en");
    expect(lineOf("lang").parse("fr")).toBeUndefined();
  });
});

describe("the address", () => {
  test("is empty for the default state, and names only what differs", () => {
    expect(formatHash(initialState)).toBe("");
    const store = new Store();
    store.set({ view: "chain", eps: 0.5, gamma: [1, 2, 3, 4, 5, 6, 7, 8], edits: [{ row: 3, col: 2, value: Math.fround(-1.1) }] });
    expect(formatHash(store.state)).toBe("#view=chain&eps=0.5&gamma=1,2,3,4,5,6,7,8&edits=3.2:-1.1");
  });

  test("reads back to the same state, whatever was set", () => {
    const patches = fc.record(Object.fromEntries(stateKeys.map((key) => [key, valuesOf(key)])), { requiredKeys: [] });
    fc.assert(fc.property(patches, (patch) => {
      const store = new Store();
      store.set(patch as Partial<State>);
      const again = new Store();
      const read = parseHash(formatHash(store.state));
      again.load(read.patch, read.notices);
      expect(again.state).toEqual(store.state);
      expect(again.notices).toEqual([]);
    }));
  });

  test.each([
    ["#tokens=-3", { key: "tokens", given: "-3", used: "7" }],
    ["#tokens=1e9", { key: "tokens", given: "1e9", used: "7" }],
    ["#eps=-1", { key: "eps", given: "-1", used: "0.00001" }],
    ["#eps=NaN", { key: "eps", given: "NaN", used: "0.00001" }],
    ["#norm=batch", { key: "norm", given: "batch", used: "layer" }],
    ["#gamma=1,2,x", { key: "gamma", given: "1,2,x", used: "1" }],
    ["#edits=0.0", { key: "edits", given: "0.0", used: "" }],
    ["#view=%E0%A4%A", { key: "view", given: "%E0%A4%A", used: "tokens" }],
    ["#node=post.evil", { key: "node", given: "post.evil", used: "" }],
    ["#__proto__=1", { reason: "unknown", key: "__proto__" }],
    ["#constructor=1", { reason: "unknown", key: "constructor" }],
    [`#data=${"1,".repeat(3000)}1`, { key: "data" }],
  ])("%s falls back to the default with a notice", (hash, notice) => {
    const { patch, notices } = parseHash(hash);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject(notice);
    expect(notices[0]!.given.length).toBeLessThanOrEqual(41);
    expect(new Store(patch).state).toEqual(initialState);
  });

  test("survives any hash", () => {
    fc.assert(fc.property(fc.string(), (text) => {
      const { patch, notices } = parseHash(`#${text}`);
      expect(() => new Store(patch)).not.toThrow();
      expect(Array.isArray(notices)).toBe(true);
    }));
  });
});

describe("the store", () => {
  test("turns the article into a random draw when its size, seed or scale changes, and back", () => {
    const store = new Store();
    store.set({ seed: 7 });
    expect(store.state).toMatchObject({ source: "random", seed: 7, scale: 10 });
    store.set({ source: "article" });
    expect(store.state).toMatchObject({ source: "article", seed: 42, tokens: 7, features: 8, scale: 10 });
  });

  test("keeps the chain's scale of 1 when the article is left there", () => {
    const store = new Store({ view: "chain" });
    store.set({ seed: 7 });
    expect(store.state).toMatchObject({ source: "random", scale: 1 });
  });

  test("drops edits when other numbers are drawn, and keeps those that come along", () => {
    const edits = withEdit([], { row: 0, col: 0, value: 5 });
    const store = new Store({ edits });
    store.set({ step: 2 });
    expect(store.state.edits).toEqual(edits);
    store.set({ seed: 1 });
    expect(store.state.edits).toEqual([]);
    store.load({ seed: 1, edits });
    expect(store.state.edits).toEqual(edits);
  });

  test("refuses more numbers than a matrix may have, and lists of the wrong length, with notices", () => {
    const store = new Store({ source: "random", tokens: 4096, features: 4096, gamma: [1, 2, 3] });
    expect(store.state.tokens * store.state.features).toBeLessThanOrEqual(MATRIX_LIMIT);
    expect(store.notices.map(({ key, reason }) => `${key} ${reason}`)).toEqual(["tokens size", "features size", "gamma length"]);
    store.dismissNotices();
    expect(store.notices).toEqual([]);
  });

  test("keeps the value it has when a patch brings a bad one", () => {
    const store = new Store({ eps: 0.25 });
    store.set({ eps: -1, seed: 1.5, tokens: Infinity });
    expect(store.state).toMatchObject({ eps: 0.25, seed: 42, tokens: 7 });
    expect(store.notices.map(({ key }) => key).sort()).toEqual(["eps", "seed", "tokens"]);
  });

  test("keeps token, feature and edits inside the matrix", () => {
    const store = new Store({ source: "random", tokens: 10, features: 10, token: 9, feature: 9 });
    store.set({ tokens: 4, features: 5 });
    expect(store.state).toMatchObject({ token: 3, feature: 4 });
    expect(store.notices).toEqual([]);
    store.set({ token: 4, edits: [{ row: 4, col: 0, value: 1 }, { row: 3, col: 4, value: 2 }] });
    expect(store.state).toMatchObject({ token: 0, edits: [{ row: 3, col: 4, value: 2 }] });
    expect(store.notices.map(({ key }) => key)).toEqual(["edits", "token"]);
  });

  test("goes on to the division when RMSNorm, which takes no mean away, is chosen at x - mean", () => {
    const store = new Store({ step: 1 });
    store.set({ norm: "rms" });
    expect(store.state.step).toBe(2);
  });

  test("keeps a small own table in the link and a large one in memory", () => {
    const store = new Store();
    store.setOwn({ rows: 1, cols: 3, data: Float32Array.of(1, -2.5, NaN) });
    expect(store.state).toMatchObject({ source: "own", data: "1,-2.5,nan" });
    expect(store.shape).toEqual({ rows: 1, cols: 3 });
    const large = { rows: 2048, cols: 768, data: new Float32Array(2048 * 768) };
    store.setOwn(large);
    expect(store.state.data).toBe("");
    expect(store.own).toBe(large);
    expect(store.shape).toEqual({ rows: 2048, cols: 768 });
  });

  test("says that an own table is lost when a link names one that only memory held", () => {
    const store = new Store();
    store.load(parseHash("#source=own").patch);
    expect(store.state).toEqual(initialState);
    expect(store.notices).toMatchObject([{ reason: "lost", key: "source" }]);
  });

  test("tells listeners what changed and how, until they leave", () => {
    const store = new Store();
    const heard: Change[] = [];
    const leave = store.subscribe((change) => heard.push(change));
    store.set({ step: 2 }, "preview");
    store.set({ step: 2 }, "replace");
    store.set({ step: 2 }, "push");
    leave();
    store.set({ step: 3 });
    expect(heard.map(({ patch, how }) => [patch, how])).toEqual([[{ step: 2 }, "preview"], [{}, "push"]]);
  });
});

describe("the history", () => {
  test("gets one entry for a drag, and back undoes it", () => {
    const { page, entries, go } = fakePage();
    const store = new Store();
    bindUrl(store, page);
    for (let value = 1; value <= 5; value++) store.set({ edits: [{ row: 0, col: 0, value }] }, "preview");
    expect(entries).toEqual([""]);
    store.set({ edits: store.state.edits }, "push");
    expect(entries).toEqual(["", "#edits=0.0:5"]);
    go(-1);
    expect(store.state.edits).toEqual([]);
    go(1);
    expect(store.state.edits).toEqual([{ row: 0, col: 0, value: 5 }]);
  });

  test("takes the state from the address it starts at, replaces where asked, and repeats no entry", () => {
    const { page, entries } = fakePage("#step=2&bad=1");
    const store = new Store();
    bindUrl(store, page);
    expect(store.state.step).toBe(2);
    expect(store.notices).toHaveLength(1);
    store.set({ token: 3 }, "replace");
    store.set({ token: 3 }, "push");
    expect(entries).toEqual(["#token=3&step=2"]);
    store.set({ step: 3 });
    expect(entries).toEqual(["#token=3&step=2", "#token=3&step=3"]);
  });

  test("leaves places on the page alone, and lets go when it is ended", () => {
    const { page, listeners } = fakePage("#main");
    const store = new Store({ step: 1 });
    const end = bindUrl(store, page);
    expect(store.state.step).toBe(1);
    expect(store.notices).toEqual([]);
    end();
    expect(listeners.size).toBe(0);
  });

  test("works on when the frame may not write its address", () => {
    const { page } = fakePage();
    page.history.pushState = () => { throw new DOMException("denied", "SecurityError"); };
    const store = new Store();
    bindUrl(store, page);
    store.set({ step: 2 });
    expect(store.state.step).toBe(2);
  });
});

describe("an own table as text", () => {
  test("reads back bit for bit", () => {
    fc.assert(fc.property(table, (rows) => {
      const data = Float32Array.from(rows.flat());
      const again = parseTable(formatTable({ rows: rows.length, cols: rows[0]!.length, data }))!;
      expect(again).toEqual({ rows: rows.length, cols: rows[0]!.length, data });
    }));
  });

  test("is left out when it is too long, and refused when ragged", () => {
    expect(formatTable({ rows: 1, cols: TABLE_TEXT_LIMIT, data: new Float32Array(TABLE_TEXT_LIMIT) })).toBe("");
    expect(parseTable("1,2;3")).toBeUndefined();
    expect(parseTable("1,a")).toBeUndefined();
  });
});

describe("what is computed", () => {
  const { layer_norm_example: example, add_norm_chain: chain } = article;

  test("is the article's LayerNorm example, with the mean and spread that NumPy gives", () => {
    const result = computeTokens(an, initialState);
    expectNear(result.x, example.x, 2e-6, "x");
    expectNear(result.steps.at(-1)!.data, example.y, 1e-6, "y");
    expect(result.whole.before.mean).toBeCloseTo(example.mean_before, 5);
    expect(result.whole.before.std).toBeCloseTo(example.std_before, 5);
    expect(result.whole.after.mean).toBeCloseTo(example.mean_after, 6);
    expect(result.whole.after.std).toBeCloseTo(example.std_after, 6);
  });

  test("is the article's Add & Norm chain, and a pre-norm stream that carries x on", () => {
    const { post, pre } = computeChain(an, new Store({ view: "chain" }).state);
    const node = (nodes: typeof post, id: string): Float32Array => nodes.find((candidate) => candidate.id === id)!.data;
    expectNear(node(post, "post.x"), chain.x, 3e-7, "x");
    expectNear(node(post, "post.f1"), chain.attn_output, 3e-7, "attn_output");
    expectNear(node(post, "post.f2"), chain.ffn_output, 3e-7, "ffn_output");
    expectNear(node(post, "post.norm1"), chain.after_attn, 1e-6, "after_attn");
    expectNear(node(post, "post.norm2"), chain.after_ffn, 3e-6, "after_ffn");
    const stream = chain.x.map((value: number, i: number) => value + chain.attn_output[i] + chain.ffn_output[i]);
    expectNear(node(pre, "pre.sum2"), stream, 1e-6, "pre.sum2");
  });

  test("has inputs that come before their node, in both wirings", () => {
    const { post, pre } = computeChain(an, new Store({ view: "chain" }).state);
    for (const nodes of [post, pre]) {
      const seen = new Set<string>();
      for (const { id, inputs } of nodes) {
        expect(inputs.every((input) => seen.has(input)), id).toBe(true);
        seen.add(id);
      }
    }
  });

  test("gives real sublayers what comes in, so that the wirings differ", () => {
    const state = new Store({ view: "chain", sublayers: "linear" }).state;
    const { post, pre } = computeChain(an, state);
    const f1 = (nodes: typeof post): Float32Array => nodes.find(({ id }) => id.endsWith(".f1"))!.data;
    expect(f1(post)).not.toEqual(f1(pre));
    const weight = Float32Array.from(an.randn(42, 56 + 64).subarray(56), (value) => value / Math.sqrt(8));
    expect(f1(post)).toEqual(an.linear(post[0]!.data, { weight, inFeatures: 8, outFeatures: 8 }));
  });

  test("puts edits in and leaves the other rows as they were", () => {
    const before = computeTokens(an, initialState);
    const after = computeTokens(an, { ...initialState, edits: [{ row: 3, col: 2, value: NaN }] });
    expect(after.x[26]).toBeNaN();
    const y = (result: typeof before, row: number) => result.steps.at(-1)!.data.subarray(row * 8, row * 8 + 8);
    expect(y(after, 3).every(Number.isNaN)).toBe(true);
    for (const row of [0, 1, 2, 4, 5, 6]) expect(y(after, row)).toEqual(y(before, row));
  });

  test("has no step x - mean under RMSNorm, and follows each convention", () => {
    const rms = computeTokens(an, new Store({ norm: "rms", gammaOffset: 1, gamma: [0.5] }).state);
    expect(rms.steps.map(({ step }) => step)).toEqual([0, 2, 3]);
    expect(rms.steps.at(-1)!.data).toEqual(an.rmsNorm(rms.x, { cols: 8, eps: 1e-5, gamma: new Array(8).fill(0.5), gammaOffset: 1 }).y);
    const sample = computeTokens(an, new Store({ variance: "sample", epsPlacement: "inside", beta: [0.5] }).state);
    expect(sample.steps.at(-1)!.data).toEqual(an.layerNorm(sample.x, { cols: 8, variance: "sample", epsPlacement: "inside", beta: new Array(8).fill(0.5) }).y);
  });

  test("computes a person's own table, however small", () => {
    const own = { rows: 1, cols: 1, data: Float32Array.of(5) };
    const store = new Store();
    store.setOwn(own);
    const result = computeTokens(an, store.state, store.own);
    expect(result.steps.map(({ data }) => [...data])).toEqual([[5], [0], [0], [0]]);
  });

  test("draws nothing anew when only the view of the same numbers changes", () => {
    const first = computeTokens(an, { ...initialState, source: "random", seed: 99 });
    const second = computeTokens(an, { ...initialState, source: "random", seed: 99, token: 3, step: 2, lang: "zh" });
    expect(second).toBe(first);
  });
});
