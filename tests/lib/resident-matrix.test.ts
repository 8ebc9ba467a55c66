// an.matrix: a matrix in wasm memory, from its making to its end.
import { describe, expect, test } from "vitest";
import { builds, load } from "./support/package.js";

const an = await load();

test("it has a shape, and zeros at first, also where another matrix was", () => {
  const earlier = an.matrix(3, 5);
  earlier.data.fill(9);
  earlier.free();
  const matrix = an.matrix(3, 5);
  expect([matrix.rows, matrix.cols, matrix.length]).toEqual([3, 5, 15]);
  expect(matrix.data).toEqual(new Float32Array(15));
});

test("its data is a view: what is written there is there", () => {
  const matrix = an.matrix(1, 2);
  matrix.data.set([3, 4]);
  matrix.data[1] = 5;
  expect(Array.from(matrix.data)).toEqual([3, 5]);
});

test("it begins at a multiple of 64 bytes, and large ones do not begin a multiple of 4 KiB apart", () => {
  const matrices = Array.from({ length: 8 }, () => an.matrix(64, 64));
  const starts = matrices.map((matrix) => matrix.data.byteOffset);
  expect(starts.every((start) => start % 64 === 0)).toBe(true);
  expect(new Set(starts.map((start) => start % 4096)).size).toBe(starts.length);
  matrices.forEach((matrix) => matrix.free());
});

test("matrices do not touch each other", () => {
  const matrices = Array.from({ length: 30 }, (_, i) => an.matrix(1 + i, 17));
  matrices.forEach((matrix, i) => matrix.data.fill(i));
  expect(matrices.every((matrix, i) => matrix.data.every((v) => v === i))).toBe(true);
  matrices.forEach((matrix) => matrix.free());
});

test("freeing it twice does nothing, using it after that is an error that names its shape", () => {
  const matrix = an.matrix(7, 8);
  matrix.free();
  matrix.free();
  expect(() => matrix.data).toThrow(new TypeError("data: the 7 x 8 matrix was used after free()"));
  expect(() => an.residualAdd(matrix, matrix)).toThrow(new TypeError("residualAdd: the 7 x 8 matrix was used after free()"));
  expect([matrix.rows, matrix.cols]).toEqual([7, 8]);
});

describe.each(builds)("the build %s", (_name, kernels) => {
  test("takes it wherever an array is taken, with the same results", () => {
    const values = Float32Array.from(kernels.randn(3, 24));
    const gains = Float32Array.from(kernels.randn(4, 8));
    const x = kernels.matrix(3, 8);
    const gamma = kernels.matrix(1, 8);
    x.data.set(values);
    gamma.data.set(gains);
    const cols = 8;
    expect(kernels.residualAdd(x, x)).toEqual(kernels.residualAdd(values, values));
    expect(kernels.layerNorm(x, { cols, gamma, beta: gamma })).toEqual(kernels.layerNorm(values, { cols, gamma: gains, beta: gains }));
    expect(kernels.layerNormSteps(x, { cols, gamma })).toEqual(kernels.layerNormSteps(values, { cols, gamma: gains }));
    expect(kernels.layerNormBackward(x, x, { cols, gamma })).toEqual(kernels.layerNormBackward(values, values, { cols, gamma: gains }));
    expect(kernels.rmsNorm(x, { cols, gamma })).toEqual(kernels.rmsNorm(values, { cols, gamma: gains }));
    expect(kernels.rmsNormSteps(x, { cols, gamma })).toEqual(kernels.rmsNormSteps(values, { cols, gamma: gains }));
    expect(kernels.rmsNormBackward(x, x, { cols, gamma })).toEqual(kernels.rmsNormBackward(values, values, { cols, gamma: gains }));
    expect(kernels.addNorm(x, x, { cols, gamma })).toEqual(kernels.addNorm(values, values, { cols, gamma: gains }));
    expect(kernels.addNormBackward(x, x, { cols, gamma, dy: x, dsum: x })).toEqual(kernels.addNormBackward(values, values, { cols, gamma: gains, dy: values, dsum: values }));
    expect(kernels.rowStats(x, { cols })).toEqual(kernels.rowStats(values, { cols }));
    expect(kernels.linear(x, { weight: x, inFeatures: 8, outFeatures: 3 })).toEqual(kernels.linear(values, { weight: values, inFeatures: 8, outFeatures: 3 }));
    expect(new kernels.LayerNorm(8).forward(x)).toEqual(new kernels.LayerNorm(8).forward(values));
    expect(x.data).toEqual(values);
  });
});

test("a matrix of another loaded build is read as an array, and refused as out", async () => {
  const other = await load({ simd: "off" });
  const theirs = other.matrix(1, 3);
  theirs.data.set([1, 2, 3]);
  expect(an.residualAdd(theirs, theirs)).toEqual(new Float32Array([2, 4, 6]));
  expect(() => an.residualAdd([1, 2, 3], [1, 2, 3], { out: theirs })).toThrow(
    new TypeError("residualAdd: out is a matrix of another load(), expected one of this"),
  );
});
