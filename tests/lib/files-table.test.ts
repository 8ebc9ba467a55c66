// Tables of text: what people paste from spreadsheets and save from scripts, and what each broken table is told.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTable, readTensors } from "../../web/files/index.js";
import { propertySeed, readOne, thrownBy, utf8 } from "./files-support.js";

const cells = (text: string) => {
  const { rows, cols, data } = readTable(text);
  return Array.from({ length: rows }, (_, row) => Array.from(data.subarray(row * cols, (row + 1) * cols)));
};
const warningsOf = (text: string) => readTable(text).warnings.map(({ message }) => message);

describe("readTable", () => {
  it.each([
    ["commas", "1,2,3\n4,5,6"],
    ["commas and spaces", "1, 2, 3\n4 , 5 , 6\n"],
    ["tabs, as copied from a spreadsheet", "1\t2\t3\r\n4\t5\t6\r\n"],
    ["semicolons", "1;2;3\n4;5;6\n"],
    ["single spaces", "1 2 3\n4 5 6\n"],
    ["runs of spaces and an indent", "  1   2  3\n  4  5   6  \n"],
    ["old Macintosh line ends", "1,2,3\r4,5,6\r"],
    ["quotation marks", '"1","2","3"\n"4",5,"6"\n'],
    ["quotation marks between spaces", '"1" "2" "3"\n 4 "5" 6'],
    ["blank lines around it", "\n\n1,2,3\n4,5,6\n\n  \n"],
    ["a byte order mark", "\ufeff1,2,3\n4,5,6"],
    ["no-break spaces around cells", "\u00a01\t2\u00a0\t3\n4\t5\t6"],
  ])("reads a table with %s", (_, text) => {
    expect(cells(text)).toEqual([[1, 2, 3], [4, 5, 6]]);
    expect(warningsOf(text)).toEqual([]);
  });

  it.each([
    ["one cell", "7", [[7]]],
    ["one row", "1,2,3\n", [[1, 2, 3]]],
    ["one column", "1\n2\n3\n", [[1], [2], [3]]],
    ["every way to write a number", "+1.5,-.5,2.,1e3,1E-2,-1.25e+2,007", [[1.5, -0.5, 2, 1000, 0.01, -125, 7].map(Math.fround)]],
    ["the true minus sign in number and exponent", "\u22121.5,1e\u22122,\u22120.12345678901234567e\u22123", [[-1.5, 0.01, -0.12345678901234567e-3].map(Math.fround)]],
    ["a negative zero", "-0", [[-0]]],
    ["the smallest float32 and less", "1e-45,1e-46,-1e-400", [[Math.fround(1e-45), 0, -0]]],
    ["the largest float32", "3.4028234663852886e38", [[3.4028234663852886e38]]],
  ])("reads %s", (_, text, expected) => expect(cells(text)).toEqual(expected));

  it.each([
    ["tabs", "1,5\t\u22122,25\n3\t4,0"],
    ["semicolons", '"1,5";-2,25\n3;4,0'],
  ])("reads decimal commas between %s, and says so", (_, text) => {
    expect(cells(text)).toEqual([[1.5, -2.25], [3, 4]]);
    expect(warningsOf(text)).toEqual(["commas were read as decimal marks, the first at row 1, column 1: 1,5"]);
  });

  it("warns when every decimal comma could be a thousands separator", () => {
    expect(cells("1,234\t2,500\n5\t3,125")).toEqual([[1.234, 2.5], [5, 3.125]].map((row) => row.map(Math.fround)));
    expect(warningsOf("1,234\t2,500\n5\t3,125")).toEqual([
      "commas were read as decimal marks, but could be thousands separators: 1,234 at row 1, column 1 was read as 1.234",
    ]);
    expect(readTable("1,234\t0,500").warnings[0].code).toBe("decimal-comma");
  });

  it.each([
    ["names", "mean,std\n1,2", ["mean", "std"]],
    ["quoted names with separators, quotation marks and a line end", '"a, ""b""","c\nd"\n1,2', ['a, "b"', "c\nd"]],
    ["Chinese names", "均值\t标准差\n1\t2", ["均值", "标准差"]],
    ["an unnamed first column, as pandas writes", ",x\n1,2", ["", "x"]],
  ])("recognizes a header of %s and reports it", (_, text, header) => {
    const table = readTable(text);
    expect(table.header).toEqual(header);
    expect(Array.from(table.data)).toEqual([1, 2]);
    expect(table.warnings).toMatchObject([{ code: "header-row", details: { row: 1, cells: header } }]);
  });

  it("counts rows as a spreadsheet does, with header and leading comments", () => {
    expect(thrownBy(() => readTable("# made by a script\n# on Monday\na,b\n1,2\n3,x")).message).toBe('row 5, column 2: "x" is not a number');
    expect(warningsOf("# made by a script\n# on Monday\na,b\n1,2")).toEqual([
      "2 rows from row 1 on begin with # and were left out",
      "row 3 was read as names of columns: a, b",
    ]);
  });

  it("warns of integers that float32 rounds", () => {
    expect(readTable("1,16777216\n16777217,-123456789").warnings).toMatchObject([
      { code: "inexact-integers", details: { row: 2, column: 1, value: "16777217", count: 2 } },
    ]);
  });

  it("tells which separator it found", () => {
    expect(["1\t2", "1;2", "1,2", "1 2", "a;b\n1;2,5"].map((text) => readTable(text).separator)).toEqual(["\t", ";", ",", " ", ";"]);
  });

  it("lets NaN and infinities through when asked", () => {
    const { data } = readTable("NaN,-inf,Infinity,nan,+Inf\n1,2,3,4,5", { allowNonFinite: true });
    expect(Array.from(data.subarray(0, 5))).toEqual([NaN, -Infinity, Infinity, NaN, Infinity]);
  });

  it("reads any number as JavaScript does, rounded to float32", () => {
    const spelling = fc.tuple(
      fc.constantFrom("", "-", "+"), fc.bigInt(0n, 10n ** 22n), fc.option(fc.nat(20)), fc.option(fc.integer({ min: -60, max: 36 })),
    ).map(([sign, digits, fraction, exponent]) => {
      const text = String(digits);
      const cut = Math.max(0, text.length - (fraction ?? 0));
      return `${sign}${text.slice(0, cut)}${fraction ? `.${text.slice(cut)}` : ""}${exponent === null ? "" : `e${exponent}`}`;
    }).filter((text) => Math.abs(Math.fround(Number(text))) < Infinity);
    fc.assert(fc.property(spelling, (text) => Object.is(readTable(text).data[0], Math.fround(Number(text)))), { seed: propertySeed, numRuns: 5000 });
  });
});

