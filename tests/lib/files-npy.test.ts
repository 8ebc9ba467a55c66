// .npy: every dtype in both byte orders, both memory orders, all versions, and what each broken file is told.

import { describe, expect, it } from "vitest";
import { float32Bytes, npy, packed, readOne, refusal, utf8, type Writer } from "./files-support.js";

const halfBits = new Map([[0, 0x0000], [1, 0x3c00], [-2, 0xc000], [0.5, 0x3800], [65504, 0x7bff], [2 ** -24, 0x0001], [-(2 ** -14), 0x8400], [1023 * 2 ** -24, 0x03ff]]);

const numberTypes: [code: string, name: string, size: number, values: number[], write: Writer][] = [
  ["f2", "float16", 2, [...halfBits.keys()], (v, o, x, le) => v.setUint16(o, halfBits.get(x)!, le)],
  ["f4", "float32", 4, [0, -1.5, 3.4028234663852886e38, 1.401298464324817e-45], (v, o, x, le) => v.setFloat32(o, x, le)],
  ["f8", "float64", 8, [0, -1.5, 2 ** 100, 0.1], (v, o, x, le) => v.setFloat64(o, x, le)],
  ["i1", "int8", 1, [0, 127, -128, -1], (v, o, x) => v.setInt8(o, x)],
  ["u1", "uint8", 1, [0, 255, 128, 1], (v, o, x) => v.setUint8(o, x)],
  ["i2", "int16", 2, [0, 32767, -32768, 258], (v, o, x, le) => v.setInt16(o, x, le)],
  ["u2", "uint16", 2, [0, 65535, 258, 1], (v, o, x, le) => v.setUint16(o, x, le)],
  ["i4", "int32", 4, [0, -(2 ** 31), 2 ** 24, 16909060 - 4], (v, o, x, le) => v.setInt32(o, x, le)],
  ["u4", "uint32", 4, [0, 2 ** 31, 2 ** 24, 258], (v, o, x, le) => v.setUint32(o, x, le)],
  ["i8", "int64", 8, [0, -(2 ** 63), 2 ** 40, -258], (v, o, x, le) => v.setBigInt64(o, BigInt(x), le)],
  ["u8", "uint64", 8, [0, 2 ** 63, 2 ** 40, 258], (v, o, x, le) => v.setBigUint64(o, BigInt(x), le)],
];

describe(".npy values", () => {
  for (const [code, dtype, size, values, write] of numberTypes) {
    it.each([["<", true], [">", false]] as const)(`${code} is read in byte order %s`, async (order, little) => {
      const tensor = await readOne(npy(packed(values, size, write, little), { descr: order + code, shape: `(${values.length},)` }));
      expect(tensor).toMatchObject({ name: "array", dtype, shape: [values.length], warnings: [] });
      expect(Array.from(tensor.data)).toEqual(values.map(Math.fround));
    });
  }

  it.each(["|b1", "?"])("bool as %s is 0 and 1, any bit set counting as true", async (descr) => {
    const tensor = await readOne(npy(Uint8Array.of(0, 1, 1, 255), { descr, shape: "(2, 2)" }));
    expect(tensor).toMatchObject({ dtype: "bool", shape: [2, 2] });
    expect(Array.from(tensor.data)).toEqual([0, 1, 1, 1]);
  });

  it("reads all 65,536 float16 patterns as their formula says, subnormals and infinities included", async () => {
    const patterns = Array.from({ length: 0x10000 }, (_, i) => i);
    const bytes = packed(patterns, 2, (v, o, x, le) => v.setUint16(o, x, le), true);
    const { data } = await readOne(npy(bytes, { descr: "<f2", shape: "(65536,)" }), "a.npy", { allowNonFinite: true });
    const wrong = patterns.filter((bits) => {
      const sign = bits >> 15 ? -1 : 1;
      const exponent = (bits >> 10) & 31;
      const fraction = bits & 1023;
      const value = exponent === 31 ? (fraction ? NaN : sign * Infinity) : exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
      return !Object.is(data[bits], value);
    });
    expect(wrong).toEqual([]);
  });

  it("reads the same from bytes at an odd address, and leaves them as they were", async () => {
    const file = npy(packed([1, 2, 3, 4], 4, (v, o, x, le) => v.setFloat32(o, x, le), false), { descr: ">f4" });
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    const before = shifted.slice();
    expect(Array.from((await readOne(shifted.subarray(1))).data)).toEqual([1, 2, 3, 4]);
    expect(shifted).toEqual(before);
  });

  it("hands out values that are not a view of the file's bytes", async () => {
    const file = npy(float32Bytes(1, 2));
    const { data } = await readOne(file);
    data.fill(9);
    expect(Array.from((await readOne(file)).data)).toEqual([1, 2]);
  });
});

