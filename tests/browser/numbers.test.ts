// The numbers on the page are the package's, to the last bit of the float32.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GOLDEN, goTo, open, SLOW, useBrowser, type Opened } from "./support/browser.js";
import { an, cells, column, draw } from "./support/numbers.js";

useBrowser();

let opened: Opened;
beforeAll(async () => {
  opened = await open();
}, SLOW);
afterAll(async () => {
  expect(opened.faults).toEqual([]);
});

/** A test on the one page, at a state. */
function at(hash: string, use: (page: Opened["page"]) => Promise<void>): () => Promise<void> {
  return async () => {
    await goTo(opened.page, hash);
    await use(opened.page);
  };
}

const ARTICLE = draw(42, 0, 56, 10);
const cols = 8;
const layer = { cols, eps: 1e-5, epsPlacement: "outside", variance: "population" } as const;

interface TokensCase {
  readonly title: string;
  readonly hash: string;
  readonly expected: () => Float32Array;
  readonly cols?: number;
}

const tokensCases: TokensCase[] = [
  { title: "the article's x", hash: "", expected: () => ARTICLE },
  { title: "x minus mean", hash: "#step=1", expected: () => an.layerNormSteps(ARTICLE, layer).deviation },
  { title: "LayerNorm with eps outside the root", hash: "#step=2", expected: () => an.layerNormSteps(ARTICLE, layer).normalized },
  { title: "LayerNorm with eps inside the root", hash: "#step=2&eps=0.5&epsPlacement=inside", expected: () => an.layerNormSteps(ARTICLE, { ...layer, eps: 0.5, epsPlacement: "inside" }).normalized },
  { title: "sample variance", hash: "#step=3&variance=sample", expected: () => an.layerNorm(ARTICLE, { ...layer, variance: "sample" }).y },
  {
    title: "gamma a feature and one beta", hash: "#step=3&gamma=1,2,3,4,5,6,7,-8&beta=0.25",
    expected: () => an.layerNorm(ARTICLE, { ...layer, gamma: [1, 2, 3, 4, 5, 6, 7, -8], beta: new Array(8).fill(0.25) }).y,
  },
  { title: "RMSNorm", hash: "#norm=rms&step=3&gamma=0.5", expected: () => an.rmsNorm(ARTICLE, { cols, eps: 1e-5, gamma: new Array(8).fill(0.5) }).y },
  { title: "RMSNorm as Gemma has it", hash: "#norm=rms&step=3&gammaOffset=1", expected: () => an.rmsNorm(ARTICLE, { cols, eps: 1e-5, gamma: new Array(8).fill(1), gammaOffset: 1 }).y },
  { title: "another seed, size and scale", hash: "#source=random&tokens=5&features=6&seed=7&scale=-2.5", cols: 6, expected: () => draw(7, 0, 30, -2.5) },
  {
    title: "edited numbers", hash: "#step=3&edits=0.0:100,3.7:-0.125",
    expected: () => {
      const x = ARTICLE.slice();
      x[0] = 100;
      x[31] = -0.125;
      return an.layerNorm(x, layer).y;
    },
  },
  { title: "own numbers from the link", hash: "#source=own&data=1.5,2,3;4,5,-6.25&step=2", cols: 3, expected: () => an.layerNormSteps([[1.5, 2, 3], [4, 5, -6.25]], { ...layer, cols: 3 }).normalized },
];

describe("the tokens view", () => {
  for (const { title, hash, expected, cols: width = cols } of tokensCases) {
    test(`shows ${title} as the package computes it`, at(hash, async (page) => {
      expect(await cells(page, width)).toEqual([...expected()]);
    }));
  }

  test("shows each token's mean and standard deviation beside the matrix", at("", async (page) => {
    const { mean, std } = an.rowStats(ARTICLE, { cols });
    expect(await column(page, cols)).toEqual([...mean]);
    expect(await column(page, cols + 1)).toEqual([...std]);
  }));

  test("shows the mean and spread that NumPy gives where the article misprints them", at("", async (page) => {
    const text = (await page.locator("addnorm-tokens .root").innerText()).replaceAll("\u2212", "-");
    expect(text).toContain("-1.69");
    expect(text).toContain("9.13");
    expect(text).not.toContain("9.87");
  }));
});

const golden = JSON.parse(readFileSync(join(GOLDEN, "article.json"), "utf8")).add_norm_chain as Record<string, number[]>;
const x = draw(42, 0, 56, 1);
const attn = draw(42, 56, 56, 1);
const ffn = draw(42, 112, 56, 1);

