// The page and the elements in Chromium, Firefox and WebKit: the package's own numbers in all of them, with SIMD and without.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Addnorm } from "../../web/lib/api.js";
import { frameScript } from "../../web/site/frame-script.js";
import { DIST, serve, SLOW } from "./support/browser.js";
import { engines, type Tab } from "./support/engines.js";
import { an, draw, readNumber } from "./support/numbers.js";
import { PROBE, Probed, WITHOUT_SIMD } from "./support/probe.js";

declare global {
  interface Window {
    an: Addnorm;
    base: Addnorm;
    /** Details of the addnorm-change events that came. */
    changes: unknown[];
  }
}

const layer = { cols: 8, eps: 1e-5, epsPlacement: "outside" } as const;
const article = draw(42, 0, 56, 10);
const [x, fx] = [draw(42, 0, 56, 1), draw(42, 56, 56, 1)];

/** In the order in which the compare view has them. */
const norms = (given: Addnorm): Float32Array[] => [
  given.layerNorm(x, layer).y, given.rmsNorm(x, { cols: 8 }).y, given.batchNorm(x, layer).y,
  given.groupNorm(x, { ...layer, groups: 2 }).y, given.l2Norm(x, { cols: 8, gain: Math.sqrt(8) }).y, given.dynamicTanh(x, { cols: 8, alpha: 0.5 }).y,
];

/** What attention gives in a pre-norm block whose weights are drawn after x, each matrix over the root of its fan-in. */
function attend(): Float32Array {
  const drawn = draw(42, 56, 768, 1);
  const matrix = (first: number, end: number, fanIn: number): Float32Array => drawn.slice(first, end).map((value) => value / Math.sqrt(fanIn));
  const weights = { attnInWeight: matrix(0, 192, 8), attnOutWeight: matrix(192, 256, 8), ffnUpWeight: matrix(256, 512, 8), ffnDownWeight: matrix(512, 768, 32) };
  const { steps } = an.block(x, { dModel: 8, heads: 2, placement: "pre", epsPlacement: "outside", weights });
  return steps.find(({ id }) => id === "block0.attn")!.data;
}

/** The gradients of a stack as the depth view makes it from its defaults. */
function gradients(layers: number, features: number, config: object): number[] {
  const count = 8 * features;
  const drawn = Float32Array.from(an.randn(42, 2 * count));
  const { backward } = an.stack(drawn.slice(0, count), { dModel: features, heads: 4, layers, seed: 43, backward: true, dy: drawn.slice(count), keep: "statistics", ...config });
  return backward!.map(({ gradientRms }) => Math.fround(gradientRms));
}

/** A host with a style for everything, in another language, and elements between its paragraphs. */
const HOST = `<!doctype html><html lang="zh"><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">
<script src="./probe.js"></script>
<style>* { font-size: 31px; color: red !important; display: block; box-sizing: content-box; }</style>
<addnorm-tokens source="random" seed="7" scale="2" tokens="3" features="5" step="3" eps-placement="inside"></addnorm-tokens>
<p>text</p>
<addnorm-chain node="post.norm2" lang="en"></addnorm-chain>
<script type="module" src="./host.js"></script></html>`;

const HOST_SCRIPT = `import { load } from "../index.js";
import "../elements.js";
window.changes = [];
addEventListener("addnorm-change", ({ detail }) => window.changes.push(detail));
[window.an, window.base] = await Promise.all([load(), load({ simd: "off" })]);
`;

