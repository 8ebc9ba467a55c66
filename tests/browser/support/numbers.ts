// What the page should show: the package's own results for a state, and the numbers that the page does show.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { Addnorm } from "../../../web/lib/api.js";
import { DIST } from "./browser.js";

const { load } = (await import(pathToFileURL(join(DIST, "index.node.js")).href)) as { load(): Promise<Addnorm> };

export const an = await load();

/** Numbers as the page draws them: `count` of RandomState(seed).randn after the first `skip`, times scale, as float32. */
export function draw(seed: number, skip: number, count: number, scale: number): Float32Array {
  return Float32Array.from(an.randn(seed, skip + count).subarray(skip), (value) => value * scale);
}

/** Text with a true minus sign, as the page writes numbers, to the float32 that it names. */
export function readNumber(text: string): number {
  const plain = text.trim().replaceAll("\u2212", "-").replace("∞", "Infinity");
  return Math.fround(Number(plain));
}

export const heatmap = (page: Page): Locator => page.locator("addnorm-heatmap").first();

/** All cells of a heatmap that fits on the page, row by row, in full precision; statistics columns are left out. */
export async function cells(page: Page, cols: number): Promise<number[]> {
  const labels = await heatmap(page).locator('[role="gridcell"]').evaluateAll((found) =>
    found.map((cell) => ({ label: cell.getAttribute("aria-label")!, col: Number(cell.getAttribute("aria-colindex")) - 2 })));
  return labels.filter(({ col }) => col < cols).map(({ label }) => readNumber(label));
}

/** One statistics column of a heatmap, in full precision. */
export async function column(page: Page, col: number): Promise<number[]> {
  const labels = await heatmap(page).locator(`[role="gridcell"][aria-colindex="${col + 2}"]`).evaluateAll((found) => found.map((cell) => cell.getAttribute("aria-label")!));
  return labels.map(readNumber);
}
