// .safetensors: every dtype, and headers that are cut, malformed, or point outside the data.

import { describe, expect, it } from "vitest";
import { readTensors } from "../../web/files/index.js";
import { concatenated, float32Bytes, packed, refusal, safetensors, utf8, type Writer } from "./files-support.js";

const numberTypes: [dtype: string, name: string, size: number, values: number[], write: Writer][] = [
  ["F64", "float64", 8, [0.1, -(2 ** 100)], (v, o, x, le) => v.setFloat64(o, x, le)],
  ["F32", "float32", 4, [0.5, -3], (v, o, x, le) => v.setFloat32(o, x, le)],
  ["I64", "int64", 8, [-(2 ** 62), 7], (v, o, x, le) => v.setBigInt64(o, BigInt(x), le)],
  ["U64", "uint64", 8, [2 ** 63, 7], (v, o, x, le) => v.setBigUint64(o, BigInt(x), le)],
  ["I32", "int32", 4, [-(2 ** 31), 7], (v, o, x, le) => v.setInt32(o, x, le)],
  ["U32", "uint32", 4, [2 ** 31, 7], (v, o, x, le) => v.setUint32(o, x, le)],
  ["I16", "int16", 2, [-32768, 7], (v, o, x, le) => v.setInt16(o, x, le)],
  ["U16", "uint16", 2, [65535, 7], (v, o, x, le) => v.setUint16(o, x, le)],
  ["I8", "int8", 1, [-128, 7], (v, o, x) => v.setInt8(o, x)],
  ["U8", "uint8", 1, [255, 7], (v, o, x) => v.setUint8(o, x)],
  ["BOOL", "bool", 1, [1, 0], (v, o, x) => v.setUint8(o, x)],
];

const entry = (begin: number, end: number, shape = [(end - begin) / 4], dtype = "F32") => ({ dtype, shape, data_offsets: [begin, end] });

describe(".safetensors values", () => {
  it.each(numberTypes)("%s is read as %s", async (dtype, name, size, values, write) => {
    const [tensor] = await readTensors(safetensors({ x: entry(0, 2 * size, [2], dtype) }, packed(values, size, write, true)), "a.safetensors");
    expect(tensor).toMatchObject({ name: "x", dtype: name, shape: [2] });
    expect(Array.from(tensor.data)).toEqual(values.map(Math.fround));
  });

  it("BF16 is the upper half of a float32, for all 65,536 patterns", async () => {
    const patterns = Array.from({ length: 0x10000 }, (_, i) => i);
    const bytes = packed(patterns, 2, (v, o, x, le) => v.setUint16(o, x, le), true);
    const [{ data }] = await readTensors(safetensors({ x: entry(0, bytes.length, [65536], "BF16") }, bytes), "a.safetensors", { allowNonFinite: true });
    const one = new DataView(new ArrayBuffer(4));
    const wrong = patterns.filter((bits) => {
      one.setUint32(0, bits * 0x10000);
      return !Object.is(data[bits], one.getFloat32(0));
    });
    expect(wrong).toEqual([]);
  });

  it("come in the header's order, whatever the order of the data, without __metadata__", async () => {
    const header = { __metadata__: { format: "pt" }, late: entry(8, 12), early: entry(0, 8) };
    const tensors = await readTensors(safetensors(header, float32Bytes(1, 2, 3)), "a.safetensors");
    expect(tensors.map(({ name, data }) => [name, Array.from(data)])).toEqual([["late", [3]], ["early", [1, 2]]]);
  });

  it("are found by content under any name, and behind a header padded with spaces", async () => {
    const bytes = safetensors(JSON.stringify({ x: entry(0, 4, []) }) + "     ", float32Bytes(9));
    const [tensor] = await readTensors(bytes, "weights.bin");
    expect(tensor).toMatchObject({ name: "x", shape: [] });
  });

  it("warn of bytes after the last array", async () => {
    const [{ warnings }] = await readTensors(safetensors({ x: entry(0, 4) }, float32Bytes(1, 2)), "a.safetensors");
    expect(warnings).toMatchObject([{ code: "trailing-bytes", details: { got: 4 } }]);
  });

  it("that cannot be read are reported one by one when asked", async () => {
    const header = { mask: entry(0, 4), eight: entry(4, 8, [4], "F8_E4M3"), x: entry(8, 12) };
    const refused: string[] = [];
    const tensors = await readTensors(safetensors(header, float32Bytes(-Infinity, 0, 3)), "a.safetensors", { onRefused: (_, error) => refused.push(error.message) });
    expect(tensors.map(({ name }) => name)).toEqual(["x"]);
    expect(refused).toEqual([
      "mask: row 1, column 1: -Infinity is not a finite number",
      'eight: values of type "F8_E4M3" (unknown here) cannot be shown as float32 numbers',
    ]);
  });
});

