// The sample files, each against the values that NumPy and PyTorch wrote into them.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTensors, type Tensor } from "../../web/files/index.js";

const golden = new URL("../golden/", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("activations_expected.json", golden), "utf8")) as {
  shape: number[];
  hidden: number[];
  bf16: number[];
};
const readSample = (file: string) => readTensors(new Uint8Array(readFileSync(new URL(file, golden))), file);

function byName(tensors: Tensor[], name: string): Tensor {
  const found = tensors.find((tensor) => tensor.name === name);
  if (!found) throw new Error(`no tensor ${name} among ${tensors.map((tensor) => tensor.name)}`);
  return found;
}

function largestError(got: Float32Array, want: number[]): number {
  expect(got.length).toBe(want.length);
  return want.reduce((worst, value, i) => Math.max(worst, Math.abs(got[i] - value)), 0);
}

describe("sample files", () => {
  it.each([
    ["activations.npy", "float32", 0],
    ["activations_big_endian.npy", "float32", 0],
    ["activations_f64_fortran.npy", "float64", 0],
    ["activations_f16.npy", "float16", 4e-3],
  ])("%s holds the expected values in C order", async (file, dtype, tolerance) => {
    const [tensor, ...others] = await readSample(file);
    expect(others).toEqual([]);
    expect(tensor).toMatchObject({ name: file.slice(0, -4), dtype, shape: expected.shape, warnings: [] });
    expect(largestError(tensor.data, expected.hidden)).toBeLessThanOrEqual(tolerance);
  });

  it("activations.npz holds both members under their names without .npy", async () => {
    const tensors = await readSample("activations.npz");
    expect(tensors.map(({ name, shape }) => ({ name, shape }))).toEqual([
      { name: "hidden", shape: [13, 6, 16] },
      { name: "last", shape: [6, 16] },
    ]);
    expect(largestError(byName(tensors, "hidden").data, expected.hidden)).toBe(0);
    expect(largestError(byName(tensors, "last").data, expected.hidden.slice(-96))).toBe(0);
  });

  it("activations.safetensors holds float32, bfloat16 and float16", async () => {
    const tensors = await readSample("activations.safetensors");
    expect(tensors.map(({ name, dtype }) => `${name} ${dtype}`)).toEqual(["hidden float32", "hidden_bf16 bfloat16", "hidden_f16 float16"]);
    expect(largestError(byName(tensors, "hidden").data, expected.hidden)).toBe(0);
    expect(largestError(byName(tensors, "hidden_bf16").data, expected.bf16)).toBe(0);
    expect(largestError(byName(tensors, "hidden_f16").data, expected.hidden)).toBeLessThanOrEqual(4e-3);
  });

  it("activations_last.csv holds the last slice to the last bit", async () => {
    const [tensor] = await readSample("activations_last.csv");
    expect(tensor).toMatchObject({ name: "activations_last", dtype: "text", shape: [6, 16], warnings: [] });
    expect(largestError(tensor.data, expected.hidden.slice(-96))).toBe(0);
  });

  it("activations_expected.json is read as three named arrays", async () => {
    const tensors = await readSample("activations_expected.json");
    expect(tensors.map(({ name, shape }) => ({ name, shape }))).toEqual([
      { name: "shape", shape: [3] },
      { name: "hidden", shape: [1248] },
      { name: "bf16", shape: [1248] },
    ]);
    expect(largestError(tensors[1].data, expected.hidden)).toBe(0);
  });

  it("is read alike whatever its name says, since the content decides", async () => {
    const bytes = new Uint8Array(readFileSync(new URL("activations.npz", golden)));
    const tensors = await readTensors(bytes, "activations.csv");
    expect(tensors.map(({ name }) => name)).toEqual(["hidden", "last"]);
  });
});
