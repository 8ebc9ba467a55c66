// Every wrong call is refused before wasm is entered, with a message that names the argument, what came and what was expected.
import { describe, expect, test } from "vitest";
import type { Addnorm, LayerNorm } from "../../web/lib/api.js";
import { load } from "./support/package.js";

const an = await load();
const x = new Float32Array(8);
const cols = 4;

function detached(): Float32Array {
  const array = new Float32Array(8);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

function freed(): unknown {
  const matrix = an.matrix(2, 4);
  matrix.free();
  return matrix;
}

/** Calls as plain JavaScript can make them. */
const any = an as unknown as Record<keyof Addnorm, (...args: unknown[]) => unknown> & {
  LayerNorm: new (...args: unknown[]) => LayerNorm;
  PreNormResidual: new (...args: unknown[]) => unknown;
};
const norm = new an.LayerNorm(4);

type Row = [what: string, call: () => unknown, kind: typeof TypeError | typeof RangeError, message: string];

const MATRICES = "expected a Float32Array, Float64Array, number[], number[][] or a matrix of an.matrix";
const VECTORS = "expected a Float32Array, Float64Array, number[] or a matrix of an.matrix";

const sizes: Row[] = [
  ["missing options", () => any.layerNorm(x), TypeError, "layerNorm: the options are missing, expected { cols, ... }"],
  ["options that are no object", () => any.layerNorm(x, 4), TypeError, "layerNorm: the options are the number 4, expected { cols, ... }"],
  ["missing cols", () => any.layerNorm(x, {}), TypeError, "layerNorm: cols is missing, expected a whole number of at least 1"],
  ["cols of 0", () => any.layerNorm(x, { cols: 0 }), RangeError, "layerNorm: cols is 0, expected a whole number of at least 1"],
  ["negative cols", () => any.rmsNorm(x, { cols: -4 }), RangeError, "rmsNorm: cols is -4, expected a whole number of at least 1"],
  ["fractional cols", () => any.addNorm(x, x, { cols: 2.5 }), RangeError, "addNorm: cols is 2.5, expected a whole number of at least 1"],
  ["NaN for cols", () => any.rowStats(x, { cols: NaN }), RangeError, "rowStats: cols is NaN, expected a whole number of at least 1"],
  ["infinite cols", () => any.layerNorm(x, { cols: Infinity }), RangeError, "layerNorm: cols is Infinity, expected a whole number of at least 1"],
  ["cols as text", () => any.layerNorm(x, { cols: "4" }), TypeError, 'layerNorm: cols is the string "4", expected a whole number of at least 1'],
  ["x that is no whole number of rows", () => any.layerNorm(new Float32Array(9), { cols }), RangeError, "layerNorm: x has 9 values, not a multiple of cols, which is 4"],
  ["a short row", () => any.layerNorm([[1, 2, 3, 4], [1, 2, 3]], { cols }), RangeError, "layerNorm: row 1 of x has 3 values, cols is 4"],
  ["a long row", () => any.layerNorm([[1, 2, 3, 4, 5]], { cols }), RangeError, "layerNorm: row 0 of x has 5 values, cols is 4"],
  ["ragged rows where any width will do", () => any.residualAdd([[1, 2], [3]], [1, 2, 3]), RangeError, "residualAdd: row 1 of x has 1 values, row 0 has 2"],
  ["a row that is no array", () => any.layerNorm([[1, 2, 3, 4], 5], { cols }), TypeError, "layerNorm: row 1 of x is the number 5, expected an array of numbers"],
  ["fx of another length", () => any.addNorm(x, new Float32Array(4), { cols }), RangeError, "addNorm: fx has 4 values, x has 8"],
  ["fx of another length in residualAdd", () => any.residualAdd(x, [1]), RangeError, "residualAdd: fx has 1 values, x has 8"],
  ["dy of another length", () => any.layerNormBackward(x, [1, 2, 3, 4], { cols }), RangeError, "layerNormBackward: dy has 4 values, x has 8"],
  ["missing dy", () => any.addNormBackward(x, x, { cols }), TypeError, `addNormBackward: dy is undefined, ${MATRICES}`],
  ["dsum of another length", () => any.addNormBackward(x, x, { cols, dy: x, dsum: [1] }), RangeError, "addNormBackward: dsum has 1 values, x has 8"],
  ["gamma of another length", () => any.layerNorm(x, { cols, gamma: new Float32Array(7) }), RangeError, "layerNorm: gamma has 7 values, cols is 4"],
  ["beta of another length", () => any.layerNorm(x, { cols, beta: [1] }), RangeError, "layerNorm: beta has 1 values, cols is 4"],
  ["a matrix of another width", () => any.layerNorm(an.matrix(4, 2), { cols }), RangeError, "layerNorm: x is a 4 x 2 matrix, cols is 4"],
  ["weight of another size", () => any.linear(x, { weight: new Float32Array(8), inFeatures: 4, outFeatures: 3 }), RangeError, "linear: weight has 8 values, outFeatures * inFeatures is 12"],
  ["bias of another length", () => any.linear(x, { weight: new Float32Array(12), bias: [1], inFeatures: 4, outFeatures: 3 }), RangeError, "linear: bias has 1 values, outFeatures is 3"],
  ["x that does not fit inFeatures", () => any.linear(x, { weight: [1, 2, 3], inFeatures: 3, outFeatures: 1 }), RangeError, "linear: x has 8 values, not a multiple of inFeatures, which is 3"],
  ["inFeatures of 0", () => any.linear(x, { weight: [], inFeatures: 0, outFeatures: 1 }), RangeError, "linear: inFeatures is 0, expected a whole number of at least 1"],
  ["negative rows of a matrix", () => any.matrix(-1, 4), RangeError, "matrix: rows is -1, expected a whole number of at least 0"],
  ["a matrix without cols", () => any.matrix(2), TypeError, "matrix: cols is missing, expected a whole number of at least 1"],
  ["dModel of 0", () => new any.LayerNorm(0), RangeError, "LayerNorm: dModel is 0, expected a whole number of at least 1"],
];

const kinds: Row[] = [
  ["x that is missing", () => any.layerNorm(undefined, { cols }), TypeError, `layerNorm: x is undefined, ${MATRICES}`],
  ["null for x", () => any.layerNorm(null, { cols }), TypeError, `layerNorm: x is null, ${MATRICES}`],
  ["text for x", () => any.layerNorm("1,2,3,4", { cols }), TypeError, `layerNorm: x is the string "1,2,3,4", ${MATRICES}`],
  ["a plain object for x", () => any.layerNorm({ 0: 1, length: 1 }, { cols }), TypeError, `layerNorm: x is a plain object, ${MATRICES}`],
  ["a DataView for x", () => any.layerNorm(new DataView(new ArrayBuffer(32)), { cols }), TypeError, `layerNorm: x is an object of the class DataView, ${MATRICES}`],
  ["an ArrayBuffer for x", () => any.layerNorm(new ArrayBuffer(32), { cols }), TypeError, `layerNorm: x is an object of the class ArrayBuffer, ${MATRICES}`],
  ["whole numbers in a typed array", () => any.layerNorm(new Int32Array(8), { cols }), TypeError, `layerNorm: x is an Int32Array of 8 values, ${MATRICES}`],
  ["big integers", () => any.layerNorm(new BigInt64Array(8), { cols }), TypeError, `layerNorm: x is a BigInt64Array of 8 values, ${MATRICES}`],
  ["a promise for x", () => any.layerNorm(Promise.resolve(x), { cols }), TypeError, `layerNorm: x is an object of the class Promise, ${MATRICES}`],
  ["text among numbers", () => any.layerNorm([1, 2, "3", 4], { cols }), TypeError, 'layerNorm: x[2] is the string "3", expected a number'],
  ["a hole among numbers", () => any.layerNorm([1, , 3, 4], { cols }), TypeError, "layerNorm: x[1] is undefined, expected a number"],
  ["null in a row", () => any.layerNorm([[1, 2, 3, 4], [1, 2, 3, null]], { cols }), TypeError, "layerNorm: x[1][3] is null, expected a number"],
  ["a big integer among numbers", () => any.residualAdd([1n], [1]), TypeError, "residualAdd: x[0] is the bigint 1, expected a number"],
  ["rows for gamma", () => any.layerNorm(x, { cols, gamma: [[1, 2, 3, 4]] }), TypeError, "layerNorm: gamma[0] is an array of 4 values, expected a number"],
  ["a number for gamma", () => any.layerNorm(x, { cols, gamma: 1 }), TypeError, `layerNorm: gamma is the number 1, ${VECTORS}`],
  ["text for beta", () => any.layerNorm(x, { cols, beta: "0" }), TypeError, `layerNorm: beta is the string "0", ${VECTORS}`],
  ["text for dsum", () => any.addNormBackward(x, x, { cols, dy: x, dsum: "" }), TypeError, `addNormBackward: dsum is the string "", ${MATRICES}`],
  ["a detached x", () => any.layerNorm(detached(), { cols }), TypeError, "layerNorm: the ArrayBuffer of x is detached (transferred, or a view of wasm memory that has grown)"],
  ["a detached gamma", () => any.rmsNorm(x, { cols, gamma: detached() }), TypeError, "rmsNorm: the ArrayBuffer of gamma is detached (transferred, or a view of wasm memory that has grown)"],
  ["a detached out", () => any.layerNorm(x, { cols, out: detached() }), TypeError, "layerNorm: the ArrayBuffer of out is detached (transferred, or a view of wasm memory that has grown)"],
  ["a freed x", () => any.layerNorm(freed(), { cols }), TypeError, "layerNorm: the 2 x 4 matrix was used after free()"],
  ["a freed fx", () => any.addNorm(x, freed(), { cols }), TypeError, "addNorm: the 2 x 4 matrix was used after free()"],
  ["a freed out", () => any.layerNorm(x, { cols, out: freed() }), TypeError, "layerNorm: the 2 x 4 matrix was used after free()"],
];

const values: Row[] = [
  ["NaN for eps", () => any.layerNorm(x, { cols, eps: NaN }), RangeError, "layerNorm: eps is NaN, expected a finite number of at least 0"],
  ["negative eps", () => any.rmsNorm(x, { cols, eps: -1e-5 }), RangeError, "rmsNorm: eps is -0.00001, expected a finite number of at least 0"],
  ["infinite eps", () => any.addNorm(x, x, { cols, eps: Infinity }), RangeError, "addNorm: eps is Infinity, expected a finite number of at least 0"],
  ["eps as text", () => any.layerNorm(x, { cols, eps: "1e-5" }), TypeError, 'layerNorm: eps is the string "1e-5", expected a finite number of at least 0'],
  ["an unknown place of eps", () => any.layerNorm(x, { cols, epsPlacement: "outwith" }), RangeError, 'layerNorm: epsPlacement is "outwith", expected "inside" or "outside"'],
  ["a property of objects as place of eps", () => any.layerNorm(x, { cols, epsPlacement: "toString" }), RangeError, 'layerNorm: epsPlacement is "toString", expected "inside" or "outside"'],
  ["an unknown variance", () => any.layerNorm(x, { cols, variance: "biased" }), RangeError, 'layerNorm: variance is "biased", expected "population" or "sample"'],
  ["a flag for variance", () => any.rowStats(x, { cols, variance: true }), TypeError, 'rowStats: variance is the boolean true, expected "population" or "sample"'],
  ["an unknown norm", () => any.addNorm(x, x, { cols, norm: "batch" }), RangeError, 'addNorm: norm is "batch", expected "layer" or "rms"'],
  ["another gammaOffset", () => any.rmsNorm(x, { cols, gammaOffset: 2 }), RangeError, "rmsNorm: gammaOffset is 2, expected 0 or 1"],
  ["a fractional gammaOffset", () => any.rmsNorm(x, { cols, gammaOffset: 0.5 }), RangeError, "rmsNorm: gammaOffset is 0.5, expected 0 or 1"],
  ["beta for RMSNorm", () => any.rmsNorm(x, { cols, beta: x }), TypeError, "rmsNorm: beta belongs to LayerNorm, RMSNorm has none"],
  ["eps outside for RMSNorm", () => any.addNorm(x, x, { cols, norm: "rms", epsPlacement: "outside" }), TypeError, 'addNorm: epsPlacement "outside" belongs to LayerNorm, RMSNorm adds eps inside the root'],
  ["sample variance for RMSNorm", () => any.rmsNorm(x, { cols, variance: "sample" }), TypeError, 'rmsNorm: variance "sample" belongs to LayerNorm, RMSNorm divides by cols'],
  ["gammaOffset for LayerNorm", () => any.layerNorm(x, { cols, gammaOffset: 1 }), TypeError, "layerNorm: gammaOffset belongs to RMSNorm, LayerNorm has none"],
  ["NaN for alpha", () => any.residualAdd(x, x, { alpha: NaN }), RangeError, "residualAdd: alpha is NaN, expected a finite float32"],
  ["an alpha that float32 cannot hold", () => any.residualAdd(x, x, { alpha: 1e39 }), RangeError, "residualAdd: alpha is 1e+39, expected a finite float32"],
  ["text for beta's factor", () => any.residualAdd(x, x, { beta: "1" }), TypeError, 'residualAdd: beta is the string "1", expected a finite float32'],
  ["a negative seed", () => any.randn(-1, 4), RangeError, "randn: seed is -1, expected a whole number from 0 to 4294967295"],
  ["a seed beyond 32 bits", () => any.randn(2 ** 32, 4), RangeError, "randn: seed is 4294967296, expected a whole number from 0 to 4294967295"],
  ["a fractional seed", () => any.randn(0.5, 4), RangeError, "randn: seed is 0.5, expected a whole number from 0 to 4294967295"],
  ["a missing seed", () => any.randn(), TypeError, "randn: seed is missing, expected a whole number from 0 to 4294967295"],
  ["a negative count", () => any.randn(1, -4), RangeError, "randn: count is -4, expected a whole number of at least 0"],
  ["settings that are no object", () => new any.LayerNorm(4, 1e-5), TypeError, "LayerNorm: the options are the number 0.00001, expected { eps, ... }"],
  ["a wrong eps in LayerNorm's settings", () => new any.LayerNorm(4, { eps: -1 }), RangeError, "LayerNorm: eps is -1, expected a finite number of at least 0"],
];

const outputs: Row[] = [
  ["out of another length", () => any.layerNorm(x, { cols, out: new Float32Array(4) }), RangeError, "layerNorm: out has 4 values, x has 8"],
  ["doubles for out", () => any.residualAdd(x, x, { out: new Float64Array(8) }), TypeError, "residualAdd: out is a Float64Array of 8 values, expected a Float32Array or a matrix of an.matrix"],
  ["an array for out", () => any.rmsNorm(x, { cols, out: [] }), TypeError, "rmsNorm: out is an array of 0 values, expected a Float32Array or a matrix of an.matrix"],
  ["a view of wasm memory for out", () => any.layerNorm(x, { cols, out: an.matrix(2, 4).data }), TypeError, "layerNorm: out is a view of wasm memory, which growing would invalidate; give the matrix itself"],
  ["one array for both outputs", () => { const out = new Float32Array(8); return any.addNorm(x, x, { cols, out, sumOut: out }); }, RangeError, "addNorm: out and sumOut overlap, but each takes a result of its own"],
  ["outputs that overlap in part", () => { const all = new Float32Array(12); return any.addNorm(x, x, { cols, out: all.subarray(0, 8), sumOut: all.subarray(4) }); }, RangeError, "addNorm: out and sumOut overlap, but each takes a result of its own"],
  ["one matrix for both outputs", () => { const out = an.matrix(2, 4); return any.addNorm(x, x, { cols, norm: "rms", out, sumOut: out }); }, RangeError, "addNorm: out and sumOut overlap, but each takes a result of its own"],
];

const KNOWN = "cols, gamma, beta, eps, epsPlacement, variance, gammaOffset, norm, groups, padding, dy, dsum, out, sumOut";
const names: Row[] = [
  ["PyTorch's name of gamma", () => any.layerNorm(x, { cols, weight: [1, 1, 1, 1] }), TypeError,
    `layerNorm: the options have a key "weight", there are ${KNOWN}`],
  ["PyTorch's name of eps", () => any.rmsNorm(x, { cols, epsilon: 1 }), TypeError,
    `rmsNorm: the options have a key "epsilon", there are ${KNOWN}`],
  ["a key in other letters", () => any.addNorm(x, x, { cols, epsplacement: "outside" }), TypeError,
    'addNorm: the options have a key "epsplacement", meant is epsPlacement'],
  ["an unknown key backward", () => any.layerNormBackward(x, x, { cols, bias: null }), TypeError,
    `layerNormBackward: the options have a key "bias", there are ${KNOWN}`],
  ["an unknown setting", () => new any.LayerNorm(4, { epsilon: 1 }), TypeError,
    `LayerNorm: the options have a key "epsilon", there are ${KNOWN}`],
];

const sublayers: Row[] = [
  ["an F that is no function", () => any.postNorm(x, x, norm), TypeError, "postNorm: F is a Float32Array of 8 values, expected a function from Float32Array to Float32Array"],
  ["an F that is missing", () => new any.PreNormResidual(4), TypeError, "PreNormResidual: F is undefined, expected a function from Float32Array to Float32Array"],
  ["an F that returns nothing", () => any.preNorm(x, () => undefined, norm), TypeError, "preNorm: F returned undefined, expected a Float32Array"],
  ["an asynchronous F", () => any.postNorm(x, async (v: Float32Array) => v, norm), TypeError, "postNorm: F returned an object of the class Promise, expected a Float32Array"],
  ["an F that returns plain numbers", () => any.postNorm(x, () => [1, 2], norm), TypeError, "postNorm: F returned an array of 2 values, expected a Float32Array"],
  ["an F of another width", () => any.preNorm(x, () => new Float32Array(6), norm), RangeError, "preNorm: F returned 6 values, x has 8; to be added they must be equally wide, so let F end in a projection to the width of x (for instance an.linear)"],
  ["an F that transfers what it returns", () => any.postNorm(x, () => detached(), norm), TypeError, "postNorm: the ArrayBuffer of what F returned is detached (transferred, or a view of wasm memory that has grown)"],
  ["a layerNorm that is none", () => any.addAndNorm(x, x, { gamma: x }), TypeError, "addAndNorm: layerNorm is a plain object, expected a new an.LayerNorm(dModel)"],
  ["a missing layerNorm", () => any.postNorm(x, (v: Float32Array) => v), TypeError, "postNorm: layerNorm is undefined, expected a new an.LayerNorm(dModel)"],
];

describe.each([["sizes", sizes], ["kinds", kinds], ["values", values], ["outputs", outputs], ["names", names], ["sublayers", sublayers]])("wrong %s", (_title, rows) => {
  test.each(rows)("%s: the call throws and says why", (_what, call, kind, message) => {
    let thrown: unknown;
    try {
      call();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(kind);
    expect((thrown as Error).message).toBe(message);
    expect(an.residualAdd([1], [2]), "the next call works").toEqual(new Float32Array([3]));
  });
});

describe("what is accepted", () => {
  const rows = [[1, 2, 3, 4], [5, 6, 7, 9]];
  const expected = an.layerNorm(rows, { cols }).y;
  const flat = rows.flat();

  test.each<[string, () => Parameters<typeof an.layerNorm>[0]]>([
    ["a Float32Array", () => Float32Array.from(flat)],
    ["a Float64Array", () => Float64Array.from(flat)],
    ["an array of numbers", () => flat],
    ["rows in typed arrays", () => rows.map((row) => Float32Array.from(row))],
    ["an array over shared memory", () => { const shared = new Float32Array(new SharedArrayBuffer(32)); shared.set(flat); return shared; }],
    ["a part of a larger buffer", () => { const part = new Float32Array(20).subarray(3, 11); part.set(flat); return part; }],
    ["a matrix in wasm memory", () => { const matrix = an.matrix(2, 4); matrix.data.set(flat); return matrix; }],
    ["a view of wasm memory", () => { const view = an.matrix(2, 4).data; view.set(flat); return view; }],
  ])("%s gives the same numbers", (_what, make) => {
    expect(an.layerNorm(make(), { cols }).y).toEqual(expected);
  });

  test("NaN and infinity are data: they poison their own row and no other", () => {
    const { y } = an.layerNorm([[1, NaN, 3, 4], [1, 2, 3, 4], [1, 2, Infinity, 4]], { cols });
    expect(y.subarray(0, 4).every(Number.isNaN)).toBe(true);
    expect(y.subarray(4, 8)).toEqual(an.layerNorm([[1, 2, 3, 4]], { cols }).y);
    expect(y.subarray(8).every(Number.isNaN)).toBe(true);
  });

  test.each([["a typed array", new Float32Array(0)], ["an array", []], ["a matrix", an.matrix(0, 4)]])(
    "no rows in %s give empty results and zero gradients of the parameters",
    (_what, none) => {
      expect(an.layerNorm(none, { cols })).toEqual({ y: new Float32Array(0), mean: new Float32Array(0), rstd: new Float32Array(0) });
      expect(an.layerNormBackward(none, none, { cols }).dgamma).toEqual(new Float32Array(4));
      expect(an.addNorm(none, none, { cols, norm: "rms" }).sum).toEqual(new Float32Array(0));
      expect(an.residualAdd(none, none)).toEqual(new Float32Array(0));
      expect(an.rowStats(none, { cols }).rms).toEqual(new Float32Array(0));
      expect(an.linear(none, { weight: new Float32Array(8), inFeatures: 4, outFeatures: 2 })).toEqual(new Float32Array(0));
    },
  );

  test("no numbers are drawn when none are wanted", () => {
    expect(an.randn(1, 0)).toEqual(new Float64Array(0));
  });

  test("null stands for an absent gamma, beta and dsum, as JSON writes it", () => {
    expect(an.layerNorm(rows, { cols, gamma: null, beta: null }).y).toEqual(expected);
    expect(an.addNormBackward(rows, rows, { cols, dy: rows, dsum: null })).toEqual(an.addNormBackward(rows, rows, { cols, dy: rows }));
  });

  test("inputs are never changed", () => {
    const input = Float32Array.from(flat);
    const gamma = new Float32Array(4).fill(3);
    an.addNormBackward(input, input, { cols, gamma, dy: input, dsum: input });
    an.layerNorm(input, { cols, gamma });
    expect(Array.from(input)).toEqual(flat);
    expect(gamma).toEqual(new Float32Array(4).fill(3));
  });
});
