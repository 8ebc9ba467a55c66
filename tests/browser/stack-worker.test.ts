// Stacks away from the page's own thread: in a worker that is kept, cancelled half-way, and in slices where there is none.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Addnorm, AnyTrace, ModelConfig } from "../../web/lib/api.js";
import type { stackAway } from "../../web/state/stack-client.js";
import { DIST, ROOT, SLOW, origin, useBrowser, withPage, type OpenOptions } from "./support/browser.js";

useBrowser();

declare global {
  interface Window {
    an: Addnorm;
    stackAway: typeof stackAway;
    /** What both ways of computing have in common and what came on the way. */
    run(layers: number, dModel: number, cancelAt?: number): Promise<{ trace?: AnyTrace; error?: string; progress: number[]; turns: number; took: number }>;
  }
}

let folder: string;

/** A page with the client alone. */
beforeAll(async () => {
  folder = mkdtempSync(join(DIST, "stack-"));
  writeFileSync(join(folder, "index.html"), '<!doctype html><html lang="en"><title>-</title><link rel="icon" href="data:,"><script type="module" src="./main.js"></script></html>');
  writeFileSync(join(folder, "main.js"), `
    import { load } from "${ROOT}/web/lib/index.ts";
    import { stackAway } from "${ROOT}/web/state/stack-client.ts";
    const an = window.an = await load();
    window.stackAway = stackAway;
    window.run = async (layers, dModel, cancelAt) => {
      const x = Float32Array.from(an.randn(1, 8 * dModel));
      const controller = new AbortController();
      const progress = [];
      let turns = 0;
      const timer = setInterval(() => { turns += 1; }, 1);
      const began = performance.now();
      const config = { dModel, layers, heads: 4, backward: true, keep: "statistics" };
      const onProgress = (done, total) => { progress.push(done / total); if (done >= cancelAt) controller.abort(new Error("enough")); };
      if (cancelAt === 0) setTimeout(() => controller.abort(new Error("enough")), 50);
      const outcome = await stackAway(an, x, config, { signal: controller.signal, onProgress }).then((trace) => ({ trace }), (error) => ({ error: String(error) }));
      clearInterval(timer);
      return { ...outcome, progress, turns, took: performance.now() - began };
    };
    document.documentElement.dataset.ready = "true";`);
  await build({ root: folder, configFile: false, logLevel: "silent", base: "./", build: { outDir: join(folder, "out"), modulePreload: false } });
}, SLOW);
afterAll(() => rmSync(folder, { recursive: true }));

function onPage(use: (page: Page, workers: () => number) => Promise<void>, options: OpenOptions = {}): Promise<void> {
  let begun = 0;
  return withPage({
    ...options,
    url: `${origin}/${folder.slice(DIST.length + 1)}/out/`,
    before: async (page) => {
      page.on("worker", () => { begun += 1; });
      await options.before?.(page);
    },
  }, (page) => use(page, () => begun));
}

/** What the page's own thread computes for the same stack. */
function curves(page: Page, layers: number, dModel: number): Promise<number[][]> {
  return page.evaluate(([layers, dModel]) => {
    const config: ModelConfig = { dModel: dModel!, layers, heads: 4, backward: true, keep: "statistics" };
    const { steps, backward } = window.an.stack(window.an.randn(1, 8 * dModel!), config);
    return [steps.map(({ whole }) => whole.rms), backward!.map(({ gradientRms }) => gradientRms)];
  }, [layers, dModel]);
}

const curvesOf = ({ steps, backward }: AnyTrace): number[][] => [steps.map(({ whole }) => whole.rms), backward!.map(({ gradientRms }) => gradientRms)];

test("a small stack is computed at once, without a worker", { timeout: SLOW }, () =>
  onPage(async (page, workers) => {
    const { trace } = await page.evaluate(() => window.run(2, 8));
    expect(curvesOf(trace!)).toEqual(await curves(page, 2, 8));
    expect(workers()).toBe(0);
  }));

test("large stacks are computed in one worker that is kept, with progress, to the same numbers", { timeout: SLOW }, () =>
  onPage(async (page, workers) => {
    for (const dModel of [64, 32]) {
      const { trace, progress, turns } = await page.evaluate((width) => window.run(128, width), dModel);
      expect(curvesOf(trace!)).toEqual(await curves(page, 128, dModel));
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(progress.at(-1)).toBe(1);
      expect(turns).toBeGreaterThan(0);
    }
    expect(workers()).toBe(1);
  }));

test("a stack that is cancelled half-way rejects, and the next one is computed by the same worker", { timeout: SLOW }, () =>
  onPage(async (page, workers) => {
    const { error, progress } = await page.evaluate(() => window.run(128, 64, 1));
    expect(error).toBe("Error: enough");
    expect(progress.at(-1)).toBeLessThan(1);
    const { trace } = await page.evaluate(() => window.run(128, 32));
    expect(curvesOf(trace!)).toEqual(await curves(page, 128, 32));
    expect(workers()).toBe(1);
  }));

test("a worker that is drawing millions of weights is ended when they are no longer wanted", { timeout: SLOW }, () =>
  onPage(async (page, workers) => {
    await page.evaluate(() => window.run(128, 32));
    const { error, progress, took } = await page.evaluate(() => window.run(128, 256, 0));
    expect(error).toBe("Error: enough");
    expect(progress).toEqual([]);
    const { trace } = await page.evaluate(() => window.run(128, 32));
    expect(curvesOf(trace!)).toEqual(await curves(page, 128, 32));
    expect(took).toBeLessThan(2000);
    expect(workers()).toBe(2);
  }));

test("several stacks at a time all come, and a wrong one brings the package's own error", { timeout: SLOW }, () =>
  onPage(async (page, workers) => {
    const outcomes = await page.evaluate(() => Promise.all([window.run(64, 32), window.run(128, 30), window.run(32, 64)]));
    expect(outcomes.map(({ error }) => error)).toEqual([undefined, "RangeError: stackAsync: heads is 4, expected a divisor of dModel, which is 30", undefined]);
    expect(curvesOf(outcomes[2].trace!)).toEqual(await curves(page, 32, 64));
    expect(workers()).toBe(1);
  }));

test("where the page may have no worker, it computes in slices and can be cancelled", { timeout: SLOW }, () =>
  onPage(async (page) => {
    const { trace, progress, turns } = await page.evaluate(() => window.run(128, 32));
    expect(curvesOf(trace!)).toEqual(await curves(page, 128, 32));
    expect(progress.length).toBeGreaterThan(1);
    expect(turns).toBeGreaterThan(0);
    const { error } = await page.evaluate(() => window.run(128, 64, 1));
    expect(error).toBe("Error: enough");
  }, { before: (page) => page.addInitScript(() => { window.Worker = class { constructor() { throw new Error("refused"); } } as unknown as typeof Worker; }) }));