describe("readTable faults", () => {
  it.each([
    ["nothing", "", "no-numbers", "the text holds no numbers"],
    ["only white space", " \n\t\n", "no-numbers", "the text holds no numbers"],
    ["only words", "hello world", "not-a-number", 'row 1, column 1: "hello" is not a number'],
    ["a short row", "1,2,3,4,5,6,7,8\n1,2,3,4,5,6,7,8\n1,2,3,4,5,6,7", "ragged-rows", "row 3 has 7 cells, row 1 has 8"],
    ["a row of one cell", "1 2\n3", "ragged-rows", "row 2 has 1 cell, row 1 has 2"],
    ["a header shorter than its rows", "a,b\n1,2,3", "ragged-rows", "row 2 has 3 cells, row 1 has 2"],
    ["text in a cell", "1,2,3,4,5\n1,2,3,4,abc", "not-a-number", 'row 2, column 5: "abc" is not a number'],
    ["text among numbers of the first row", "The,1,2\ncat,3,4", "not-a-number", 'row 1, column 1: "The" is not a number'],
    ["a hexadecimal number", "0x10,2", "not-a-number", 'row 1, column 1: "0x10" is not a number'],
    ["half an exponent", "1e,2", "not-a-number", 'row 1, column 1: "1e" is not a number'],
    ["two points", "1.2.3,2", "not-a-number", 'row 1, column 1: "1.2.3" is not a number'],
    ["a percentage", "5%,2", "not-a-number", 'row 1, column 1: "5%" is not a number'],
    ["a spreadsheet's fault", "1\t#DIV/0!", "not-a-number", 'row 1, column 2: "#DIV/0!" is not a number'],
    ["a spreadsheet's fault in front", "1\t2\n#DIV/0!\t3", "not-a-number", 'row 2, column 1: "#DIV/0!" is not a number'],
    ["a missing value", "N/A\n1\n2", "not-a-number", 'row 1, column 1: "N/A" is not a number'],
    ["a very long cell", `1,${"x".repeat(1000)}`, "not-a-number", `row 1, column 2: "${"x".repeat(40)}…" is not a number`],
    ["an empty cell", "1,2,3\n4,,6", "empty-cell", "row 2, column 2 is empty"],
    ["an empty cell in quotation marks", '1,""', "empty-cell", "row 1, column 2 is empty"],
    ["an empty last cell", "1,2,\n3,4,", "empty-cell", "row 1, column 3 is empty"],
    ["an empty row between rows", "1,2\n\n3,4", "empty-row", "row 2 is empty"],
    ["a thousands comma in quotation marks", '"1,234",5', "thousands-separator", 'row 1, column 1: "1,234" has a thousands separator; write the digits without one'],
    ["a thousands comma and a point", "1\t1,234.5", "thousands-separator", 'row 1, column 2: "1,234.5" has a thousands separator; write the digits without one'],
    ["a thousands point and a comma", "1;1.234,5", "thousands-separator", 'row 1, column 2: "1.234,5" has a thousands separator; write the digits without one'],
    ["two thousands commas", "1,234,567\t1", "thousands-separator", 'row 1, column 1: "1,234,567" has a thousands separator; write the digits without one'],
    ["a thousands apostrophe", "1'234\t1", "thousands-separator", `row 1, column 1: "1'234" has a thousands separator; write the digits without one`],
    ["a thousands space", "1\u202f234\t1", "thousands-separator", 'row 1, column 1: "1\u202f234" has a thousands separator; write the digits without one'],
    ["a comma after points", "0.5\t1\n2\t1,234", "mixed-decimal", 'row 2, column 2: "1,234" and cells before it use different decimal marks'],
    ["a point after commas", "0,5\t1\n2\t1.234", "mixed-decimal", 'row 2, column 2: "1.234" and cells before it use different decimal marks'],
    ["a quotation mark that stays open", '1,2\n3,"4\n5,6', "unclosed-quote", "row 2, column 2: the quotation mark that opens here is never closed"],
    ["text after a closing quotation mark", '"1"2,3', "stray-quote", 'row 1, column 1: "2,3" follows a closing quotation mark'],
    ["NaN", "1,2\n3,NaN", "non-finite", "row 2, column 2: NaN is not a finite number"],
    ["NaN in the first row", "nan\n1", "non-finite", "row 1, column 1: nan is not a finite number"],
    ["infinity", "1,-inf", "non-finite", "row 1, column 2: -inf is not a finite number"],
    ["a number beyond float32", "1,1e39", "overflow", "row 1, column 2: 1e39 is beyond the largest float32, 3.4028235e+38"],
    ["a number beyond float64", "1,-1e999", "overflow", "row 1, column 2: -1e999 is beyond the largest float32, 3.4028235e+38"],
  ])("%s: the message says so", (_, text, code, message) => {
    const error = thrownBy(() => readTable(text));
    expect(error.message).toBe(message);
    expect(error.code).toBe(code);
  });

  it("carries the facts for a translation", () => {
    expect(thrownBy(() => readTable("1,2\n3")).details).toEqual({ row: 2, got: 1, firstRow: 1, expected: 2 });
    expect(thrownBy(() => readTable("1,abc")).details).toEqual({ row: 1, column: 2, value: "abc" });
  });

  it("refuses an overflow even when infinities may pass", () => {
    expect(thrownBy(() => readTable("1e39", { allowNonFinite: true })).code).toBe("overflow");
  });

  it("refuses a text beyond the limit", () => {
    expect(thrownBy(() => readTable("1,2,3", { maxBytes: 4 }))).toMatchObject({ code: "too-large", details: { got: 5, limit: 4 } });
  });
});

