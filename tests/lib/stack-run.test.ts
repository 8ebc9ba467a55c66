// Stacks in pieces and without holding up the thread: progress, cancelling, memory, and depth.
import { describe, expect, test, vi } from "vitest";
import { builds, load, memorySize } from "./support/package.js";

const an = await load();
const x = Float32Array.from(an.randn(1, 64));
const config = { dModel: 16, heads: 4, layers: 3, backward: true } as const;
const MIB = 1024 * 1024;

describe("stackRun", () => {
  test("gives what stack gives, in any pieces", () => {
    const expected = an.stack(x, config);
    for (const units of [1, 7, 1000]) {
      const run = an.stackRun(x, config);
      while (run.step(units) < run.total);
      expect(run.result()).toEqual(expected);
    }
  });

  test("counts its units: each matrix, and each once more on the way back", () => {
    const run = an.stackRun(x, config);
    expect([run.done, run.total]).toEqual([0, 2 * an.stack(x, config).steps.length]);
    expect(run.step()).toBe(1);
    expect(run.step(5)).toBe(6);
    expect(run.step(0)).toBe(6);
    expect(run.step(10_000)).toBe(run.total);
    expect(an.stackRun(x, { dModel: 16 }).total).toBe(an.stack(x, { dModel: 16 }).steps.length);
    run.free();
  });

  test("result does what is left, once", () => {
    const run = an.stackRun(x, config);
    run.step(4);
    const trace = run.result();
    expect(trace).toEqual(an.stack(x, config));
    expect(run.done).toBe(run.total);
    expect(run.result()).toBe(trace);
    run.free();
    expect(run.result()).toBe(trace);
  });

  test("other calls between its pieces, and memory that grows, change nothing", () => {
    const expected = an.stack(x, config);
    const first = an.stackRun(x, config);
    const second = an.stackRun(x.map((v) => -v), config);
    first.step(9);
    second.step(20);
    an.randn(1, 2 * MIB);
    first.step(9);
    const other = an.matrix(1024, 1024);
    expect(first.result()).toEqual(expected);
    expect(second.result()).toEqual(an.stack(x.map((v) => -v), config));
    other.free();
  });

  test("changing x or the weights after it has begun changes nothing", () => {
    const given = x.slice();
    const { weights } = an.stack(x, config);
    const run = an.stackRun(given, { ...config, weights });
    given.fill(0);
    weights![0]!.attnInWeight!.fill(0);
    expect(run.result()).toEqual(an.stack(x, config));
  });

  test("is no longer usable after free, and says so", () => {
    const run = an.stackRun(x, config);
    run.free();
    run.free();
    expect(() => run.step()).toThrow(new TypeError("step: the run was used after free()"));
    expect(() => run.result()).toThrow(new TypeError("result: the run was used after free()"));
    const complete = an.stackRun(x, config);
    complete.step(complete.total);
    complete.free();
    expect(() => complete.result()).toThrow(TypeError);
  });

  test("that runs out of memory gives it back", () => {
    const run = an.stackRun(x, config);
    run.step(5);
    const slice = vi.spyOn(Float32Array.prototype, "slice").mockImplementation(() => { throw new RangeError("Array buffer allocation failed"); });
    expect(() => run.step(10)).toThrow(/^stackRun: out of memory, \d+ bytes wanted$/);
    slice.mockRestore();
    expect(() => run.step()).toThrow(new TypeError("step: the run was used after free()"));
    expect(an.stack(x, config).steps.length).toBe(run.total / 2);
  });

  test("refuses what is no count", () => {
    const run = an.stackRun(x, config);
    expect(() => run.step(-1)).toThrow(new RangeError("step: units is -1, expected a whole number of at least 0"));
    expect(() => run.step(0.5)).toThrow(RangeError);
    run.free();
  });
});

