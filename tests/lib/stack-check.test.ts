// Every config that is refused, by its message.
import { describe, expect, test } from "vitest";
import { load } from "./support/package.js";

const an = await load();
const x = new Float32Array(24).fill(1);
const matrices = an.block(x, { dModel: 8 }).weights![0]!;
type Kind = typeof TypeError | typeof RangeError;

/** As plain JavaScript can call it. */
const block = (config: unknown, input: unknown = x): unknown => an.block(input as number[], config as { dModel: number });
const stack = (config: unknown): unknown => an.stack(x, config as { dModel: number });

const keys: [what: string, config: unknown, kind: Kind, message: string][] = [
  ["a missing config", undefined, TypeError, "the options are missing, expected { dModel, ... }"],
  ["a missing dModel", {}, TypeError, "dModel is missing, expected a whole number of at least 1"],
  ["a key in other letters", { dmodel: 8 }, TypeError, 'the config has a key "dmodel", meant is dModel'],
  ["an unknown placement", { dModel: 8, placement: "mid" }, RangeError, 'placement is "mid", expected "post", "pre", "sandwich" or "none"'],
  ["an unknown norm", { dModel: 8, norm: "weight" }, RangeError, 'norm is "weight", expected "layer", "rms", "batch", "group", "l2", "dyt" or "none"'],
  ["an activation that stands in gates only", { dModel: 8, activation: "sigmoid" }, RangeError, 'activation is "sigmoid", expected "relu" or "gelu"'],
  ["a number for branches", { dModel: 8, branches: 2 }, TypeError, 'branches is the number 2, expected "serial" or "parallel"'],
  ["text for a flag", { dModel: 8, causal: "yes" }, TypeError, 'causal is the string "yes", expected true or false'],
  ["no heads", { dModel: 8, heads: 0 }, RangeError, "heads is 0, expected a whole number of at least 1"],
  ["half a layer", { dModel: 8, layers: 0.5 }, RangeError, "layers is 0.5, expected a whole number from 1 to 128"],
  ["several layers in a block", { dModel: 8, layers: 2 }, RangeError, "layers is 2, expected 1; an.stack makes more"],
  ["a scale that float32 cannot hold", { dModel: 8, residual: "scaled", scale: 1e39 }, RangeError, "scale is 1e+39, expected a finite float32"],
  ["a wrong seed", { dModel: 8, seed: -1 }, RangeError, "seed is -1, expected a whole number from 0 to 4294967295"],
  ["a negative eps", { dModel: 8, eps: -1 }, RangeError, "eps is -1, expected a finite number of at least 0"],
];

const belongings: [what: string, config: object, message: string][] = [
  ["scaling", { scaling: "reZero" }, 'scaling belongs to residual "scaled", but residual is "identity"'],
  ["scale", { scale: 2, residual: "gated" }, 'scale belongs to residual "scaled", but residual is "gated"'],
  ["gateBias", { gateBias: 0 }, 'gateBias belongs to residual "gated", but residual is "identity"'],
  ["groups", { groups: 2 }, 'groups belongs to norm "group", but norm is "layer"'],
  ["gammaOffset", { gammaOffset: 1 }, 'gammaOffset belongs to norm "rms", but norm is "layer"'],
  ["epsPlacement", { norm: "rms", epsPlacement: "outside" }, 'epsPlacement belongs to norm "layer", "batch" or "group", but norm is "rms"'],
  ["attnOutput", { attnOutput: x }, 'attnOutput belongs to sublayers "simulated", but sublayers is "computed"'],
  ["ffnOutput", { ffnOutput: x }, 'ffnOutput belongs to sublayers "simulated", but sublayers is "computed"'],
  ["dy", { dy: x }, "dy belongs to backward: true, but backward is false"],
];

const fits: [what: string, config: object, kind: Kind, message: string][] = [
  ["heads that do not divide dModel", { heads: 3 }, RangeError, "heads is 3, expected a divisor of dModel, which is 8"],
  ["groups that do not divide dModel", { norm: "group", groups: 3 }, RangeError, "groups is 3, expected a divisor of dModel, which is 8"],
  ["groups that do not divide the width of x", { dInput: 6, norm: "group", groups: 4, placement: "pre", projection: true }, RangeError, "groups is 4, expected a divisor of x's width too, which is 6"],
  ["widths that cannot be added", { dModel: 12, dInput: 8 }, RangeError, 'F(x) is 12 wide (dModel) and x is 8 wide: they cannot be added; give projection: true, which puts x W^T in x\'s place, or residual: "none", or an x that is 12 wide'],
  ["a projection between equal widths", { projection: true }, RangeError, "projection is true, but F(x) and x are both 8 wide and are added as they are; leave projection out"],
  ["a projection where nothing is added", { dInput: 12, projection: true, residual: "none" }, RangeError, 'projection is true, but residual is "none", so that x is not added to F(x); leave projection out'],
  ["a final norm of no kind", { norm: "none", finalNorm: true }, RangeError, 'finalNorm is true, but norm is "none"; leave finalNorm out, or choose a norm'],
  ["x that is no whole number of rows", { dModel: 7 }, RangeError, "x has 24 values, not a multiple of dModel, which is 7"],
  ["x that is no whole number of rows of dInput", { dInput: 5 }, RangeError, "x has 24 values, not a multiple of dInput, which is 5"],
  ["sequences of unequal length", { sequences: 2 }, RangeError, "x has 3 rows, expected a multiple of sequences, which is 2"],
  ["padding of another length", { padding: [true] }, RangeError, "padding has 1 values, the number of rows of x is 3"],
  ["text in the padding", { padding: [0, "1", 0] }, TypeError, 'padding[1] is the string "1", expected a boolean or a number'],
  ["text for padding", { padding: "010" }, TypeError, 'padding is the string "010", expected a Uint8Array, boolean[] or number[]'],
  ["dy of another length", { backward: true, dy: new Float32Array(8) }, RangeError, "dy has 8 values, rows * dModel is 24"],
  ["attnOutput of another length", { sublayers: "simulated", attnOutput: new Float32Array(48) }, RangeError, "attnOutput has 48 values, layers * rows * dModel is 24"],
];

