// What a page or a program of every host does: one LayerNorm beside its golden value, and one element with the article's numbers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { GOLDEN, open, SLOW, type OpenOptions } from "../../browser/support/browser.js";
import { cells } from "../../browser/support/numbers.js";

interface Case {
  name: string;
  x: number[];
  y: number[];
  [option: string]: unknown;
}

const golden = <T>(name: string): T => JSON.parse(readFileSync(join(GOLDEN, name), "utf8")) as T;

const { x, y, ...options } = golden<Case[]>("norms.json").find(({ name }) => name === "layer_norm_2x17_outside_ddof1")!;
const article = golden<{ layer_norm_example: { x: number[] } }>("article.json").layer_norm_example.x;

/** An expression for the golden case's y as an array, by the loaded package `an`. */
const { cols, gamma, beta, eps, epsPlacement, variance } = options;
export const COMPUTED = `Array.from(an.layerNorm(${JSON.stringify(x)}, ${JSON.stringify({ cols, gamma, beta, eps, epsPlacement, variance })}).y)`;

/** Statements that tell the document what `load(args)` led to. */
export const tells = (args = ""): string => `
load(${args}).then(
  (an) => { document.body.dataset.y = JSON.stringify(${COMPUTED}); document.body.dataset.info = JSON.stringify(an.info); },
  (error) => { document.body.dataset.error = error.message; },
);`;

export const ELEMENT = '<addnorm-tokens seed="42" lang="en"></addnorm-tokens>';

/** The script of an app that uses both the core and the elements. */
export const APP = `import { load } from "addnorm";
import "addnorm/elements";
${tells()}`;

export const html = (head: string, body = ELEMENT): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>host</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;

export function expectGolden(values: ArrayLike<number>): void {
  expect(values).toHaveLength(y.length);
  y.forEach((value, i) => expect(Math.abs(values[i]! - value)).toBeLessThan(3e-6 * Math.max(1, ...y.map(Math.abs))));
}

/** What `tells` told; an error is the result too. */
export async function told(page: Page): Promise<{ y?: number[]; error?: string; simd?: boolean }> {
  await page.waitForFunction(() => document.body?.dataset.y ?? document.body?.dataset.error, null, { timeout: SLOW / 2 });
  const { y: values, error, info } = await page.evaluate(() => ({ ...document.body.dataset }));
  return error === undefined ? { y: JSON.parse(values!) as number[], simd: (JSON.parse(info!) as { simd: boolean }).simd } : { error };
}

export async function expectCore(page: Page): Promise<void> {
  const { y: values, error } = await told(page);
  expect(error).toBeUndefined();
  expectGolden(values!);
}

/** The element shows the article's x. */
export async function expectElement(page: Page): Promise<void> {
  await page.locator("addnorm-tokens [role=gridcell]").first().waitFor({ timeout: SLOW / 2 });
  const shown = await cells(page, 8);
  expect(shown.length).toBeGreaterThanOrEqual(article.length);
  article.forEach((value, i) => expect(shown[i]).toBeCloseTo(value, 4));
}

/** Opens an address, and after `use` says what went wrong in the page. */
export async function visit(url: string, use: (page: Page) => Promise<void>, options: OpenOptions = {}): Promise<void> {
  const { page, faults } = await open({ ...options, url, early: true });
  try {
    await use(page);
    expect(faults.filter((fault) => !fault.startsWith("request: "))).toEqual([]);
  } finally {
    await page.context().close();
  }
}

/** A host as it should be: the numbers, the element, no complaint in the console. */
export const expectAll = (url: string): Promise<void> =>
  visit(url, async (page) => {
    await expectCore(page);
    await expectElement(page);
  });
