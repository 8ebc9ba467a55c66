// From a tensor of any number of dimensions to one matrix of tokens x features.

import { describe, expect, it } from "vitest";
import { selectSlice, toMatrix, type Tensor } from "../../web/files/index.js";
import { thrownBy } from "./files-support.js";

function counting(...shape: number[]): Tensor {
  const count = shape.reduce((product, size) => product * size, 1);
  return { name: "x", shape, data: Float32Array.from({ length: count }, (_, i) => i), dtype: "float32", warnings: [] };
}

describe("selectSlice", () => {
  it("takes the last two dimensions at the given indices", () => {
    expect(selectSlice(counting(2, 3, 2, 2), [1, 2])).toEqual({ rows: 2, cols: 2, data: Float32Array.of(20, 21, 22, 23) });
    expect(selectSlice(counting(3, 1, 2), [0])).toEqual({ rows: 1, cols: 2, data: Float32Array.of(0, 1) });
  });

  it("takes a matrix whole and a vector as one row, without indices", () => {
    expect(selectSlice(counting(2, 2), [])).toEqual({ rows: 2, cols: 2, data: Float32Array.of(0, 1, 2, 3) });
    expect(selectSlice(counting(3), [])).toEqual({ rows: 1, cols: 3, data: Float32Array.of(0, 1, 2) });
  });

  it("hands out a copy", () => {
    const tensor = counting(2, 2);
    selectSlice(tensor, []).data.fill(9);
    toMatrix(tensor).data.fill(9);
    expect(Array.from(tensor.data)).toEqual([0, 1, 2, 3]);
  });

  it("refuses a single number, which has no rows and columns", () => {
    const error = thrownBy(() => selectSlice(counting(), []));
    expect(error).toMatchObject({ code: "zero-dimensions", tensor: "x", message: "x: a single number (0) has no rows and columns to show" });
  });

  it.each([
    [[], "selectSlice: indices has 0 values, the shape [2, 3, 4] needs 1"],
    [[0, 1], "selectSlice: indices has 2 values, the shape [2, 3, 4] needs 1"],
    [[2], "selectSlice: indices[0] is 2, expected an integer from 0 to 1"],
    [[-1], "selectSlice: indices[0] is -1, expected an integer from 0 to 1"],
    [[0.5], "selectSlice: indices[0] is 0.5, expected an integer from 0 to 1"],
    [[NaN], "selectSlice: indices[0] is NaN, expected an integer from 0 to 1"],
  ])("indices %j do not fit a shape of 2 x 3 x 4, and the error says why", (indices, message) => {
    expect(() => selectSlice(counting(2, 3, 4), indices)).toThrow(new RangeError(message));
  });
});

describe("toMatrix", () => {
  it("makes rows of all dimensions but the last", () => {
    expect(toMatrix(counting(2, 3, 2))).toMatchObject({ rows: 6, cols: 2 });
    expect(toMatrix(counting(4, 5))).toMatchObject({ rows: 4, cols: 5 });
    expect(toMatrix(counting(5))).toMatchObject({ rows: 1, cols: 5 });
  });

  it("refuses a single number", () => {
    expect(thrownBy(() => toMatrix(counting())).code).toBe("zero-dimensions");
  });
});