function linearCase() {
  const weights = draw(42, 56, 128, 1 / Math.sqrt(8));
  const [w1, w2] = [weights.subarray(0, 64), weights.subarray(64)];
  const F = (weight: Float32Array) => (input: Float32Array) => an.linear(input, { weight, inFeatures: 8, outFeatures: 8 });
  return { F1: F(w1), F2: F(w2) };
}

const chainCases: { title: string; hash: string; node: string; expected: () => Float32Array }[] = [
  { title: "x", hash: "", node: "post.x", expected: () => x },
  { title: "attn_output, drawn after x", hash: "", node: "post.f1", expected: () => attn },
  { title: "x + attn_output", hash: "", node: "post.sum1", expected: () => an.residualAdd(x, attn) },
  { title: "Add & Norm of both", hash: "", node: "post.norm1", expected: () => an.addNorm(x, attn, layer).y },
  { title: "the second Add & Norm", hash: "", node: "post.norm2", expected: () => an.addNorm(an.addNorm(x, attn, layer).y, ffn, layer).y },
  { title: "pre-norm's stream at the end", hash: "", node: "pre.sum2", expected: () => an.residualAdd(an.residualAdd(x, attn), ffn) },
  { title: "pre-norm's second norm", hash: "", node: "pre.norm2", expected: () => an.layerNorm(an.residualAdd(x, attn), layer).y },
  {
    title: "post-norm with real linear sublayers", hash: "&sublayers=linear", node: "post.norm2",
    expected: () => {
      const { F1, F2 } = linearCase();
      const h = an.addNorm(x, F1(x), layer).y;
      return an.addNorm(h, F2(h), layer).y;
    },
  },
  {
    title: "pre-norm with RMSNorm and real linear sublayers", hash: "&sublayers=linear&norm=rms", node: "pre.sum2",
    expected: () => {
      const { F1, F2 } = linearCase();
      const rms = (input: Float32Array) => an.rmsNorm(input, { cols, eps: 1e-5 }).y;
      const h = an.residualAdd(x, F1(rms(x)));
      return an.residualAdd(h, F2(rms(h)));
    },
  },
  { title: "eps inside and sample variance", hash: "&epsPlacement=inside&variance=sample&eps=0.1", node: "post.norm1", expected: () => an.addNorm(x, attn, { cols, eps: 0.1, epsPlacement: "inside", variance: "sample" }).y },
];

describe("the chain", () => {
  for (const { title, hash, node, expected } of chainCases) {
    test(`opens ${node}: ${title}`, at(`#view=chain&node=${node}${hash}`, async (page) => {
      const data = expected();
      expect(await cells(page, cols)).toEqual([...data]);
      const { mean, std, rms } = an.rowStats(data, { cols, variance: hash.includes("sample") ? "sample" : "population" });
      expect(await column(page, cols)).toEqual([...mean]);
      expect(await column(page, cols + 1)).toEqual([...std]);
      expect(await column(page, cols + 2)).toEqual([...rms]);
    }));
  }

  test("ends where the article's Add & Norm chain ends", at("#view=chain&node=post.norm2", async (page) => {
    const shown = await cells(page, cols);
    expect(golden.after_ffn).toHaveLength(56);
    for (const [i, value] of golden.after_ffn!.entries()) expect(shown[i]).toBeCloseTo(value, 5);
  }));

  test("writes mean and spread of the whole matrix on each step", at("#view=chain", async (page) => {
    const figures = (await page.locator('[data-node="post.sum1"] .figures').innerText()).replaceAll("\u2212", "-");
    const { mean, std } = an.rowStats(an.residualAdd(x, attn), { cols: 56 });
    expect(figures).toContain(`μ ${mean[0]!.toFixed(2)}`);
    expect(figures).toContain(`σ ${std[0]!.toFixed(2)}`);
  }));

  test("works one entry of a sum out with numbers", at("#view=chain&node=post.sum1&token=3&feature=2", async (page) => {
    const worked = (await page.locator("#detail .pieces").innerText()).replaceAll("\u2212", "-");
    const numbers = worked.match(/-?\d+\.\d+/g)!.map(Number);
    const at = 3 * 8 + 2;
    expect(numbers).toHaveLength(3);
    expect(numbers[0]).toBeCloseTo(x[at]!, 3);
    expect(numbers[1]).toBeCloseTo(attn[at]!, 3);
    expect(numbers[2]).toBeCloseTo(x[at]! + attn[at]!, 3);
  }));
});
