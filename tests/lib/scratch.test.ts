// Scratch memory of the kernels' calls: arrays and matrices mix in every way, and a call asks for the room that it takes.
import { afterEach, describe, expect, test, vi } from "vitest";
import { createAddnorm } from "../../web/lib/addnorm.js";
import type { Addnorm } from "../../web/lib/api.js";
import { Heap } from "../../web/lib/heap.js";
import { instantiate } from "../../web/lib/load/embind.js";
import { load } from "./support/package.js";

const { wasm } = await load();
/** From the sources, whose heap can be looked at. */
const an: Addnorm = createAddnorm(await instantiate(wasm), wasm);

const [rows, cols] = [5, 24];
const COUNT = rows * cols;
const values = (seed: number, count = COUNT): Float32Array => Float32Array.from(an.randn(seed, count));
const [x, other, dsum, gamma, beta] = [values(1), values(2), values(3), values(4, cols), values(5, cols)];
const layer = { cols, gamma, beta };
const padding = [0, 1, 0, 0, 0];

type Matrix = Float32Array | ReturnType<Addnorm["matrix"]>;
/** The calls that may write over a copy of their first matrix (of the gradient, backward). */
const calls: Readonly<Record<string, (a: Matrix, b: Matrix, c: Matrix) => unknown>> = {
  residualAdd: (a, b) => an.residualAdd(a, b),
  layerNorm: (a) => an.layerNorm(a, layer),
  layerNormBackward: (a, b) => an.layerNormBackward(a, b, { cols, gamma }),
  rmsNorm: (a) => an.rmsNorm(a, { cols, gamma }),
  rmsNormBackward: (a, b) => an.rmsNormBackward(a, b, { cols, gamma }),
  addNorm: (a, b) => an.addNorm(a, b, layer),
  "addNorm with RMSNorm": (a, b) => an.addNorm(a, b, { norm: "rms", cols, gamma }),
  addNormBackward: (a, b, c) => an.addNormBackward(a, b, { cols, gamma, dy: c, dsum: a }),
  "addNormBackward with RMSNorm": (a, b, c) => an.addNormBackward(a, b, { norm: "rms", cols, gamma, dy: c, dsum: a }),
  batchNorm: (a) => an.batchNorm(a, { ...layer, padding }),
  batchNormBackward: (a, b) => an.batchNormBackward(a, b, { cols, gamma, padding }),
  groupNorm: (a) => an.groupNorm(a, { ...layer, groups: 3 }),
  groupNormBackward: (a, b) => an.groupNormBackward(a, b, { cols, gamma, groups: 3 }),
  l2Norm: (a) => an.l2Norm(a, { cols, gain: 2 }),
  l2NormBackward: (a, b) => an.l2NormBackward(a, b, { cols, gain: 2 }),
  dynamicTanh: (a) => an.dynamicTanh(a, { ...layer, alpha: 0.5 }),
  dynamicTanhBackward: (a, b) => an.dynamicTanhBackward(a, b, { cols, gamma, alpha: 0.5 }),
  softmax: (a) => an.softmax(a, { cols, leftOut: new Uint8Array(cols) }),
  softmaxBackward: (a, b) => an.softmaxBackward(a, b, { cols }),
  activation: (a) => an.activation(a, { kind: "gelu" }),
  activationBackward: (a, b) => an.activationBackward(a, b, { kind: "gelu" }),
};

afterEach(() => void vi.restoreAllMocks());

/** What the last call asked for, and what it took. */
function watchRoom(): { floats: number; arrays: number; tookFloats: number; tookArrays: number } {
  const seen = { floats: 0, arrays: 0, tookFloats: 0, tookArrays: 0 };
  const { open, room } = Heap.prototype;
  vi.spyOn(Heap.prototype, "open").mockImplementation(function (this: Heap, call, floats, arrays) {
    Object.assign(seen, { floats, arrays, tookFloats: 0, tookArrays: 0 });
    open.call(this, call, floats, arrays);
  });
  vi.spyOn(Heap.prototype, "room").mockImplementation(function (this: Heap, count) {
    seen.tookFloats += count;
    seen.tookArrays += 1;
    return room.call(this, count);
  });
  return seen;
}

describe.each(Object.entries(calls))("%s", (_name, call) => {
  const arrays = [x, other, dsum] as const;
  const resident = arrays.map((array) => {
    const matrix = an.matrix(rows, cols);
    matrix.data.set(array);
    return matrix;
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])("gives the same and changes no input, whichever of them lie in wasm memory (%i)", (which) => {
    const expected = call(...arrays);
    const seen = watchRoom();
    const given = arrays.map((array, i) => ((which >> i) & 1 ? resident[i]! : array)) as [Matrix, Matrix, Matrix];
    expect(call(...given)).toEqual(expected);
    expect(seen.tookFloats).toBeLessThanOrEqual(seen.floats);
    expect(seen.tookArrays).toBeLessThanOrEqual(seen.arrays);
    resident.forEach((matrix, i) => expect(matrix.data).toEqual(arrays[i]));
    expect(arrays).toEqual([values(1), values(2), values(3)]);
  });

  test("asks for no matrix more than it takes when all are arrays", () => {
    const seen = watchRoom();
    call(...arrays);
    expect(seen.floats - seen.tookFloats).toBeLessThan(COUNT);
    expect(seen.tookArrays).toBe(seen.arrays);
  });
});