const weights: [what: string, given: unknown, kind: Kind, message: string][] = [
  ["two records for one block", [matrices, matrices], RangeError, "weights has 2 records, layers is 1"],
  ["a record that is none", [3], TypeError, "weights[0] is the number 3, expected { attnInWeight, ... }"],
  ["an array of numbers for a record", [new Float32Array(3)], TypeError, "weights[0] is a Float32Array of 3 values, expected { attnInWeight, ... }"],
  ["a misspelt name", { ...matrices, attnInWeigth: [1] }, TypeError, 'weights[0] has a key "attnInWeigth", which names no weight'],
  ["a matrix of another size", { ...matrices, ffnUpWeight: [1, 2] }, RangeError, "weights[0].ffnUpWeight has 2 values, 32 x 8 is 256"],
  ["a vector of another size", { ...matrices, norm1Gamma: [1, 2] }, RangeError, "weights[0].norm1Gamma has 2 values, its length is 8"],
  ["a missing matrix", { ...matrices, ffnDownWeight: undefined }, TypeError, "weights[0].ffnDownWeight is missing, expected 8 x 32 values; matrices are given all or not at all"],
  ["text among the values", { ...matrices, norm1Beta: [0, 0, "0", 0, 0, 0, 0, 0] }, TypeError, 'weights[0].norm1Beta[2] is the string "0", expected a number'],
];

describe("is refused by name, with both values", () => {
  test.each(keys)("%s", (_what, config, Kind, message) => {
    expect(() => block(config)).toThrow(new Kind(`block: ${message}`));
  });
  test.each(belongings)("%s where nothing uses it", (_what, config, message) => {
    expect(() => block({ dModel: 8, ...config })).toThrow(new TypeError(`block: ${message}`));
  });
  test.each(fits)("%s", (_what, config, Kind, message) => {
    expect(() => block({ dModel: 8, ...config })).toThrow(new Kind(`block: ${message}`));
  });
  test.each(weights)("%s", (_what, given, Kind, message) => {
    expect(() => block({ dModel: 8, weights: given })).toThrow(new Kind(`block: ${message}`));
  });

  test("a key that no config has, with those that there are", () => {
    expect(() => block({ dModel: 8, depth: 3 })).toThrow(/^block: the config has a key "depth", there are dModel, dInput, heads, .*, keep$/);
  });
  test("an x without rows, and one that is no matrix", () => {
    expect(() => block({ dModel: 8 }, [])).toThrow(new RangeError("block: x has 0 rows, expected a multiple of sequences, which is 1"));
    expect(() => block({ dModel: 8 }, "1")).toThrow(/^block: x is the string "1", expected a Float32Array/);
  });
  test("129 layers, and as many weights as there are not", () => {
    expect(() => stack({ dModel: 8, layers: 129 })).toThrow(new RangeError("stack: layers is 129, expected a whole number from 1 to 128"));
    expect(() => stack({ dModel: 8, layers: 3, weights: [matrices] })).toThrow(new RangeError("stack: weights has 1 records, layers is 3"));
  });
});

describe("is taken", () => {
  test("vectors alone, while the matrices are drawn", () => {
    const { weights: used } = an.block(x, { dModel: 8, weights: { norm1Gamma: new Float32Array(8) } });
    expect(used![0]).toEqual({ ...matrices, norm1Gamma: new Float32Array(8) });
  });
  test("matrices alone, while biases are 0 and gains 1", () => {
    const alone = Object.fromEntries(Object.entries(matrices).filter(([name]) => name.endsWith("Weight")));
    expect(an.block(x, { dModel: 8, weights: alone }).weights![0]).toEqual(matrices);
  });
  test("one record for every wiring: what has no place is left aside", () => {
    const { weights: used } = an.block(x, { dModel: 8, branches: "parallel", norm: "rms", weights: matrices });
    expect(Object.keys(used![0]!)).not.toContain("norm2Gamma");
    expect(used![0]!.attnInWeight).toEqual(matrices.attnInWeight);
  });
  test("keys of the default norm, spelled out beside another norm", () => {
    expect(() => an.block(x, { dModel: 8, norm: "rms", epsPlacement: "inside", variance: "population", gammaOffset: 0 })).not.toThrow();
  });
});
