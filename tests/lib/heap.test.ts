// Wasm memory: it does not grow from calls, it gives errors when it ends, and what it holds stays right when it grows.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import type { Addnorm } from "../../web/lib/api.js";
import { whenCopied } from "./support/copies.js";
import { load, loadOf, memorySize, withCopy } from "./support/package.js";

const an = await load();
const MIB = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Finalizers run in tasks of their own. */
async function collected(): Promise<void> {
  collectGarbage();
  await new Promise((resolve) => setTimeout(resolve, 10));
}

function everyCall(kernels: Addnorm, rows: number): void {
  const cols = 8;
  const x = Float32Array.from(kernels.randn(rows, rows * cols));
  const norm = new kernels.LayerNorm(cols);
  kernels.residualAdd(x, x);
  kernels.layerNorm(x, { cols, gamma: norm.gamma, beta: norm.beta });
  kernels.layerNormSteps(x, { cols });
  kernels.layerNormBackward(x, x, { cols });
  kernels.rmsNorm(x, { cols });
  kernels.rmsNormSteps(x, { cols });
  kernels.rmsNormBackward(x, x, { cols });
  kernels.addNorm(x, x, { cols });
  kernels.addNormBackward(x, x, { cols, dy: x, dsum: x });
  kernels.rowStats(x, { cols });
  kernels.linear(x, { weight: new Float32Array(64), inFeatures: 8, outFeatures: 8 });
  kernels.preNorm(x, (v) => v, norm);
}

describe("calls", () => {
  test("10,000 of them do not make wasm memory grow", () => {
    everyCall(an, 64);
    const before = memorySize(an);
    for (let i = 0; i < 10_000 / 13; i++) everyCall(an, 1 + (i % 64));
    expect(memorySize(an)).toBe(before);
  });

  test("wrong calls and matrices that come and go do not either", () => {
    const x = new Float32Array(64);
    an.matrix(64, 64).free();
    const before = memorySize(an);
    for (let i = 0; i < 5000; i++) {
      const matrix = an.matrix(64, 64);
      expect(() => an.layerNorm(x, { cols: 8, gamma: [1] })).toThrow(RangeError);
      matrix.free();
    }
    expect(memorySize(an)).toBe(before);
  });

  test("large calls one after another use the same memory", () => {
    const x = new Float32Array(4 * MIB);
    an.layerNorm(x, { cols: 1024, out: x });
    const before = memorySize(an);
    for (let i = 0; i < 5; i++) an.layerNorm(x, { cols: 1024, out: x });
    expect(memorySize(an)).toBe(before);
  });

  test("what a large call needed is free for matrices afterwards", () => {
    const x = new Float32Array(12 * MIB);
    an.layerNorm(x, { cols: 1024, out: x });
    const before = memorySize(an);
    const matrix = an.matrix(10 * 1024, 1024);
    expect(memorySize(an)).toBe(before);
    matrix.free();
  });

  test("arrays given out earlier keep their numbers", () => {
    const first = an.layerNorm([[1, 2, 3, 5]], { cols: 4 });
    const kept = { y: first.y.slice(), mean: first.mean.slice(), rstd: first.rstd.slice() };
    everyCall(an, 50);
    expect(first).toEqual(kept);
  });
});

describe("when memory ends", () => {
  const next = (): void => expect(an.layerNorm([[1, 2, 3]], { cols: 3 }).y[1]).toBe(0);

  test("a matrix beyond what wasm can address: a RangeError with the bytes, and the next call works", () => {
    expect(() => an.matrix(30_000, 30_000)).toThrow(new RangeError("matrix: out of memory, 3600004096 bytes wanted"));
    expect(() => an.matrix(2 ** 40, 2 ** 12)).toThrow(RangeError);
    next();
  });

  test("a matrix that fits no more: the same", () => {
    const values = 2 ** 29 - 4096;
    expect(() => an.matrix(1, values)).toThrow(new RangeError(`matrix: out of memory, ${4 * values + 4096} bytes wanted`));
    next();
  });

  test("numbers drawn beyond it: the same", () => {
    expect(() => an.randn(1, 2 ** 40)).toThrow(/^randn: out of memory, \d+ bytes wanted$/);
    expect(() => an.randn(1, 2 ** 28)).toThrow(RangeError);
    next();
  });

  test("parameters that are too wide for JavaScript: the same", () => {
    expect(() => new an.LayerNorm(2 ** 52)).toThrow(new RangeError(`LayerNorm: out of memory, ${2 ** 54} bytes wanted`));
    next();
  });

  test("inputs beyond it: the same", () => {
    const x = new Float32Array(2 ** 28);
    expect(() => an.layerNormBackward(x, x, { cols: 2 ** 14 })).toThrow(/^layerNormBackward: out of memory, \d+ bytes wanted$/);
    expect(() => an.residualAdd(x, x)).toThrow(RangeError);
    next();
  });

  test("a result for which JavaScript has no room: the same", () => {
    whenCopied(() => {
      throw new RangeError("Array buffer allocation failed");
    });
    expect(() => an.layerNorm([[1, 2, 3]], { cols: 3 })).toThrow(new RangeError("layerNorm: out of memory, 12 bytes wanted"));
    vi.unstubAllGlobals();
    next();
  });
});

describe("when memory grows", () => {
  test("matrices keep their numbers, and .data shows them by a new view", async () => {
    await withCopy(async (folder) => {
      const fresh = await (await loadOf(`${folder}/index.node.js`))();
      const matrix = fresh.matrix(2, 3);
      const view = matrix.data;
      view.set([1, 2, 3, 4, 5, 6]);
      const before = memorySize(fresh);
      fresh.randn(1, 4 * MIB);
      expect(memorySize(fresh)).toBeGreaterThan(before);
      expect(view.length).toBe(0);
      expect(Array.from(matrix.data)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(() => fresh.layerNorm(view, { cols: 3 })).toThrow(/^layerNorm: the ArrayBuffer of x is detached/);
    });
  });

  test("a view that is the input of the very call that grows memory is read rightly", async () => {
    await withCopy(async (folder) => {
      const fresh = await (await loadOf(`${folder}/index.node.js`))();
      const matrix = fresh.matrix(1024, 1024);
      const values = an.randn(1, MIB).map(Math.fround);
      matrix.data.set(values);
      const before = memorySize(fresh);
      const { y } = fresh.layerNorm(matrix.data, { cols: 1024, gamma: matrix.data.subarray(0, 1024) });
      expect(memorySize(fresh)).toBeGreaterThan(before);
      const expected = an.layerNorm(values, { cols: 1024, gamma: values.subarray(0, 1024) }).y;
      expect(y.every((v, i) => v === expected[i])).toBe(true);
    });
  });
});

describe("matrices that nobody holds any more", () => {
  test("give their memory back", async () => {
    for (let i = 0; i < 8; i++) an.matrix(1024, 1024);
    await collected();
    const before = memorySize(an);
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 8; i++) an.matrix(1024, 1024);
      await collected();
    }
    expect(memorySize(an) - before).toBeLessThan(160 * MIB);
  });

  test("stay while a view of them is in use", async () => {
    const view = an.matrix(64, 64).data.fill(7);
    await collected();
    const others = Array.from({ length: 20 }, () => an.matrix(64, 64));
    expect(view.every((v) => v === 7)).toBe(true);
    others.forEach((matrix) => matrix.free());
  });
});
