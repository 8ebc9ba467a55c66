// .json: nested arrays of any depth, arrays by name, and the place of every fault.

import { describe, expect, it } from "vitest";
import { readTensors } from "../../web/files/index.js";
import { readOne, refusal, utf8 } from "./files-support.js";

const read = (text: string) => readOne(utf8(text), "array.json");

describe(".json values", () => {
  it.each([
    ["a vector", "[1, 2, 3]", [3], [1, 2, 3]],
    ["a matrix", " [[1, -2.5],\r\n\t[3e2, 0.125]] ", [2, 2], [1, -2.5, 300, 0.125]],
    ["three dimensions", "[[[1, 2]], [[3, 4]], [[5, 6]]]", [3, 1, 2], [1, 2, 3, 4, 5, 6]],
    ["five dimensions", "[[[[[1], [2]]]]]", [1, 1, 1, 2, 1], [1, 2]],
  ])("reads %s", async (_, text, shape, data) => {
    const tensor = await read(text);
    expect(tensor).toMatchObject({ name: "array", dtype: "text", shape, warnings: [] });
    expect(Array.from(tensor.data)).toEqual(data.map(Math.fround));
  });

  it("reads arrays by name, in the text's order and whatever the names", async () => {
    const tensors = await readTensors(utf8('{"x": [[1, 2]], "__proto__": [3], "a\\u00e9\\"b": [4]}'), "a.json");
    expect(tensors.map(({ name, shape, data }) => [name, shape, Array.from(data)])).toEqual([
      ["x", [1, 2], [1, 2]], ["__proto__", [1], [3]], ['aé"b', [1], [4]],
    ]);
  });

  it("is found by its first character when the name does not say", async () => {
    expect((await readOne(utf8("\ufeff \n[[1, 2]]"), "pasted")).shape).toEqual([1, 2]);
    expect((await readOne(utf8("[[1, 2]]"), "pasted.txt")).shape).toEqual([1, 2]);
  });

  it("warns of integers that float32 rounds", async () => {
    expect((await read("[[1, 2], [3, 16777217]]")).warnings).toMatchObject([
      { code: "inexact-integers", details: { row: 2, column: 2, value: "16777217", count: 1 } },
    ]);
  });

  it("lets Python's NaN and Infinity through when asked", async () => {
    const { data } = await readOne(utf8("[NaN, Infinity, -Infinity]"), "a.json", { allowNonFinite: true });
    expect(Array.from(data)).toEqual([NaN, Infinity, -Infinity]);
  });

  it("reports members that are no arrays of numbers when asked, and reads the others", async () => {
    const text = '{"seed": 42, "note": "a [b", "ragged": [[1, 2], [3]], "nested": {"x": [1]}, "x": [[1, 2]], "none": null}';
    const refused: string[] = [];
    const tensors = await readTensors(utf8(text), "a.json", { onRefused: (_, error) => refused.push(error.message) });
    expect(tensors.map(({ name }) => name)).toEqual(["x"]);
    expect(refused).toEqual([
      "seed: expected an array of numbers, got 42",
      "note: expected an array of numbers, got text",
      "ragged: row 2 has 1 cell, row 1 has 2",
      "nested: expected an array of numbers, got an object",
      "none: expected an array of numbers, got null",
    ]);
  });
});

