// The depth view's numbers: real stacks, real gradients, the same numbers for every wiring; and what its texts claim.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decadesOf, placesOf, powerText } from "../../web/elements/depth/decades.js";
import { fateOf } from "../../web/elements/depth/findings.js";
import { spreadApart } from "../../web/elements/depth/line-names.js";
import { lineStyles } from "../../web/elements/depth/line-styles.js";
import { storyStep } from "../../web/elements/depth/story.js";
import { contrast } from "../../web/elements/parts/heat-colours.js";
import { colour } from "../../web/elements/parts/theme.js";
import { computeDepth, depthRun, knownDepth, type DepthCurve, type RunStack } from "../../web/state/compute-depth.js";
import { depthVariants } from "../../web/state/depth-variants.js";
import { schema, type State } from "../../web/state/schema.js";
import { Store } from "../../web/state/store.js";
import { load } from "./support/package.js";

const an = await load();
const never = new AbortController().signal;
const runHere: RunStack = (x, config) => an.stack(x, config);

const stateOf = (patch: Partial<State>): State => new Store({ view: "depth", ...patch }).state;
const curvesOf = async (patch: Partial<State>): Promise<readonly DepthCurve[]> => (await computeDepth(an, stateOf(patch), runHere, never, () => {})).curves;
/** The gradient at x of one wiring. */
const arriving = async (patch: Partial<State>): Promise<number> => (await curvesOf(patch))[0]!.gradient[0]!;

const rms = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! ** 2;
  return Math.sqrt(sum / values.length);
};

describe("a curve", () => {
  test.each(depthVariants)("of wiring %s is the RMS of each state of the stream and of its gradient", async (variant) => {
    const patch = { depthVariants: [variant], layers: 5, depthTokens: 3, depthFeatures: 12, seed: 7 } as const;
    const { x, config } = depthRun(an, stateOf(patch), variant);
    const { steps, backward } = an.stack(x, { ...config, keep: "all" });
    const states = steps.filter(({ state }) => state !== null);
    const [{ activation, gradient }] = (await curvesOf(patch)) as [DepthCurve];
    expect(states).toHaveLength(6);
    states.forEach(({ data }, place) => expect(activation[place]! / rms(data!)).toBeCloseTo(1, 5));
    backward!.forEach(({ gradient: data }, place) => expect(gradient[place]! / rms(data!)).toBeCloseTo(1, 5));
  });

  test("starts from the x and ends at the dy that all wirings share, with the same weights", async () => {
    const runs = depthVariants.map((variant) => depthRun(an, stateOf({ seed: 3 }), variant));
    for (const { x, config } of runs) {
      expect(x).toEqual(runs[0]!.x);
      expect(config.dy).toEqual(runs[0]!.config.dy);
      expect([config.seed, config.initGain, config.dFf, config.layers]).toEqual([4, 1, 128, 24]);
    }
    for (const { gradient, activation } of await curvesOf({ seed: 3, depthVariants: ["plain", "skip", "post", "pre"] })) {
      expect(activation[0]! / rms(runs[0]!.x)).toBeCloseTo(1, 5);
      expect(gradient[24]! / rms(runs[0]!.config.dy as Float32Array)).toBeCloseTo(1, 5);
    }
  });

  test("follows the conventions of the state where its norm has them", () => {
    const state = stateOf({ eps: 0.5, epsPlacement: "outside", variance: "sample" });
    expect(depthRun(an, state, "post").config).toMatchObject({ eps: 0.5, epsPlacement: "outside", variance: "sample" });
    expect(depthRun(an, state, "preRms").config).toMatchObject({ eps: 0.5 });
    expect(depthRun(an, state, "skip").config).not.toHaveProperty("eps");
  });

  test("has a value for every place, whatever the settings", async () => {
    const settings = fc.record({
      layers: fc.integer({ min: 1, max: 6 }), depthTokens: fc.integer({ min: 1, max: 5 }), depthFeatures: fc.integer({ min: 2, max: 20 }),
      depthWidening: fc.integer({ min: 1, max: 8 }), initGain: fc.double({ min: 0, max: 4, noNaN: true }), seed: fc.integer({ min: 0, max: 4294967295 }),
      activation: fc.constantFrom("relu" as const, "gelu" as const), depthVariants: fc.subarray([...depthVariants], { minLength: 1, maxLength: 6 }),
    });
    await fc.assert(fc.asyncProperty(settings, async (patch) => {
      const curves = await curvesOf(patch);
      expect(curves.map(({ variant }) => variant)).toEqual(patch.depthVariants);
      for (const { activation, gradient } of curves) expect([activation.length, gradient.length]).toEqual([patch.layers + 1, patch.layers + 1]);
    }), { numRuns: 40 });
  });

  test("keeps what float32 cannot hold: 0 where it underflows, and no finite number where it overflows", async () => {
    const [low] = (await curvesOf({ depthVariants: ["plain"], layers: 128, initGain: 0.3 })) as [DepthCurve];
    expect([low.gradient[0], low.activation[128]]).toEqual([0, 0]);
    const [high] = (await curvesOf({ depthVariants: ["plain"], layers: 128, initGain: 2 })) as [DepthCurve];
    expect(Number.isFinite(high.gradient[0])).toBe(false);
    expect(Number.isFinite(high.activation[128])).toBe(false);
  });
});

