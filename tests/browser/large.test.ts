// 2,048 x 768 numbers: they draw, scroll and open without holding up the page.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { SLOW, useBrowser, withPage } from "./support/browser.js";
import { an, draw, readNumber } from "./support/numbers.js";

useBrowser();

const SIZE = "tokens=2048&features=768&source=random&seed=42";
/** Longer than this, and a person notices (the Long Tasks API's own limit). */
const LONG_MS = 50;

interface Watched {
  tasks: { start: number; duration: number }[];
}

const watch = (page: Page): Promise<void> =>
  page.addInitScript(() => {
    const watched: Watched = { tasks: [] };
    Object.assign(window, { watched });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) watched.tasks.push({ start: startTime, duration });
    }).observe({ type: "longtask", buffered: true });
  });

/** The long tasks since the last call. */
const longTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { watched: Watched }).watched.tasks.splice(0).map(({ duration }) => Math.round(duration)));

async function scroll(page: Page): Promise<void> {
  await page.locator("addnorm-heatmap [role=grid]").hover();
  for (let i = 0; i < 30; i++) {
    await page.mouse.wheel(i % 3 === 0 ? 400 : 0, 900);
    await page.waitForTimeout(30);
  }
  await page.waitForTimeout(200);
}

async function firstVisibleRow(page: Page): Promise<{ row: number; values: number[] }> {
  return page.locator("addnorm-heatmap .row[aria-rowindex]").nth(6).evaluate((found) => ({
    row: Number(found.getAttribute("aria-rowindex")) - 2,
    values: [...found.querySelectorAll('[role="gridcell"]')].slice(0, 5).map((cell) => [cell.getAttribute("aria-colindex"), cell.getAttribute("aria-label")].join(" ")),
  })).then(({ row, values }) => ({ row, values: values as unknown as number[] }));
}

describe("2,048 x 768", () => {
  test("scrolls without a long task in the tokens view, and shows the right numbers there", { timeout: SLOW }, () =>
    withPage({ hash: `#${SIZE}&step=2`, before: watch }, async (page) => {
      await page.waitForTimeout(1000);
      console.log(`tokens, until drawn: long tasks of ${(await longTasks(page)).join(", ")} ms`);
      await scroll(page);
      const whileScrolling = await longTasks(page);
      console.log(`tokens, scrolling: long tasks of ${whileScrolling.join(", ") || "0"} ms`);
      const { row, values } = await firstVisibleRow(page);
      const expected = an.layerNormSteps(draw(42, 0, 2048 * 768, 10), { cols: 768, eps: 1e-5, epsPlacement: "outside" }).normalized;
      expect(row).toBeGreaterThan(20);
      for (const text of values as unknown as string[]) {
        const [col, label] = text.split(" ");
        if (Number(col) - 2 < 768) expect(readNumber(label!)).toBe(expected[row * 768 + Number(col) - 2]);
      }
      expect(whileScrolling.filter((duration) => duration > LONG_MS)).toEqual([]);
    }));

  test("scrolls without a long task in an opened step of the chain", { timeout: SLOW }, () =>
    withPage({ hash: `#view=chain&${SIZE}&scale=1&node=post.norm1`, before: watch }, async (page) => {
      await page.waitForTimeout(1500);
      console.log(`chain, until drawn: long tasks of ${(await longTasks(page)).join(", ")} ms`);
      await scroll(page);
      const whileScrolling = await longTasks(page);
      console.log(`chain, scrolling: long tasks of ${whileScrolling.join(", ") || "0"} ms`);
      expect(whileScrolling.filter((duration) => duration > LONG_MS)).toEqual([]);
    }));
});
