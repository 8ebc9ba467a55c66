// Writers: what they write reads back to the same float32 values, bit for bit, and in the fewest digits.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTable, writeCsv, writeNpy, type Matrix } from "../../web/files/index.js";
import { propertySeed, readOne, utf8 } from "./files-support.js";

const matrix = (rows: number, cols: number, values: Iterable<number>): Matrix => ({ rows, cols, data: Float32Array.from(values) });

/** Matrices of any finite float32: drawn by bit pattern, so that subnormals, powers of two and -0 occur. */
const matrices = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([rows, cols]) =>
  fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: rows * cols, maxLength: rows * cols }).map((values) => matrix(rows, cols, values)),
);
const bits = (data: Float32Array) => Array.from(new Uint32Array(data.buffer, data.byteOffset, data.length));
const csvOf = (value: number) => writeCsv(matrix(1, 1, [value])).trimEnd();
const run = { seed: propertySeed, numRuns: 500 };

describe("writeNpy", () => {
  it("writes what NumPy writes, to the byte", () => {
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117) + "\n";
    const bytes = writeNpy(matrix(2, 3, [1, 2, 3, 4, 5, 6]));
    expect(Array.from(bytes.subarray(0, 10))).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]);
    expect(new TextDecoder().decode(bytes.subarray(10, 128))).toBe(header);
    expect(bytes.subarray(128)).toEqual(new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer));
  });

  it("is read back to the same bits and shape", async () => {
    await fc.assert(fc.asyncProperty(matrices, async (written) => {
      const { shape, data } = await readOne(writeNpy(written));
      expect(shape).toEqual([written.rows, written.cols]);
      expect(bits(data)).toEqual(bits(written.data));
    }), run);
  });
});

describe("writeCsv", () => {
  it("writes a line a row", () => {
    expect(writeCsv(matrix(2, 2, [1, -2.5, 0.1, -0]))).toBe("1,-2.5\n0.1,-0\n");
  });

  it("is read back to the same bits and shape, as pasted text and as a file", async () => {
    await fc.assert(fc.asyncProperty(matrices, async (written) => {
      const text = writeCsv(written);
      const { rows, cols, data } = readTable(text);
      expect([rows, cols]).toEqual([written.rows, written.cols]);
      expect(bits(data)).toEqual(bits(written.data));
      expect(bits((await readOne(utf8(text), "a.csv")).data)).toEqual(bits(written.data));
    }), run);
  });

  it.each([
    [0.1, "0.1"], [1 / 3, "0.33333334"], [16777216, "16777216"], [3.4028234663852886e38, "3.4028235e+38"], [2 ** -149, "1e-45"],
    [2 ** -126, "1.1754944e-38"], [1e-7, "1e-7"], [123456.789, "123456.79"], [1e23, "1e+23"], [-999999, "-999999"],
    [2 ** 87, "1.5474251e+26"], [NaN, "nan"], [Infinity, "inf"], [-Infinity, "-inf"],
  ])("writes %d as %s", (value, text) => expect(csvOf(Math.fround(value))).toBe(text));

  it("writes no digit too many: no shorter decimal reads back to the same float32", () => {
    const significantDigits = (text: string) => text.replace(/e.*/, "").replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "").length || 1;
    const candidates = (value: number, digits: number) => {
      const nearest = Number(value.toPrecision(digits));
      const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
      return [nearest - step, nearest, nearest + step].map((decimal) => Number(decimal.toPrecision(digits)));
    };
    const check = (value: number) => {
      const digits = significantDigits(csvOf(value));
      return digits === 1 || !candidates(value, digits - 1).some((decimal) => Math.fround(decimal) === value);
    };
    const powersOfTwo = Array.from({ length: 277 }, (_, i) => 2 ** (i - 149));
    expect(powersOfTwo.filter((value) => !check(value))).toEqual([]);
    fc.assert(fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }).filter((value) => value !== 0), check), { seed: propertySeed, numRuns: 5000 });
  });
});

describe("a wrong call of a writer", () => {
  it.each([
    ["writeNpy", writeNpy], ["writeCsv", writeCsv],
  ])("%s names what was expected and what came", (name, write) => {
    expect(() => write(matrix(2, 3, [1, 2]))).toThrow(new RangeError(`${name}: data has 2 values, rows x cols is 2 x 3`));
    expect(() => write({ rows: 1, cols: 1, data: [1] as unknown as Float32Array })).toThrow(new TypeError(`${name}: data must be a Float32Array`));
  });
});