describe("what the view says", () => {
  test("holds as it opens: without a skip the gradient dies, with one it lives, and a norm holds it", async () => {
    const { depthVariants: variants } = storyStep(2, stateOf({})) as { depthVariants: State["depthVariants"] };
    const at = Object.fromEntries((await curvesOf({ depthVariants: variants })).map(({ variant, gradient }) => [variant, gradient[0]!]));
    expect(at.plain).toBeLessThan(1e-4);
    expect(at.skip).toBeGreaterThan(1e3);
    for (const variant of ["post", "pre"]) {
      expect(at[variant]).toBeGreaterThan(0.3);
      expect(at[variant]).toBeLessThan(10);
    }
  });

  test("holds in the answer: a knife’s edge without a skip, a wide road with one and a norm before F", async () => {
    const plain = (initGain: number): Promise<number> => arriving({ depthVariants: ["plain"], initGain });
    expect(await plain(1.0)).toBeLessThan(3e-5);
    expect(await plain(1.1)).toBeGreaterThan(0.1);
    expect(await plain(1.1)).toBeLessThan(10);
    expect(await plain(1.2)).toBeGreaterThan(200);
    expect(await plain(1.2)).toBeLessThan(1000);
    for (const initGain of [0.5, 1, 1.5]) {
      const reached = await arriving({ depthVariants: ["pre"], initGain });
      expect(reached).toBeGreaterThan(1);
      expect(reached).toBeLessThan(30);
    }
  });

  test("changes the depth only for the last step, and gives it back", () => {
    expect(storyStep(1, stateOf({ layers: 40 })).layers).toBe(40);
    expect(storyStep(3, stateOf({ layers: 40 })).layers).toBe(96);
    expect(storyStep(3, stateOf({ layers: 128 })).layers).toBe(128);
    expect(storyStep(2, stateOf({ layers: 96, depthStep: 3 })).layers).toBe(24);
  });

  test.each([[1, 0, "zero"], [1, 1e-5, "dies"], [1, 0.1, "fades"], [1, 0.5, "holds"], [2, 5, "holds"], [1, 50, "grows"], [1, 1e4, "explodes"], [1, Infinity, "overflows"], [1, NaN, "overflows"]])(
    "calls %f to %f by its name", (start, end, fate) => expect(fateOf(start, end)).toBe(fate));
});