describe(".safetensors faults", () => {
  const data = float32Bytes(1, 2, 3, 4);
  const text = (header: string) => safetensors(header, data);
  const shapeHint = '{"dtype": text, "shape": [sizes], "data_offsets": [begin, end]}';

  it.each([
    ["a file of five bytes", utf8("{...}"), "truncated", "the file is cut off: 8 bytes should follow from byte 0 on, 5 are there"],
    ["a file cut within the header", safetensors({ x: entry(0, 16) }, data).subarray(0, 30), "truncated", "the file is cut off: 55 bytes should follow from byte 8 on, 22 are there"],
    ["a header of a gigabyte", concatenated(Uint8Array.of(0, 0, 0, 0x40, 0, 0, 0, 0), utf8("{}")), "bad-header", "the .safetensors header cannot be read at byte 0: expected a header of at most 100000000 bytes, got 1073741824"],
    ["a header that is no JSON", text('{"x": }'), "bad-header", 'the .safetensors header cannot be read at byte 14: expected a value, got "}"'],
    ["a header that is no UTF-8", concatenated(Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0xff), data), "bad-header", "the .safetensors header cannot be read at byte 8: expected UTF-8 text, got 7b ff"],
    ["an entry without offsets", text('{"x": {"dtype": "F32", "shape": [4]}}'), "bad-header", `the .safetensors header cannot be read at byte 14: expected ${shapeHint}, got an object`],
    ["a negative size", text('{"é": {"dtype": "F32", "shape": [-4], "data_offsets": [0, 16]}}'), "bad-header", `the .safetensors header cannot be read at byte 15: expected ${shapeHint}, got an object`],
    ["no arrays", safetensors({ __metadata__: {} }, data), "no-arrays", "the .safetensors file holds no arrays"],
    ["one name twice", text('{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "x": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]}}'), "duplicate-name", 'the name "x" occurs twice'],
    ["one key of an entry twice", text('{"x": {"dtype": "F32", "dtype": "F16", "shape": [2], "data_offsets": [0, 8]}}'), "duplicate-name", 'the name "dtype" occurs twice'],
    ["offsets past the end", safetensors({ x: entry(0, 400, [100]) }, data), "truncated", /^x: the file is cut off: 400 bytes should follow from byte \d+ on, 16 are there$/],
    ["overlapping arrays", safetensors({ x: entry(0, 8), y: entry(4, 12) }, data), "bad-offsets", "y: the data offsets [4, 12] are wrong: expected a begin of 8 or more, since the array before it ends there"],
    ["a gap between arrays", safetensors({ x: entry(0, 8), y: entry(12, 16) }, data), "bad-offsets", "y: the data offsets [12, 16] are wrong: expected a begin of 8, without a gap to the array before it"],
    ["an end before the begin", safetensors({ x: entry(0, 8, [2]), y: entry(8, 4, [1]) }, data), "bad-offsets", "y: the data offsets [8, 4] are wrong: expected an end that is not before the begin"],
    ["a shape that needs more bytes", safetensors({ x: entry(0, 8, [3]) }, data), "bad-offsets", "x: the data offsets [0, 8] are wrong: expected 12 bytes for 3 of F32"],
    ["an unknown dtype", safetensors({ x: entry(0, 16, [4], "F8_E5M2") }, data), "unsupported-dtype", 'x: values of type "F8_E5M2" (unknown here) cannot be shown as float32 numbers'],
    ["no rows", safetensors({ x: entry(0, 0, [0, 8]) }, data), "zero-size", "x: the shape is 0 x 8: there is nothing to show"],
    ["a shape beyond 2^53", safetensors({ x: entry(0, 8, [2 ** 40, 2 ** 40]) }, data), "bad-shape", "x: shape [1099511627776, 1099511627776]: expected a product below 2^53"],
    ["NaN", safetensors({ x: entry(0, 16, [2, 2]) }, float32Bytes(1, 2, NaN, 4)), "non-finite", "x: row 2, column 1: NaN is not a finite number"],
  ])("%s: the message says so", async (_, bytes, code, message) => {
    const error = await refusal(bytes, "array.safetensors");
    expect(error.code).toBe(code);
    if (typeof message === "string") expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });

  it("reads keys such as __proto__ and constructor as names, not as JavaScript", async () => {
    const header = '{"__proto__": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "constructor": {"dtype": "F32", "shape": [3], "data_offsets": [4, 16]}}';
    const tensors = await readTensors(text(header), "a.safetensors");
    expect(tensors.map(({ name }) => name)).toEqual(["__proto__", "constructor"]);
  });
});
