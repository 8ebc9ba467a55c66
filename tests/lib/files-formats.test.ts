// Which kind of file some bytes are, the size limit, and the error itself.

import { describe, expect, it } from "vitest";
import { defaultMaxBytes, FileError, readTensors, type FileErrorCode } from "../../web/files/index.js";
import { refusingOutOfMemory } from "../../web/files/options.js";
import { float32Bytes, npy, readOne, refusal, thrownBy, utf8 } from "./files-support.js";

describe("the kind of a file", () => {
  it("is told by its content, whatever the name", async () => {
    expect((await readOne(npy(float32Bytes(1, 2)), "renamed.csv")).dtype).toBe("float32");
    expect((await readOne(npy(float32Bytes(1, 2)), "")).name).toBe("");
  });

  it.each([
    ["runs/layer.0.npy", "layer.0"], ["C:\\data\\x.NPY", "x"], [".npy", ".npy"], ["plain", "plain"],
  ])("leaves %s the name %s", async (file, name) => {
    expect((await readOne(npy(float32Bytes(1)), file)).name).toBe(name);
  });

  it.each([
    ["an HDF5 file", [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]],
    ["a gzip archive", [0x1f, 0x8b, 8, 0]],
    ["a Python pickle", [0x80, 4, 0x95, 0]],
    ["a Parquet file", [0x50, 0x41, 0x52, 0x31]],
  ])("is named when it is %s", async (format, magic) => {
    expect(await refusal(Uint8Array.from(magic), "array.bin")).toMatchObject({
      code: "unsupported-format",
      message: `this is ${format}; save the array as .npy, .npz, .safetensors, .csv or .json instead`,
    });
  });

  it("is unknown when it is binary and begins like none", async () => {
    expect(await refusal(Uint8Array.of(1, 0, 2, 0, 0xff), "array.csv")).toMatchObject({
      code: "unknown-format",
      message: "not a kind of file that is read here: byte 0 on is 01 00 02 00 ff; .npy, .npz, .safetensors, .json and tables of text (.csv, .tsv, .txt) are",
    });
  });

  it("does not matter for an empty file", async () => {
    expect(await refusal(new Uint8Array(0), "array.npy")).toMatchObject({ code: "empty-file", message: "the file is empty (0 bytes)" });
  });

  it("is refused beyond the limit before anything is read", async () => {
    expect(defaultMaxBytes).toBe(256 * 2 ** 20);
    expect(await refusal(npy(float32Bytes(1)), "a.npy", { maxBytes: 100 })).toMatchObject({
      code: "too-large", message: "132 bytes is more than the limit of 100 bytes", details: { got: 132, limit: 100 },
    });
    expect((await refusal(new Uint8Array(defaultMaxBytes + 1), "a.npy")).message).toBe("256.1 MiB is more than the limit of 256 MiB");
  });
});

describe("FileError", () => {
  it("tells of memory that is not there, and of no other fault of the code", () => {
    const claim = () => new Float32Array(2 ** 45);
    expect(thrownBy(() => refusingOutOfMemory(3 * 2 ** 20, claim))).toMatchObject({
      code: "out-of-memory", message: "there is not enough memory to read 3 MiB",
    });
    expect(() => refusingOutOfMemory(1, () => (undefined as unknown as string).trim())).toThrow(TypeError);
  });


  it("is an Error with name, code, details and message", async () => {
    const error = await refusal(utf8("1,2\n3"), "a.csv");
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(FileError);
    expect({ name: error.name, code: error.code, tensor: error.tensor, text: String(error) }).toEqual({
      name: "FileError", code: "ragged-rows" satisfies FileErrorCode, tensor: undefined, text: "FileError: row 2 has 1 cell, row 1 has 2",
    });
  });

  it("rejects the promise and is not thrown at the call", async () => {
    const promise = readTensors(new Uint8Array(0), "a.npy");
    await expect(promise).rejects.toBeInstanceOf(FileError);
  });
});
