// The residual view's numbers: the sum at a scale of F, its gradient, unequal widths and what mends them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeGradient, computeResidual, type LinearMap, type ResidualResult } from "../../web/state/compute-residual.js";
import type { State } from "../../web/state/schema.js";
import { Store } from "../../web/state/store.js";
import { expectNear } from "./support/near.js";
import { load } from "./support/package.js";

const an = await load();

const at = (patch: Partial<State>): { state: State; result: ResidualResult } => {
  const { state, own } = new Store({ view: "residual", ...patch });
  return { state, result: computeResidual(an, state, own) };
};

/** RandomState(42).randn, `count` numbers after the first `skip`, times factor, as float32. */
const draw = (skip: number, count: number, factor: number): Float32Array =>
  Float32Array.from(an.randn(42, skip + count).subarray(skip), (value) => value * factor);

/** y = x W^T in doubles. */
function times(x: ArrayLike<number>, { weight, inFeatures, outFeatures }: LinearMap): number[] {
  const y: number[] = [];
  for (let row = 0; row < x.length / inFeatures; row++) {
    for (let out = 0; out < outFeatures; out++) {
      let sum = 0;
      for (let k = 0; k < inFeatures; k++) sum += x[row * inFeatures + k]! * weight[out * inFeatures + k]!;
      y.push(sum);
    }
  }
  return y;
}

const hypot = (values: Iterable<number>): number => Math.hypot(...values);

describe("the sum", () => {
  test("is x + s F(x) of the article's x, with F = x W^T and W drawn next from the seed", () => {
    const { result } = at({ fScale: 0.5 });
    const x = draw(0, 56, 1);
    const weight = draw(56, 64, 1 / Math.sqrt(8));
    expect(result.data).toEqual(x);
    expect(result.map!.weight).toEqual(weight);
    const fx = an.linear(x, { weight, inFeatures: 8, outFeatures: 8 });
    expect(result.sum!.next).toEqual(an.residualAdd(x, fx, { beta: 0.5 }));
  });

  test("takes attn_output of the article where F is drawn", () => {
    const { result } = at({ fKind: "drawn" });
    expect(result.output).toEqual(draw(56, 56, 1));
    expect(result.sum!.next).toEqual(an.residualAdd(draw(0, 56, 1), draw(56, 56, 1)));
  });

  test("equals x to the last bit where the scale of F is 0, and nearly nowhere else", () => {
    const { result } = at({ fScale: 0 });
    expect(result.sum!.next).toEqual(result.data);
    expect(result.sum!.unchanged).toBe(56);
    expect(at({ fScale: 1 }).result.sum!.unchanged).toBe(0);
  });

  test("is old + delta for any scale, size and seed", () => {
    const patches = fc.record({
      tokens: fc.integer({ min: 1, max: 6 }), features: fc.integer({ min: 1, max: 9 }), seed: fc.integer({ min: 0, max: 1e9 }),
      fScale: fc.double({ min: 0, max: 2, noNaN: true }), fKind: fc.constantFrom("linear" as const, "drawn" as const),
    });
    fc.assert(fc.property(patches, (patch) => {
      const { sum } = at({ source: "random", ...patch }).result;
      sum!.next.forEach((value, i) => {
        expect(Math.abs(value - (sum!.old[i]! + sum!.delta[i]!))).toBeLessThanOrEqual(1e-6 * (Math.abs(sum!.old[i]!) + Math.abs(sum!.delta[i]!)));
      });
    }), { numRuns: 60 });
  });

  test("comes with the lengths of x, of what is added and of the sum, for each token and for all", () => {
    const { sum } = at({ fScale: 1.5 }).result;
    for (const name of ["old", "delta", "next"] as const) {
      const { rows, whole } = sum!.norms[name];
      expect(rows).toHaveLength(7);
      rows.forEach((length, row) => expect(length).toBeCloseTo(hypot(sum![name].subarray(row * 8, row * 8 + 8)), 5));
      expect(whole).toBeCloseTo(hypot(sum![name]), 4);
    }
  });

  test("of a person's own numbers takes nothing from the seed for x", () => {
    const { result } = at({ source: "own", data: "1,2;3,4" });
    expect([...result.data]).toEqual([1, 2, 3, 4]);
    expect(result.map!.weight).toEqual(draw(0, 4, 1 / Math.sqrt(2)));
  });

  test("keeps a NaN within its token", () => {
    const { sum } = at({ edits: [{ row: 2, col: 1, value: NaN }] }).result;
    sum!.next.forEach((value, i) => expect(Number.isNaN(value)).toBe(Math.floor(i / 8) === 2));
  });

  test("falls back to a drawn F where a linear one would make a drag stutter", () => {
    const { result } = at({ source: "random", tokens: 512, features: 1024 });
    expect(result.kind).toBe("drawn");
    expect(result.map).toBeUndefined();
    expect(result.sum!.next).toHaveLength(512 * 1024);
  });
});