/** The embedded view in a frame, and in one that may do nothing but run scripts. */
const FRAMES = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>frames</title><link rel="icon" href="data:,">
<script src="./probe.js"></script><script src="./frames.js"></script></head>
<iframe src="./site/embed.html?view=tokens&seed=7&scale=2&source=random&tokens=3" title="tokens" style="width: 100%; height: 300px"></iframe>
<iframe src="./site/embed.html?view=chain&lang=zh" title="chain" style="width: 100%; height: 300px" sandbox="allow-scripts"></iframe></html>`;

let folder: string;
let server: Server;
/** Of the folder, as it is served and on the disk. */
let served: string;
let onDisk: string;

const probed = (page: string, probe: string): string => page.replace("<head>", () => `<head>\n${probe}`);

beforeAll(async () => {
  folder = mkdtempSync(join(DIST, "engines-"));
  for (const [name, probe] of [["site", PROBE], ["base", WITHOUT_SIMD + PROBE]] as const) {
    cpSync(join(DIST, "site"), join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "probe.js"), probe);
    for (const page of ["index.html", "embed.html"].map((file) => join(folder, name, file))) {
      writeFileSync(page, probed(readFileSync(page, "utf8"), '<script src="./probe.js"></script>'));
    }
  }
  writeFileSync(join(folder, "probe.js"), PROBE);
  writeFileSync(join(folder, "host.html"), HOST);
  writeFileSync(join(folder, "host.js"), HOST_SCRIPT);
  writeFileSync(join(folder, "frames.html"), FRAMES);
  writeFileSync(join(folder, "frames.js"), frameScript.replace(/<\/?script>/g, ""));
  mkdirSync(join(folder, "disk"));
  writeFileSync(join(folder, "disk/page.html"), probed(readFileSync(join(DIST, "addnorm-playground.html"), "utf8"), `<script>${PROBE}</script>`));
  let origin: string;
  ({ server, origin } = await serve());
  served = `${origin}/${folder.slice(DIST.length + 1)}`;
  onDisk = pathToFileURL(folder).href;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

describe.each(engines)("in $name", ({ open }) => {
  let tab: Tab;
  let page: Probed;
  beforeAll(async () => {
    tab = await open();
    page = new Probed(tab);
  }, SLOW);
  afterAll(() => tab.close());
  afterEach(async () => {
    expect(await page.faults()).toEqual([]);
  });

  test("the kernels run with SIMD, and without it where that is asked for", { timeout: SLOW }, async () => {
    await page.open(`${served}/host.html`, 2);
    await expect.poll(() => page.run(() => window.base !== undefined), { timeout: SLOW / 4 }).toBe(true);
    expect(await page.run(() => window.an.info)).toMatchObject({ simd: true, target: "WASM" });
    const [info, y] = await page.run(() => [window.base.info, [...window.base.layerNorm(window.base.randn(42, 56), { cols: 8 }).y]] as const);
    expect(info).toMatchObject({ simd: false });
    an.layerNorm(an.randn(42, 56), { cols: 8 }).y.forEach((value, i) => expect(y[i]).toBeCloseTo(value, 5));
  });

  test("each view shows the package's numbers, to the last bit", { timeout: SLOW }, async () => {
    await page.open(`${served}/site/#step=3`);
    await page.untilCells("addnorm-heatmap", 8, an.layerNorm(article, layer).y);
    await page.goTo("#view=residual&fKind=drawn&fScale=0.5");
    await page.untilCells("addnorm-heatmap", 8, an.residualAdd(x, fx, { beta: 0.5 }));
    await page.goTo("#view=chain&node=post.norm1");
    await page.untilCells("#detail addnorm-heatmap", 8, an.addNorm(x, fx, layer).y);
    await page.goTo("#view=chain&node=pre.f1&sublayers=attention&heads=2");
    await page.untilCells("#detail > addnorm-heatmap:not(.attention)", 8, attend());
    await page.goTo("#view=compare&compareShow=numbers");
    for (const [i, y] of norms(an).entries()) await page.untilCells("addnorm-norm-map", 8, y, i);
  });

  test("the depth view computes in a worker, to the package's numbers", { timeout: SLOW }, async () => {
    await page.open(`${served}/site/#view=depth&layers=96&depthFeatures=64&depthVariants=plain,pre`);
    await page.click("details.all summary");
    await expect.poll(() => page.texts("details.all td").then(({ length }) => length), { timeout: SLOW / 4 }).toBe(2 * 97);
    const shown = (await page.texts("details.all td")).map(readNumber);
    expect(shown.filter((_, i) => i % 2 === 0)).toEqual(gradients(96, 64, { residual: "none", placement: "none", norm: "none" }));
    expect(shown.filter((_, i) => i % 2 === 1)).toEqual(gradients(96, 64, { placement: "pre", norm: "layer", epsPlacement: "outside" }));
    expect(await page.run(() => window.probe.workers)).toBe(1);
  });

  test("the mouse and the keys change the state, and the history goes back", { timeout: SLOW }, async () => {
    await page.open(`${served}/site/`);
    await page.click(".stepper > .button:last-child");
    await page.untilKey("step", "1");
    await page.untilCells("addnorm-heatmap", 8, an.layerNormSteps(article, layer).deviation);
    await page.click('.row[aria-rowindex="4"] [role="gridcell"][aria-colindex="5"]');
    await page.untilKey("token", "2");
    await page.press("ArrowDown");
    await page.press("ArrowRight");
    await page.press("Enter");
    await page.untilKey("token", "3");
    await page.untilKey("feature", "4");
    await page.back();
    await page.untilKey("step", null);
    await page.untilCells("addnorm-heatmap", 8, article);
    await page.goTo("#view=residual&fKind=drawn");
    await page.drag("#scale", 0.5, 0.25);
    await page.untilKey("view", "residual");
    const scale = await page.run(() => Number(new URLSearchParams(location.hash.slice(1)).get("fScale")));
    expect(scale).toBeGreaterThan(0.3);
    expect(scale).toBeLessThan(0.7);
    await page.untilCells("addnorm-heatmap", 8, an.residualAdd(x, fx, { beta: scale }));
  });

  test("Chinese and dark are complete", { timeout: SLOW }, async () => {
    await page.open(`${served}/site/#lang=zh&theme=dark&step=2`);
    await page.untilCells("addnorm-heatmap", 8, an.layerNormSteps(article, layer).normalized);
    await expect.poll(() => page.texts("nav a")).toEqual(["残差连接", "词元", "完整流程", "深度", "归一化对比"]);
    expect(await page.run(() => [document.documentElement.lang, document.title])).toEqual(["zh-Hans", "词元 · Add & Norm 实验台"]);
    const grounds = await page.run(() => [document.body, window.probe.all("addnorm-page")[0]!.shadowRoot!.querySelector(".root")!].map((element) => getComputedStyle(element).backgroundColor));
    expect(grounds).toEqual(["rgb(20, 23, 27)", "rgb(20, 23, 27)"]);
    expect(await page.run(() => window.probe.all("math").every((formula) => formula.getBoundingClientRect().width > 10))).toBe(true);
  });

  test("elements work in a foreign page with a style for everything", { timeout: SLOW }, async () => {
    await page.open(`${served}/host.html`, 2);
    await page.untilCells("addnorm-heatmap", 5, an.layerNorm(draw(7, 0, 15, 2), { ...layer, cols: 5, epsPlacement: "inside" }).y);
    await page.untilCells("#detail addnorm-heatmap", 8, an.addNorm(an.addNorm(x, fx, layer).y, draw(42, 112, 56, 1), layer).y);
    const [colour, size] = await page.run(() => {
      const { color, fontSize } = getComputedStyle(window.probe.all("addnorm-heatmap")[0]!.shadowRoot!.querySelector(".scroller")!);
      return [color, Number.parseFloat(fontSize)] as const;
    });
    expect(colour).not.toBe("rgb(255, 0, 0)");
    expect(size).toBeLessThan(31);
    await page.run(() => void Object.assign(document.querySelector("addnorm-tokens")!, { seed: 8 }));
    await page.untilCells("addnorm-heatmap", 5, an.layerNorm(draw(8, 0, 15, 2), { ...layer, cols: 5, epsPlacement: "inside" }).y);
    expect(await page.run(() => window.changes.at(-1))).toMatchObject({ seed: 8, view: "tokens" });
  });

  test("embedded views tell their frames how high they are, with an origin and without", { timeout: SLOW }, async () => {
    await page.open(`${served}/frames.html`, 0);
    await expect.poll(() => page.run(() => [...document.querySelectorAll("iframe")].map((frame) => frame.offsetHeight > 500)), { timeout: SLOW / 4 }).toEqual([true, true]);
    const [labels, faults] = await page.run(() => {
      const { probe } = document.querySelector("iframe")!.contentWindow!;
      const cells = probe.all("addnorm-heatmap")[0]!.shadowRoot!.querySelectorAll('[role="gridcell"]:not(.stat)');
      return [[...cells].map((cell) => cell.getAttribute("aria-label")!), probe.faults] as const;
    });
    expect(labels.map(readNumber)).toEqual([...draw(7, 0, 24, 2)]);
    expect(faults).toEqual([]);
  });

  test("the share dialog opens with what is to be copied, and Back closes it", { timeout: SLOW }, async () => {
    await page.open(`${served}/site/#seed=7`);
    const open = (): Promise<string[]> => page.run(() => window.probe.all("dialog[open] textarea").map((field) => (field as HTMLTextAreaElement).value));
    await page.click(".tools .button");
    await expect.poll(open, { timeout: SLOW / 4 }).toHaveLength(3);
    expect((await open())[2]).toMatch(/<addnorm-tokens source="random" seed="7" style="display: block; min-height: \d+px"><\/addnorm-tokens>/);
    await page.untilCells("addnorm-heatmap", 8, draw(7, 0, 56, 10), 1);
    await page.back();
    await expect.poll(open, { timeout: SLOW / 4 }).toEqual([]);
    await page.untilKey("seed", "7");
  });

  test("the page in one file opens from a disk", { timeout: SLOW }, async () => {
    await page.open(`${onDisk}/disk/page.html#step=1`);
    await page.untilCells("addnorm-heatmap", 8, an.layerNormSteps(article, layer).deviation);
    await page.goTo("#view=depth&layers=96&depthFeatures=64");
    await expect.poll(() => page.run(() => window.probe.all("addnorm-depth-chart")[0]?.shadowRoot?.querySelectorAll("svg path").length ?? 0), { timeout: SLOW / 4 }).toBeGreaterThan(0);
  });

  test("without SIMD the page shows the same numbers", { timeout: SLOW }, async () => {
    await page.open(`${served}/base/#step=3`);
    await page.untilCells("addnorm-heatmap", 8, an.layerNorm(article, layer).y, 0, near);
    await page.goTo("#view=compare&compareShow=numbers");
    for (const [i, y] of norms(an).entries()) await page.untilCells("addnorm-norm-map", 8, y, i, near);
    const sizes = await page.run(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).map((entry) => (entry as PerformanceResourceTiming).decodedBodySize));
    expect(sizes).toEqual([readFileSync(join(DIST, "wasm/addnorm-base.wasm")).length]);
  });
});

function near(shown: number[], expected: number[]): void {
  expected.forEach((value, i) => expect(shown[i]).toBeCloseTo(value, 5));
}