describe(".npy shapes and headers", () => {
  it("turns a Fortran-ordered matrix into C order", async () => {
    const { data, shape } = await readOne(npy(float32Bytes(11, 21, 12, 22, 13, 23), { shape: "(2, 3)", fortran: true }));
    expect(shape).toEqual([2, 3]);
    expect(Array.from(data)).toEqual([11, 12, 13, 21, 22, 23]);
  });

  it.each([[[2, 3, 4]], [[40, 3, 50]], [[2, 1, 3, 5]], [[1, 70, 1]], [[33, 65]], [[4, 3, 2, 5, 2]]])("turns a Fortran-ordered array of %j into C order", async (shape) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const stored = new Float32Array(count);
    for (let inC = 0; inC < count; inC++) {
      let rest = inC;
      let inFortran = 0;
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        inFortran += (rest % shape[axis]) * shape.slice(0, axis).reduce((product, size) => product * size, 1);
        rest = Math.floor(rest / shape[axis]);
      }
      stored[inFortran] = inC;
    }
    const { data } = await readOne(npy(new Uint8Array(stored.buffer), { shape: `(${shape.join(", ")})`, fortran: true }));
    expect(data).toEqual(Float32Array.from({ length: count }, (_, i) => i));
  });

  it.each([1, 2, 3] as const)("reads version %i", async (version) => {
    expect(Array.from((await readOne(npy(float32Bytes(1, 2), { version }))).data)).toEqual([1, 2]);
  });

  it.each([
    ["()", []], ["(4,)", [4]], ["(2, 2)", [2, 2]], ["(2,2,)", [2, 2]], ["(1L, 4L)", [1, 4]],
  ])("reads the shape %s", async (shape, sizes) => {
    const data = float32Bytes(...Array.from({ length: sizes.length ? 4 : 1 }, (_, i) => i));
    expect((await readOne(npy(data, { shape }))).shape).toEqual(sizes);
  });

  it("reads keys in any order and with either quotation mark", async () => {
    const header = `{"shape": (1,), "fortran_order": False, "descr": "<f4"}`;
    expect(Array.from((await readOne(npy(float32Bytes(7), { header }))).data)).toEqual([7]);
  });

  it("warns of bytes after the data", async () => {
    const { warnings } = await readOne(npy(float32Bytes(1, 2, 3), { shape: "(2,)" }));
    expect(warnings.map(({ code, message }) => ({ code, message }))).toEqual([
      { code: "trailing-bytes", message: "4 bytes after the data, from byte 136 on, were left out" },
    ]);
  });

  it("warns of integers that float32 rounds, with a place and the integer itself", async () => {
    const bytes = new Uint8Array(BigInt64Array.of(1n, 16777216n, 16777217n, -9007199254740993n, 2n ** 62n, 5n).buffer);
    const { warnings, data } = await readOne(npy(bytes, { descr: "<i8", shape: "(2, 3)" }));
    expect(data[3]).toBe(-9007199254740992);
    expect(warnings).toEqual([
      {
        code: "inexact-integers",
        details: { row: 1, column: 3, index: [0, 2], value: "16777217", count: 2 },
        message: "2 integers are too long for float32 and rounded, such as 16777217 at row 1, column 3",
      },
    ]);
  });

  it("places a rounded integer of a Fortran-ordered array where it stands in C order", async () => {
    const bytes = new Uint8Array(Int32Array.of(0, 0, 0, 16777217, 0, 0).buffer);
    const { warnings } = await readOne(npy(bytes, { descr: "<i4", shape: "(2, 3)", fortran: true }));
    expect(warnings[0].details).toMatchObject({ row: 2, column: 2, index: [1, 1], value: "16777217" });
  });

  it("rounds 64-bit integers once, not first to double and then to float32", async () => {
    const above = 2n ** 60n + 2n ** 36n + 1n; // just above the midpoint of two float32, by less than a double shows
    const bytes = new Uint8Array(BigInt64Array.of(above, -above).buffer);
    const { data } = await readOne(npy(bytes, { descr: "<i8", shape: "(2,)" }));
    expect(Array.from(data)).toEqual([2 ** 60 + 2 ** 37, -(2 ** 60) - 2 ** 37]);
  });
});