describe("a computation", () => {
  const patch = { layers: 3, depthTokens: 2, depthFeatures: 8 } as const;

  test("tells how far it is, from 0 to 1", async () => {
    const parts: number[] = [];
    const run: RunStack = async (x, config, { onProgress }) => {
      onProgress(1, 2);
      onProgress(2, 2);
      return an.stack(x, config);
    };
    await computeDepth(an, stateOf({ ...patch, seed: 11, depthVariants: ["plain", "pre"] }), run, never, ({ part }) => parts.push(part));
    expect(parts).toEqual([0, 0.25, 0.5, 0.5, 0.75, 1]);
  });

  test("that is cancelled half-way rejects, keeps what was done, and can be taken up again", async () => {
    const state = stateOf({ ...patch, seed: 12, depthVariants: ["plain", "pre", "post"] });
    const controller = new AbortController();
    let runs = 0;
    const run: RunStack = (x, config, { signal }) => {
      signal.throwIfAborted();
      runs++;
      if (runs === 1) controller.abort(new Error("enough"));
      return an.stack(x, config);
    };
    await expect(computeDepth(an, state, run, controller.signal, () => {})).rejects.toThrow("enough");
    expect(runs).toBe(1);
    expect(knownDepth(state)).toBeUndefined();
    await computeDepth(an, state, run, never, () => {});
    expect(runs).toBe(3);
  });

  test("is not repeated for what is known", async () => {
    const state = stateOf({ ...patch, seed: 13 });
    const first = await computeDepth(an, state, runHere, never, () => {});
    const again = knownDepth({ ...state, direction: "forward", depthLayer: 2, depthStep: 1 });
    expect(again!.curves[0]).toBe(first.curves[0]);
    expect(knownDepth({ ...state, initGain: 1.01 })).toBeUndefined();
  });
});

describe("the list of wirings in a link", () => {
  const { parse, format } = schema.depthVariants;
  test("is read in any order and written in one", () => {
    expect(parse("pre,plain")).toEqual(["plain", "pre"]);
    expect(format(parse("pre,plain")!)).toBe("plain,pre");
  });
  test.each(["", "plain,plain", "plain,unknown", "toString", depthVariants.slice(0, 7).join(",")])('refuses "%s"', (text) => expect(parse(text)).toBeUndefined());
});

describe("the axes", () => {
  test("span whole decades around 1 and all that is finite", () => {
    expect(decadesOf([1, 8.9e-6, 0, NaN, Infinity], 8)).toEqual({ low: -6, high: 1, ticks: [-6, -5, -4, -3, -2, -1, 0, 1] });
    expect(decadesOf([1], 8)).toMatchObject({ low: -1, high: 1 });
  });
  test("hold any number of float32 with few ticks", () => {
    fc.assert(fc.property(fc.array(fc.float({ noNaN: true }), { minLength: 1 }), fc.integer({ min: 4, max: 12 }), (values, most) => {
      const { low, high, ticks } = decadesOf(values.map(Math.abs), most);
      for (const value of values.map(Math.abs)) if (value > 0 && value < Infinity) expect(Math.log10(value)).toSatisfy((power: number) => power >= low - 1e-9 && power <= high);
      expect(ticks.length).toBeLessThanOrEqual(most + 1);
    }));
  });
  test("number the places with both ends and no crowd", () => {
    for (let layers = 1; layers <= 128; layers++) {
      const places = placesOf(layers, 9);
      expect([places[0], places.at(-1)]).toEqual([0, layers]);
      expect(places.length).toBeLessThanOrEqual(11);
    }
  });
  test("write powers of ten as the page writes numbers", () => {
    expect([-5, -3, -1, 0, 2, 4].map(powerText)).toEqual(["1e−5", "0.001", "0.1", "1", "100", "1e4"]);
  });
  test("move names apart, in order and inside", () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 6 }), (pixels) => {
      const places = spreadApart(pixels, 8, 320);
      const sorted = [...places].sort((a, b) => a - b);
      sorted.slice(1).forEach((place, i) => expect(place - sorted[i]!).toBeGreaterThanOrEqual(16));
      expect(sorted[0]).toBeGreaterThanOrEqual(8);
      expect(sorted.at(-1)).toBeLessThanOrEqual(320);
    }));
  });
});

describe("the lines", () => {
  test.each(["light", "dark"] as const)("are seen on a card in the %s theme", (theme) => {
    for (const { colour: role } of Object.values(lineStyles)) expect(contrast(colour(role, theme), colour("card", theme))).toBeGreaterThanOrEqual(3);
  });

  test("each have a marker of their own, so that colour is not needed", () => {
    const outlines = Object.values(lineStyles).map(({ marker }) => {
      const corners: string[] = [];
      const note = (x: number, y: number): void => void corners.push(`${x.toFixed(2)},${y.toFixed(2)}`);
      marker.draw({ moveTo: note, lineTo: note, closePath: () => {} }, 40);
      return corners.join(" ");
    });
    expect(new Set(outlines).size).toBe(depthVariants.length);
  });
});
