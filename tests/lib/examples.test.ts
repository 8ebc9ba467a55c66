// Every line of the package's list of calls, as documentation writes it, does what is written beside it.
import { describe, expect, test } from "vitest";
import { expectNear } from "./support/near.js";
import { builds, load } from "./support/package.js";

test("load takes options or none and gives the same instance", async () => {
  expect(await load({ simd: "auto" })).toBe(await load());
});

describe.each(builds)("the build %s", (_name, an) => {
  test("info tells version, SIMD and target", () => {
    expect(Object.keys(an.info).sort()).toEqual(["simd", "target", "version"]);
    expect(an.info.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test("randn(42, 2) is what NumPy's RandomState(42).randn(2) is", () => {
    expect(Array.from(an.randn(42, 2))).toEqual([0.4967141530112327, -0.13826430117118466]);
  });

  test("residualAdd([1, 2], [10, 20]) is [11, 22]", () => {
    expect(an.residualAdd([1, 2], [10, 20])).toEqual(new Float32Array([11, 22]));
    expect(an.residualAdd([1, 2], [10, 20], { alpha: 2, beta: 0.5, out: new Float32Array(2) })).toEqual(new Float32Array([7, 14]));
  });

  test("layerNorm([[1, 2, 3]], { cols: 3 }) is -1.2247, 0, 1.2247, with mean 2", () => {
    const { y, mean, rstd } = an.layerNorm([[1, 2, 3]], { cols: 3 });
    expectNear(y, [-1.22474, 0, 1.22474], 2e-5, "y");
    expect(mean).toEqual(new Float32Array([2]));
    expectNear(rstd, [1.22474], 2e-5, "rstd");
  });

  test("layerNorm tells the four conventions apart", () => {
    const x = [[0, 0, 0, 4]];
    const last = (epsPlacement: "inside" | "outside", variance: "population" | "sample"): number =>
      an.layerNorm(x, { cols: 4, eps: 1, epsPlacement, variance }).y[3]!;
    expectNear([last("inside", "population"), last("outside", "population"), last("inside", "sample"), last("outside", "sample")],
      [3 / 2, 3 / (Math.sqrt(3) + 1), 3 / Math.sqrt(5), 1], 1e-6);
  });

  test("layerNormBackward gives dx, dgamma and dbeta", () => {
    const { dx, dgamma, dbeta } = an.layerNormBackward([[-1, 1]], [[1, 0]], { cols: 2, eps: 0 });
    expectNear(dx, [0, 0], 1e-6, "dx");
    expect([dgamma, dbeta]).toEqual([new Float32Array([-1, 0]), new Float32Array([1, 0])]);
  });

  test("rmsNorm([[3, 4]], { cols: 2, eps: 0 }) is 0.8485, 1.1314", () => {
    expectNear(an.rmsNorm([[3, 4]], { cols: 2, eps: 0 }).y, [0.848528, 1.131371], 1e-6);
    expectNear(an.rmsNorm([[3, 4]], { cols: 2, eps: 0, gamma: [0, 0], gammaOffset: 1 }).y, [0.848528, 1.131371], 1e-6);
  });

  test("rmsNormBackward gives dx and dgamma", () => {
    const { dx, dgamma } = an.rmsNormBackward([[1, 1]], [[1, 0]], { cols: 2, eps: 0 });
    expectNear(dx, [0.5, -0.5], 1e-6, "dx");
    expectNear(dgamma, [1, 0], 1e-6, "dgamma");
  });

  test("addNorm gives the sum, its norm, mean and rstd; RMSNorm has no mean", () => {
    const { sum, y, mean, rstd } = an.addNorm([[1, 2]], [[1, 4]], { cols: 2, eps: 0 });
    expect([sum, y, mean, rstd]).toEqual([[2, 6], [-1, 1], [4], [0.5]].map((v) => new Float32Array(v)));
    expect(an.addNorm([[1, 2]], [[1, 4]], { norm: "rms", cols: 2 }).mean).toBe(null);
  });

  test("addNormBackward gives dx and dfx, with what arrives at the sum added", () => {
    const { dx, dfx, dgamma, dbeta } = an.addNormBackward([[1, 2]], [[1, 4]], { cols: 2, eps: 0, dy: [[1, 0]], dsum: [[7, 8]] });
    expectNear(dx, [7, 8], 1e-6, "dx");
    expect(dfx).toEqual(dx);
    expect([dgamma, dbeta]).toEqual([new Float32Array([-1, 0]), new Float32Array([1, 0])]);
  });

  test("the beginners' names do what tutorials write", () => {
    const norm = new an.LayerNorm(2, { eps: 0, epsPlacement: "outside", variance: "population" });
    const F = (x: Float32Array): Float32Array => x.map((v) => 2 * v);
    const x = [[1, 3]];
    expect(norm.forward(x)).toEqual(new Float32Array([-1, 1]));
    expect(norm.backward(x, x).dbeta).toEqual(new Float32Array([1, 3]));
    expect(an.residualConnection(x, x)).toEqual(new Float32Array([2, 6]));
    expect(an.addAndNorm(x, x, norm)).toEqual(new Float32Array([-1, 1]));
    expect(an.postNorm(x, F, norm)).toEqual(new Float32Array([-1, 1]));
    expect(an.preNorm(x, F, norm)).toEqual(new Float32Array([-1, 5]));
    expectNear(new an.PreNormResidual(2, F).forward(x), [-1, 5], 2e-5);
  });

  test("matrix lives in wasm memory and is usable wherever an array is", () => {
    const x = an.matrix(1, 2);
    x.data.set([1, 3]);
    expect(an.layerNorm(x, { cols: 2, eps: 0, out: x }).y).toBe(x);
    expect(x.data).toEqual(new Float32Array([-1, 1]));
    x.free();
  });

  test("linear([[1, 2]]) with three rows of weight gives three values", () => {
    expect(an.linear([[1, 2]], { weight: [[10, 1], [0, 3], [1, 1]], inFeatures: 2, outFeatures: 3 })).toEqual(new Float32Array([12, 6, 3]));
  });

  test("rowStats([[1, 3]]) is mean 2, std 1, rms 2.2361", () => {
    const { mean, std, rms } = an.rowStats([[1, 3]], { cols: 2 });
    expectNear([mean[0]!, std[0]!, rms[0]!], [2, 1, Math.sqrt(5)], 1e-6);
  });
});