const cut = (bytes: Uint8Array, length: number) => bytes.subarray(0, length);
const withByte = (bytes: Uint8Array, at: number, value: number) => {
  const copy = bytes.slice();
  copy[at] = value;
  return copy;
};
const whole = npy(float32Bytes(1, 2, 3, 4), { shape: "(2, 2)" });

describe(".npy faults", () => {
  it.each([
    ["another file", utf8("PNG, not an array"), "wrong-magic", "not a .npy file: byte 0 on should be 93 4e 55 4d 50 59, it is 50 4e 47 2c 20 6e"],
    ["a file cut within the magic", cut(whole, 4), "truncated", "the file is cut off: 2 bytes should follow from byte 6 on, 0 are there"],
    ["a file cut within the header", cut(whole, 60), "truncated", "the file is cut off: 118 bytes should follow from byte 10 on, 50 are there"],
    ["a file cut within the data", cut(whole, whole.length - 3), "truncated", "the file is cut off: 16 bytes should follow from byte 128 on, 13 are there"],
    ["version 9", withByte(whole, 6, 9), "unsupported-version", ".npy version 9.0 is not read, only 1.0, 2.0 and 3.0"],
    ["an unclosed header", npy(float32Bytes(1), { header: "{'descr': '<f4'" }), "bad-header", 'the .npy header cannot be read at byte 64: expected "," or "}", got the end of the header'],
    ["a header of another kind", npy(float32Bytes(1), { header: "[1, 2]" }), "bad-header", 'the .npy header cannot be read at byte 10: expected "{", got "[1, 2]      "'],
    ["a header without a shape", npy(float32Bytes(1), { header: "{'descr': '<f4', 'fortran_order': False}" }), "bad-header", "the .npy header cannot be read at byte 64: expected the key shape, got none"],
    ["a key twice", npy(float32Bytes(1), { header: "{'descr': '<f4', 'descr': '<f4'}" }), "bad-header", 'the .npy header cannot be read at byte 27: expected each key once, got "descr" again'],
    ["an unknown key", npy(float32Bytes(1), { header: "{'order': 'C'}" }), "bad-header", 'the .npy header cannot be read at byte 11: expected the keys descr, fortran_order and shape, got "order"'],
    ["a negative size", npy(float32Bytes(1), { shape: "(-1,)" }), "bad-header", 'the .npy header cannot be read at byte 61: expected a size, got "-1,), }     "'],
    ["complex numbers", npy(float32Bytes(1, 2), { descr: "<c8", shape: "(1,)" }), "unsupported-dtype", 'values of type "<c8" (complex numbers) cannot be shown as float32 numbers'],
    ["pickled objects", npy(utf8("\x80\x04"), { descr: "|O", shape: "(1,)" }), "unsupported-dtype", 'values of type "|O" (pickled Python objects) cannot be shown as float32 numbers'],
    ["text", npy(new Uint8Array(20), { descr: "<U5", shape: "(1,)" }), "unsupported-dtype", 'values of type "<U5" (text) cannot be shown as float32 numbers'],
    ["dates", npy(new Uint8Array(8), { descr: "<M8[ns]", shape: "(1,)" }), "unsupported-dtype", 'values of type "<M8[ns]" (dates) cannot be shown as float32 numbers'],
    ["a long double", npy(new Uint8Array(16), { descr: "<f16", shape: "(1,)" }), "unsupported-dtype", 'values of type "<f16" (a float of unusual size) cannot be shown as float32 numbers'],
    ["records", npy(new Uint8Array(8), { header: "{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,), }" }), "unsupported-dtype", "values of type \"[('x', '<f4'), ('y', '<f4')]\" (records of several fields) cannot be shown as float32 numbers"],
    ["a name of Object.prototype as dtype", npy(float32Bytes(1), { descr: "<constructor" }), "unsupported-dtype", 'values of type "<constructor" (unknown here) cannot be shown as float32 numbers'],
    ["no rows", npy(new Uint8Array(0), { shape: "(0, 8)" }), "zero-size", "the shape is 0 x 8: there is nothing to show"],
    ["a shape beyond 2^53", npy(float32Bytes(1), { shape: "(4294967296, 4294967296)" }), "bad-shape", "shape [4294967296, 4294967296]: expected a product below 2^53"],
    ["a size beyond 2^53", npy(float32Bytes(1), { shape: "(99999999999999999999,)" }), "bad-shape", "shape [100000000000000000000]: expected whole sizes from 0 to 2^53"],
    ["65 dimensions", npy(float32Bytes(1), { shape: `(${"1, ".repeat(65)})` }), "bad-shape", "shape of 65 dimensions: expected at most 64"],
    ["a claim of 400 TB", npy(float32Bytes(1), { shape: "(100000000, 1000000)" }), "truncated", "the file is cut off: 400000000000000 bytes should follow from byte 128 on, 4 are there"],
    ["NaN", npy(float32Bytes(1, 2, 3, NaN), { shape: "(2, 2)" }), "non-finite", "row 2, column 2: NaN is not a finite number"],
    ["minus infinity within a larger array", npy(float32Bytes(1, 2, 3, 4, 5, 6, -Infinity, 8), { shape: "(2, 2, 2)" }), "non-finite", "row 2, column 1 of slice [1]: -Infinity is not a finite number"],
    ["infinity in Fortran order", npy(float32Bytes(1, Infinity, 3, 4, 5, 6), { shape: "(2, 3)", fortran: true }), "non-finite", "row 2, column 1: Infinity is not a finite number"],
    ["float64 beyond float32", npy(new Uint8Array(Float64Array.of(1, -1e39).buffer), { descr: "<f8", shape: "(2,)" }), "overflow", "row 1, column 2: -1e+39 is beyond the largest float32, 3.4028235e+38"],
  ])("%s: the message says so", async (_, bytes, code, message) => {
    const error = await refusal(bytes, "array.npy");
    expect(error.message).toBe(message);
    expect(error.code).toBe(code);
  });

  it("carries the facts for a translation", async () => {
    expect((await refusal(cut(whole, whole.length - 3), "a.npy")).details).toEqual({ offset: 128, expected: 16, got: 13 });
    expect((await refusal(npy(float32Bytes(1, 2, 3, NaN), { shape: "(2, 2)" }), "a.npy")).details).toEqual({ row: 2, column: 2, index: [1, 1], value: "NaN" });
  });

  it("lets NaN and infinities through when asked, but no overflow", async () => {
    const { data } = await readOne(npy(float32Bytes(NaN, Infinity, 1)), "a.npy", { allowNonFinite: true });
    expect(Array.from(data)).toEqual([NaN, Infinity, 1]);
    const error = await refusal(npy(new Uint8Array(Float64Array.of(Infinity, 1e39).buffer), { descr: "<f8", shape: "(2,)" }), "a.npy", { allowNonFinite: true });
    expect(error).toMatchObject({ code: "overflow", details: { row: 1, column: 2, value: "1e+39" } });
  });

  it("refuses a header of more than a mebibyte before reading it", async () => {
    const bytes = npy(float32Bytes(1), { version: 2 });
    new DataView(bytes.buffer).setUint32(8, 0x7fffffff, true);
    expect((await refusal(bytes, "a.npy")).message).toBe("the .npy header cannot be read at byte 8: expected a header of at most 1048576 bytes, got 2147483647");
  });
});