describe(".json faults", () => {
  it.each([
    ["a number alone", "42", "json-not-an-array", "expected an array of numbers, got 42"],
    ["text alone", '"abc"', "json-not-an-array", "expected an array of numbers, got text"],
    ["nothing but space", "  ", "json-not-an-array", "expected an array of numbers, got the end of the text"],
    ["an object without arrays", "{}", "no-arrays", "the .json file holds no arrays"],
    ["an empty array", "[]", "zero-size", "the shape is 0: there is nothing to show"],
    ["empty rows", "[[], []]", "zero-size", "the shape is 2 x 0: there is nothing to show"],
    ["a short row", "[[1, 2, 3], [1, 2, 3], [1, 2]]", "ragged-rows", "row 3 has 2 cells, row 1 has 3"],
    ["an empty row after full ones", "[[1, 2], []]", "ragged-rows", "row 2 has 0 cells, row 1 has 2"],
    ["a full row after an empty one", "[[], [1]]", "ragged-rows", "row 2 has 1 cell, row 1 has 0"],
    ["slices of different height", "[[[1], [2]], [[1]]]", "ragged-nesting", "[1]: expected 2 items, as in the first array of this level, got 1"],
    ["rows of different width in slices", "[[[1, 2]], [[1]]]", "ragged-nesting", "[1][0]: expected 2 items, as in the first array of this level, got 1"],
    ["a number among rows", "[[1, 2], 3]", "ragged-nesting", "[1]: expected an array, got a number"],
    ["a number after an empty row", "[[], 3]", "ragged-nesting", "[1]: expected an array, got a number"],
    ["a row among numbers", "[1, [2]]", "ragged-nesting", "[1]: expected a number, got an array"],
    ["text among numbers", '[[1, 2], [3, "abc"]]', "not-a-number", 'row 2, column 2: "abc" is not a number'],
    ["null among numbers", "[[1, null]]", "not-a-number", 'row 1, column 2: "null" is not a number'],
    ["true in a slice", "[[[1, 2]], [[true, 4]]]", "not-a-number", 'row 1, column 1 of slice [1]: "true" is not a number'],
    ["an object in an array", '[{"a": 1}]', "not-a-number", 'row 1, column 1: "an object" is not a number'],
    ["NaN", "[[1, 2], [NaN, 4]]", "non-finite", "row 2, column 1: NaN is not a finite number"],
    ["a number beyond float32", "[1, 1e39]", "overflow", "row 1, column 2: 1e39 is beyond the largest float32, 3.4028235e+38"],
    ["a number beyond float64", "[1, -1e999]", "overflow", "row 1, column 2: -1e999 is beyond the largest float32, 3.4028235e+38"],
    ["a text that is cut off", "[[1, 2],\n [3, ", "bad-json", "line 2, column 6: expected a number, got the end of the text"],
    ["a missing comma", "[[1, 2]\n[3, 4]]", "bad-json", 'line 2, column 1: expected "," or "]", got an array'],
    ["a comma too many", "[1, 2, ]", "bad-json", 'line 1, column 8: expected a number, got "]"'],
    ["text behind the end", "[1] x", "bad-json", "line 1, column 5: expected the end of the text, got x"],
    ["a name without quotation marks", "{x: [1]}", "bad-json", "line 1, column 2: expected a name in quotation marks, got x"],
    ["a name that stays open", '{"x', "bad-json", "line 1, column 4: expected a closing quotation mark, got the end of the text"],
    ["a wrong escape", '{"\\q": [1]}', "bad-json", "line 1, column 2: expected text with valid escapes, got text"],
    ["a name without a value", '{"x"}', "bad-json", 'line 1, column 5: expected ":", got "}"'],
    ["one name twice", '{"x": [1], "x": [2]}', "duplicate-name", 'the name "x" occurs twice'],
    ["a hundred levels", "[".repeat(100) + "1" + "]".repeat(100), "bad-json", "line 1, column 66: expected at most 64 levels, got an array"],
  ])("%s: the message says so", async (_, text, code, message) => {
    const error = await refusal(utf8(text), "array.json");
    expect(error.message).toBe(message);
    expect(error.code).toBe(code);
  });

  it("names the array among several", async () => {
    expect(await refusal(utf8('{"x": [1], "y": [1, NaN]}'), "a.json")).toMatchObject({ tensor: "y", message: "y: row 1, column 2: NaN is not a finite number" });
  });

  it("does not run out of stack on a million brackets", async () => {
    expect((await refusal(utf8("[".repeat(1e6)), "a.json")).code).toBe("bad-json");
  });
});