describe("unequal widths", () => {
  test.each([[4, 28], [12, 84]])("of 8 and %i are refused in the package's own words", (fWidth, values) => {
    const { result } = at({ fWidth });
    expect(result.sum).toBeUndefined();
    expect(result.refusals.map(({ name, message }) => `${name}: ${message}`)).toEqual([
      `RangeError: residualAdd: fx has ${values} values, x has 56`,
      expect.stringMatching(new RegExp(`^RangeError: postNorm: F returned ${values} values, x has 56; to be added they must be equally wide`)),
    ]);
  });

  test.each([3, 16])("are mended by a projection of F(x) from %i back to 8 features", (fWidth) => {
    const { result } = at({ fWidth, projection: "branch" });
    const { projection, output, sum, data } = result;
    expect([projection!.inFeatures, projection!.outFeatures]).toEqual([fWidth, 8]);
    expect(projection!.weight).toEqual(draw(56 + 8 * fWidth, 8 * fWidth, 1 / Math.sqrt(fWidth)));
    const projected = times(output, projection!);
    expect(sum!.cols).toBe(8);
    expectNear(sum!.next, Float64Array.from(projected, (value, i) => data[i]! + value), 1e-5);
    expect(result.refusals).toEqual([]);
  });

  test("are mended by a projection of x, too, and then the sum is as wide as F(x)", () => {
    const { result } = at({ fWidth: 5, projection: "stream" });
    const { projection, output, sum, data } = result;
    const projected = times(data, projection!);
    expect(sum!.cols).toBe(5);
    expectNear(sum!.next, Float64Array.from(projected, (value, i) => value + output[i]!), 1e-5);
  });

  test("need no projection where they agree, whatever the state asks", () => {
    expect(at({ fWidth: 8, projection: "stream" }).result.projects).toBe("none");
    expect(at({ fWidth: 8, projection: "stream" }).result.sum!.next).toEqual(at({}).result.sum!.next);
  });
});

describe("the gradient", () => {
  const gradientOf = (patch: Partial<State>, feature = 0) => {
    const { state, result } = at(patch);
    return { result, gradient: computeGradient(an, result, state, feature)! };
  };

  const cases: Partial<State>[] = [{}, { fScale: 0.25 }, { fWidth: 5, projection: "branch" }, { fWidth: 12, projection: "stream", fScale: 1.75 }];
  test.each(cases)("agrees with differences of the sum itself in state %o", (patch) => {
    const scale = patch.fScale ?? 1;
    for (const dy of ["all", "one"] as const) {
      const { result, gradient } = gradientOf({ ...patch, dy }, 3);
      const { map, projection, projects, cols } = result;
      const y = (x: number[]): number[] => {
        const fx = projects === "branch" ? times(times(x, map!), projection!) : times(x, map!);
        const old = projects === "stream" ? times(x, projection!) : x;
        return old.map((value, i) => value + scale * fx[i]!);
      };
      for (let i = 0; i < cols; i++) {
        const step = new Array<number>(cols).fill(0);
        step[i] = 1;
        // The sum is linear in x, so one step is exact.
        const change = y(step);
        const expected = change.reduce((sum, value, j) => sum + value * gradient.arriving[j]!, 0);
        expect(gradient.next[i]).toBeCloseTo(expected, 4);
      }
    }
  });

  test("is dy itself over the skip, whatever F is", () => {
    for (const fScale of [0, 0.5, 2]) expect([...gradientOf({ fScale }).gradient.old]).toEqual(new Array(8).fill(1));
    expect([...gradientOf({ dy: "one" }, 5).gradient.old]).toEqual([0, 0, 0, 0, 0, 1, 0, 0]);
  });

  test("is dy alone where the scale of F is 0 or F does not read x", () => {
    expect([...gradientOf({ fScale: 0 }).gradient.next]).toEqual(new Array(8).fill(1));
    const { gradient } = gradientOf({ fKind: "drawn" });
    expect([...gradient.next]).toEqual(new Array(8).fill(1));
    expect([...gradient.delta]).toEqual(new Array(8).fill(0));
  });

  test("is not there where there is no sum", () => {
    const { state, result } = at({ fWidth: 4 });
    expect(computeGradient(an, result, state, 0)).toBeUndefined();
  });
});

describe("the state of the residual view", () => {
  test("draws the article's x at scale 1, as the chain does", () => {
    expect(at({}).result.data).toEqual(draw(0, 56, 1));
  });

  test("stays at scale 1 with a new seed", () => {
    const store = new Store({ view: "residual" });
    store.set({ seed: 7 });
    expect(store.state.source).toBe("random");
    expect(store.state.scale).toBe(1);
  });
});