describe("stackAsync", () => {
  test("gives what stack gives, and tells how far it is", async () => {
    const told: [number, number][] = [];
    const trace = await an.stackAsync(x, config, { onProgress: (done, total) => told.push([done, total]) });
    expect(trace).toEqual(an.stack(x, config));
    const { total } = an.stackRun(x, config);
    expect(told.at(-1)).toEqual([total, total]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((a, b) => a - b));
  });

  test("lets the thread do other things between its slices", async () => {
    let turns = 0;
    const timer = setInterval(() => { turns += 1; }, 1);
    let slices = 0;
    await an.stackAsync(x, { ...config, layers: 128, keep: "statistics" }, { onProgress: () => { slices += 1; } });
    clearInterval(timer);
    expect(slices).toBeGreaterThan(1);
    expect(turns).toBeGreaterThan(0);
  });

  test("rejects with the signal's reason when it is aborted, before it begins and half-way, and the next call works", async () => {
    await expect(an.stackAsync(x, config, { signal: AbortSignal.abort("never mind") })).rejects.toBe("never mind");
    const controller = new AbortController();
    let last = 0;
    const stopped = an.stackAsync(x, { ...config, layers: 128, keep: "statistics" }, {
      signal: controller.signal,
      onProgress: (done) => {
        last = done;
        controller.abort(new Error("enough"));
      },
    });
    await expect(stopped).rejects.toThrow("enough");
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(an.stackRun(x, { ...config, layers: 128 }).total);
    await expect(an.stackAsync(x, config)).resolves.toEqual(an.stack(x, config));
  });

  test("rejects, and does not throw, when the config is wrong or a listener throws", async () => {
    await expect(an.stackAsync(x, { ...config, heads: 3 })).rejects.toThrow(/^stackAsync: heads is 3, expected a divisor of dModel, which is 16$/);
    await expect(an.stackAsync(x, config, { onProgress: () => { throw new Error("from the listener"); } })).rejects.toThrow("from the listener");
  });
});

describe("memory", () => {
  test("100 runs of 128 layers, finished or given up, do not make it grow", async () => {
    const deep = { dModel: 8, layers: 128, backward: true, keep: "statistics" } as const;
    const once = (): void => {
      an.stack(x, deep);
      an.stackRun(x, deep).free();
    };
    once();
    const before = memorySize(an);
    for (let i = 0; i < 100; i++) once();
    expect(memorySize(an)).toBe(before);
  });

  test("a run whose making fails leaves nothing behind", () => {
    const wrong = { dModel: 256, layers: 12, weights: Array.from({ length: 12 }, () => ({ norm2Beta: [1] })) };
    const broken = { dModel: 256, layers: 128, sublayers: "simulated", backward: true } as const;
    const fail = (): void => { expect(() => an.stack(an.randn(1, 256), wrong)).toThrow(RangeError); };
    fail();
    an.stack(an.randn(1, 256), broken);
    const before = memorySize(an);
    for (let i = 0; i < 30; i++) fail();
    expect(memorySize(an)).toBe(before);
  });

  test("what is too large is a RangeError that says so, and the next call works", () => {
    const next = (): void => { expect(an.block(x, { dModel: 16 }).steps.length).toBe(12); };
    expect(() => an.stack(x, { dModel: 16, dFf: 2 ** 24, layers: 128 })).toThrow(
      /^stack: 128 layers of 4 rows with dModel 16, dFf 16777216 and 1 heads are more than wasm memory holds/);
    next();
    expect(() => an.stack(an.randn(1, 512), { dModel: 512, layers: 128, backward: true })).toThrow(/^stack: out of memory, \d+ bytes wanted$/);
    next();
  });

  test("a trace for which JavaScript has no room is a RangeError, and the next call works", () => {
    const slice = vi.spyOn(Float32Array.prototype, "slice").mockImplementation(() => { throw new RangeError("Array buffer allocation failed"); });
    expect(() => an.block(x, { dModel: 16 })).toThrow(/^block: out of memory, \d+ bytes wanted$/);
    slice.mockRestore();
    expect(an.block(x, { dModel: 16 }).steps.length).toBe(12);
  });
});

describe.each(builds)("128 layers at d = 64, the build %s", (_name, build) => {
  test.each(["post", "pre"] as const)("%s: every number is finite", (placement) => {
    const { steps, backward } = build.stack(build.randn(1, 8 * 64), { dModel: 64, heads: 4, layers: 128, placement, backward: true, keep: "statistics" });
    expect(steps.every(({ rms }) => rms.every(Number.isFinite))).toBe(true);
    expect(backward!.length).toBe(129);
    expect(backward!.every(({ gradientRms }) => Number.isFinite(gradientRms) && gradientRms > 0)).toBe(true);
  });

  test("without skips the gradient dies, and the skip keeps it alive", () => {
    const input = build.randn(1, 8 * 64);
    const deep = { dModel: 64, layers: 16, placement: "none", backward: true, dy: input, keep: "statistics" } as const;
    const ratio = (residual: "none" | "identity"): number => {
      const { backward } = build.stack(input, { ...deep, residual, initGain: 0.5 });
      return backward![0]!.gradientRms / backward!.at(-1)!.gradientRms;
    };
    expect(ratio("none")).toBeLessThan(1e-6);
    expect(ratio("identity")).toBeGreaterThan(0.1);
  });
});
