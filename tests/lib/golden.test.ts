// The golden values of tests/golden through the package's public entry, in both builds.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EpsPlacement, Variance } from "../../web/lib/api.js";
import { expectNear, largestMagnitude } from "./support/near.js";
import { ROOT, builds } from "./support/package.js";

interface Case {
  name: string;
  op: "layer_norm" | "rms_norm";
  norm: "layer" | "rms";
  rows: number;
  cols: number;
  eps: number;
  epsPlacement: EpsPlacement;
  variance: Variance;
  gammaOffset: 0 | 1;
  x: number[];
  fx: number[];
  dy: number[];
  dsum: number[];
  gamma: number[] | null;
  beta: number[] | null;
  sum: number[];
  y: number[];
  mean: number[];
  rstd: number[];
  dx: number[];
  dfx: number[];
  dgamma: number[] | null;
  dbeta: number[] | null;
  absTolerance: number;
}

function golden<T = Case[]>(name: string): T {
  return JSON.parse(readFileSync(join(ROOT, "tests/golden", name), "utf8"));
}

function forwardBound(expected: ArrayLike<number>): number {
  return 3e-6 * Math.max(1, largestMagnitude(expected));
}

const norms = golden("norms.json");
const layerCases = norms.filter((c) => c.op === "layer_norm");
const rmsCases = norms.filter((c) => c.op === "rms_norm");

describe.each(builds)("the build %s", (_name, an) => {
  function gradientBound(c: Case): number {
    return Math.max(4e-6 * Math.max(...c.rstd), 1e-5 * Math.max(largestMagnitude(c.dx), 1e-3));
  }
  /** A tiny eps on a tiny row: the quotient itself is ill-conditioned. */
  function outputBound(c: Case): number {
    return c.eps < 1e-9 && c.cols <= 3 ? 1e-2 : forwardBound(c.y);
  }

  test.each(layerCases)("gives the golden values of $name", (c) => {
    const { cols, gamma, beta, eps, epsPlacement, variance } = c;
    const options = { cols, gamma, beta, eps, epsPlacement, variance };
    const { y, mean } = an.layerNorm(c.x, options);
    expectNear(y, c.y, outputBound(c), "y");
    expectNear(mean, c.mean, forwardBound(c.mean), "mean");
    if (c.cols <= 2) return;
    const { dx, dgamma, dbeta } = an.layerNormBackward(c.x, c.dy, options);
    expectNear(dx, c.dx, gradientBound(c), "dx");
    if (c.dgamma) expectNear(dgamma, c.dgamma, 2e-5 * Math.max(1, largestMagnitude(c.dgamma)), "dgamma");
    if (c.dbeta) expectNear(dbeta, c.dbeta, 2e-5, "dbeta");
  });

  test.each(rmsCases)("gives the golden values of $name", (c) => {
    const { cols, gamma, eps } = c;
    expectNear(an.rmsNorm(c.x, { cols, gamma, eps }).y, c.y, outputBound(c), "y");
    if (c.cols <= 2) return;
    const { dx, dgamma } = an.rmsNormBackward(c.x, c.dy, { cols, gamma, eps });
    expectNear(dx, c.dx, gradientBound(c), "dx");
    if (c.dgamma) expectNear(dgamma, c.dgamma, 2e-5 * Math.max(1, largestMagnitude(c.dgamma)), "dgamma");
  });

  test.each(golden("add_norm.json"))("gives the golden values of $name", (c) => {
    const { cols, norm, gamma, beta, eps } = c;
    const options = { norm, cols, gamma, beta, eps };
    const { sum, y } = an.addNorm(c.x, c.fx, options);
    expectNear(sum, c.sum, forwardBound(c.sum), "sum");
    expectNear(y, c.y, forwardBound(c.y), "y");
    if (c.cols === 1) return;
    const gradients = an.addNormBackward(c.x, c.fx, { ...options, dy: c.dy, dsum: c.dsum });
    expectNear(gradients.dx, c.dx, 3e-5, "dx");
    expectNear(gradients.dfx, c.dfx, 3e-5, "dfx");
    expectNear(gradients.dgamma, c.dgamma!, 3e-5, "dgamma");
    if (c.dbeta) expectNear(gradients.dbeta!, c.dbeta, 3e-5, "dbeta");
  });

  test.each(golden("hard_cases.json"))("gives the right value of the hard case $name", (c) => {
    const { cols, gamma, beta, eps, epsPlacement, variance, gammaOffset } = c;
    const { y } = c.op === "layer_norm"
      ? an.layerNorm(c.x, { cols, gamma, beta, eps, epsPlacement, variance })
      : an.rmsNorm(c.x, { cols, gamma, gammaOffset, eps });
    expectNear(y, c.y, c.absTolerance, "y");
  });

  interface Article {
    layer_norm_example: { x: number[]; y: number[] };
    add_norm_chain: Record<"x" | "attn_output" | "ffn_output" | "after_attn" | "after_ffn", number[]>;
  }
  const article = golden<Article & Record<string, number[]>>("article.json");

  test.each(Object.keys(article).filter((key) => key.startsWith("randn_seed_")))("draws NumPy's %s to the last bit", (key) => {
    const seed = Number(key.slice("randn_seed_".length));
    expect(Array.from(an.randn(seed, article[key]!.length))).toEqual(article[key]);
  });

  test("gives the numbers of the article's example and chain", () => {
    const options = { cols: 8, eps: 1e-5, epsPlacement: "outside" } as const;
    const example = article.layer_norm_example;
    expectNear(an.layerNorm(example.x, options).y, example.y, forwardBound(example.y), "layer_norm");
    const chain = article.add_norm_chain;
    const afterAttention = an.addNorm(chain.x, chain.attn_output, options).y;
    expectNear(afterAttention, chain.after_attn, forwardBound(chain.after_attn), "after_attn");
    expectNear(an.addNorm(afterAttention, chain.ffn_output, options).y, chain.after_ffn, 6e-6, "after_ffn");
  });
});