describe("table files", () => {
  it.each(["a.csv", "a.tsv", "a.txt", "a"])("%s is one tensor of rows x cols named as the file", async (name) => {
    expect(await readOne(utf8("1\t2\n3\t4\n5\t6\n"), name)).toMatchObject({ name: "a", dtype: "text", shape: [3, 2], warnings: [] });
  });

  it.each([["utf-16le", 0xff, 0xfe, 0], ["utf-16be", 0xfe, 0xff, 1]])("is read from %s, as Excel saves Unicode text", async (_, first, second, low) => {
    const text = "均值\t标准差\r\n1\t2\r\n";
    const bytes = new Uint8Array(2 + text.length * 2);
    bytes.set([first, second]);
    Array.from(text).forEach((character, i) => {
      bytes[2 + 2 * i + low] = character.charCodeAt(0) & 0xff;
      bytes[3 + 2 * i - low] = character.charCodeAt(0) >> 8;
    });
    const tensor = await readOne(bytes, "a.txt");
    expect(Array.from(tensor.data)).toEqual([1, 2]);
    expect(tensor.warnings).toMatchObject([{ code: "header-row", details: { cells: ["均值", "标准差"] } }]);
  });

  it("is read from GB 18030, as Chinese Excel saves .csv, with a warning", async () => {
    const bytes = Uint8Array.from([0xbe, 0xf9, 0xd6, 0xb5, 0x2c, 0x78, 0x0a, 0x31, 0x2c, 0x32]); // 均值,x
    const { warnings } = await readOne(bytes, "a.csv");
    expect(warnings.map(({ message }) => message)).toEqual([
      "byte 0 is no UTF-8; the text was read as gb18030",
      "row 1 was read as names of columns: 均值, x",
    ]);
  });

  it("is read from Windows-1252 when it is neither, with a warning", async () => {
    const { warnings } = await readOne(Uint8Array.from([0x78, 0x2c, 0xb5, 0x0a, 0x31, 0x2c, 0x32]), "a.csv"); // x,µ
    expect(warnings).toMatchObject([{ code: "not-utf8", details: { offset: 2, encoding: "windows-1252" } }, { details: { cells: ["x", "µ"] } }]);
  });

  it("reads 200,000 cells in well under the time that a quadratic step would take", async () => {
    const row = Array.from({ length: 200 }, (_, i) => (i / 7 - 30).toFixed(6));
    const shapes = { square: Array(1000).fill(row.join(",")).join("\n"), "one row": Array(1000).fill(row.join(",")).join(","), "one column": Array(1000).fill(row.join("\n")).join("\n") };
    for (const text of Object.values(shapes)) {
      const start = performance.now();
      const [tensor] = await readTensors(utf8(text), "a.csv");
      expect(tensor.data).toHaveLength(200_000);
      expect(performance.now() - start).toBeLessThan(20_000);
    }
  });
});
