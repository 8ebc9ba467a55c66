// The beginners' names: LayerNorm with parameters of its own, and residual connections around the caller's sublayer.
import { describe, expect, test } from "vitest";
import { builds } from "./support/package.js";

describe.each(builds)("the build %s", (_name, an) => {
  const cols = 8;
  const x = Float32Array.from(an.randn(42, 56));
  const fx = Float32Array.from(an.randn(43, 56));
  const half = (v: Float32Array): Float32Array => v.map((value) => value / 2);

  test("LayerNorm begins with ones and zeros and the usual convention", () => {
    const norm = new an.LayerNorm(cols);
    expect(norm.cols).toBe(cols);
    expect(norm.gamma).toEqual(new Float32Array(cols).fill(1));
    expect(norm.beta).toEqual(new Float32Array(cols));
    expect([norm.eps, norm.epsPlacement, norm.variance]).toEqual([1e-5, "inside", "population"]);
    expect(norm).toBeInstanceOf(an.LayerNorm);
    expect(norm.forward(x)).toEqual(an.layerNorm(x, { cols }).y);
  });

  test("LayerNorm uses its parameters and settings as they are at the call", () => {
    const norm = new an.LayerNorm(cols, { eps: 0.1, epsPlacement: "outside", variance: "sample" });
    norm.gamma.fill(3);
    norm.beta = new Float32Array(cols).fill(-1);
    norm.eps = 0.2;
    const options = { cols, gamma: norm.gamma, beta: norm.beta, eps: 0.2, epsPlacement: "outside", variance: "sample" } as const;
    expect(norm.forward(x)).toEqual(an.layerNorm(x, options).y);
    expect(norm.backward(x, fx)).toEqual(an.layerNormBackward(x, fx, options));
  });

  test("LayerNorm says what is wrong with parameters that were put in place of its own", () => {
    const norm = new an.LayerNorm(cols);
    norm.gamma = new Float32Array(7);
    expect(() => norm.forward(x)).toThrow(new RangeError("layerNorm: gamma has 7 values, cols is 8"));
  });

  test("residualConnection is x + fx", () => {
    expect(an.residualConnection(x, fx)).toEqual(an.residualAdd(x, fx));
    expect(an.residualConnection([[1, 2]], [[3, 4]])).toEqual(new Float32Array([4, 6]));
  });

  test("addAndNorm is layerNorm(x + fx)", () => {
    const norm = new an.LayerNorm(cols, { epsPlacement: "outside" });
    norm.gamma.fill(2);
    expect(an.addAndNorm(x, fx, norm)).toEqual(norm.forward(an.residualAdd(x, fx)));
  });

  test("postNorm is layerNorm(x + F(x)), preNorm is x + F(layerNorm(x)), and they differ", () => {
    const norm = new an.LayerNorm(cols);
    const post = an.postNorm(x, half, norm);
    const pre = an.preNorm(x, half, norm);
    expect(post).toEqual(norm.forward(an.residualAdd(x, half(x))));
    expect(pre).toEqual(an.residualAdd(x, half(norm.forward(x))));
    expect(post).not.toEqual(pre);
  });

  test("PreNormResidual is preNorm with a LayerNorm of its own, which can be changed", () => {
    const block = new an.PreNormResidual(cols, half);
    expect(block).toBeInstanceOf(an.PreNormResidual);
    expect(block.forward(x)).toEqual(an.preNorm(x, half, new an.LayerNorm(cols)));
    block.layerNorm.gamma.fill(0);
    expect(block.forward(x)).toEqual(x);
  });

  test("F may return what it got, and may write into it: x stays as it is", () => {
    const norm = new an.LayerNorm(cols);
    const kept = x.slice();
    expect(an.postNorm(x, (v) => v, norm)).toEqual(norm.forward(an.residualAdd(x, x)));
    an.postNorm(x, (v) => v.fill(0), norm);
    an.preNorm(x, (v) => v.fill(0), norm);
    expect(x).toEqual(kept);
  });

  test("F gets a Float32Array whatever x is, and may call the package itself", () => {
    const norm = new an.LayerNorm(3);
    const seen: Float32Array[] = [];
    const F = (v: Float32Array): Float32Array => {
      seen.push(v);
      an.randn(1, 100_000);
      return an.linear(v, { weight: [[0, 1, 0], [0, 0, 1], [1, 0, 0]], inFeatures: 3, outFeatures: 3 });
    };
    const matrix = an.matrix(1, 3);
    matrix.data.set([1, 2, 4]);
    const expected = norm.forward([3, 6, 5]);
    expect(an.postNorm([[1, 2, 4]], F, norm)).toEqual(expected);
    expect(an.postNorm([1, 2, 4], F, norm)).toEqual(expected);
    expect(an.postNorm(matrix, F, norm)).toEqual(expected);
    expect(seen).toEqual([1, 2, 3].map(() => new Float32Array([1, 2, 4])));
  });

  test("what F throws reaches the caller, and the next call works", () => {
    const block = new an.PreNormResidual(cols, () => { throw new Error("mine"); });
    expect(() => block.forward(x)).toThrow("mine");
    expect(an.residualAdd([1], [2])).toEqual(new Float32Array([3]));
  });
});
