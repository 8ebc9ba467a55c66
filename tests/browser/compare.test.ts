// The compare view: its numbers are the package's, only BatchNorm's row moves with the batch, and a cell shows where its statistic comes from.
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { keysOf, settled, SLOW, untilKey, useBrowser, withPage } from "./support/browser.js";
import { drawn, ELEMENTS, withHost } from "./support/host.js";
import { an, draw, readNumber } from "./support/numbers.js";

useBrowser();

const NORMS = ["LayerNorm", "RMSNorm", "BatchNorm", "GroupNorm", "ScaleNorm", "DyT"] as const;
type Norm = (typeof NORMS)[number];

/** Three sequences of seven tokens, of which the last two of the second and third are padding. */
const batch = draw(42, 0, 168, 1);
const padding = Array.from({ length: 21 }, (_, row) => row > 7 && row % 7 > 4);
for (const [row, padded] of padding.entries()) if (padded) batch.fill(0, row * 8, row * 8 + 8);
const layer = { cols: 8, eps: 1e-5, epsPlacement: "outside" } as const;

const normsOf = (x: Float32Array, mask: boolean[]): Record<Norm, Float32Array> => ({
  LayerNorm: an.layerNorm(x, layer).y,
  RMSNorm: an.rmsNorm(x, { cols: 8 }).y,
  BatchNorm: an.batchNorm(x, { ...layer, padding: mask }).y,
  GroupNorm: an.groupNorm(x, { ...layer, groups: 2 }).y,
  ScaleNorm: an.l2Norm(x, { cols: 8, gain: Math.sqrt(8) }).y,
  DyT: an.dynamicTanh(x, { cols: 8, alpha: 0.5 }).y,
});
const expected = normsOf(batch, padding);

const card = (page: Page, norm: Norm): Locator => page.locator(`.maps section[aria-label="${norm}"]`);
const cell = (page: Page, norm: Norm, row: number, col: number): Locator =>
  card(page, norm).locator(`[role="row"][aria-rowindex="${row + 2}"] [role="gridcell"][aria-colindex="${col + 2}"]`);
const labels = (page: Page, norm: Norm): Promise<string[]> =>
  card(page, norm).locator('[role="gridcell"]').evaluateAll((cells) => cells.map((found) => found.getAttribute("aria-label")!));
const verdicts = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(NORMS.map(async (norm) => [norm, await card(page, norm).locator(".verdict span").innerText()] as const)));
const batchSlider = (page: Page): Locator => page.getByRole("slider", { name: "Batch" });

describe("the small multiples", () => {
  test("hold each norm's numbers as the package computes them, and name padding", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare&batch=3&padding=2&compareShow=numbers" }, async (page) => {
      for (const norm of NORMS) {
        const shown = await labels(page, norm);
        expect(shown).toHaveLength(168);
        shown.forEach((label, i) => {
          if (padding[Math.floor(i / 8)]) expect(label).toBe("padding");
          else expect(readNumber(label), `${norm} ${i}`).toBe(expected[norm][i]);
        });
      }
    }));

  test("outline where a cell's statistic comes from, in all six at once", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare&batch=3&padding=2", height: 1400 }, async (page) => {
      await cell(page, "GroupNorm", 8, 5).hover();
      await page.getByText("sequence 1, token 1, feature 5").waitFor();
      const frame = async (norm: Norm): Promise<string> => card(page, norm).locator(".from").evaluate((found) => {
        const { gridRowStart, gridRowEnd, gridColumnStart, gridColumnEnd } = getComputedStyle(found);
        return `${gridRowStart}-${gridRowEnd} ${gridColumnStart}-${gridColumnEnd}`;
      });
      // Grid lines: heads, seven rows, a gap, seven rows, a gap, seven rows of which two are padding.
      expect(await Promise.all(NORMS.map(frame))).toEqual(["11-12 2-10", "11-12 2-10", "2-23 7-8", "11-12 6-10", "11-12 2-10", "11-12 7-8"]);
      await page.getByText("come from 4 numbers").waitFor();
      await cell(page, "BatchNorm", 8, 5).hover();
      await page.getByText("come from 17 numbers").waitFor();
    }));

  test("are walked with the arrow keys; Enter holds, Esc lets go", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare&batch=2" }, async (page) => {
      await cell(page, "LayerNorm", 0, 0).focus();
      for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
      await page.getByText("sequence 0, token 2, feature 1").waitFor();
      await page.keyboard.press("Enter");
      await untilKey(page, "token", "2");
      expect(keysOf(page)).toMatchObject({ feature: "1", compareNorm: "layer" });
      await page.getByRole("button", { name: "held" }).waitFor();
      await page.keyboard.press("PageDown");
      await settled(page);
      await page.getByText("sequence 0, token 2, feature 1").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("ArrowRight");
      await page.getByText("sequence 1, token 2, feature 2").waitFor();
    }));

  test("show a page of a larger batch, and the pager walks on", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare&source=random&scale=1&tokens=20&features=64&batch=2" }, async (page) => {
      expect(await labels(page, "RMSNorm")).toHaveLength(128);
      await page.getByRole("button", { name: "Later features" }).click();
      await untilKey(page, "feature", "8");
      await page.getByRole("button", { name: "Later tokens" }).click();
      await untilKey(page, "token", "8");
      await page.getByText("tokens 8 to 15 of 20").waitFor();
      const y = an.rmsNorm(draw(42, 0, 2560, 1), { cols: 64 }).y;
      expect(readNumber((await labels(page, "RMSNorm"))[0]!)).toBe(y[8 * 64 + 8]);
    }));
});

describe("the batch", () => {
  test("dragged larger moves BatchNorm's row alone, as one step of the history, and back undoes it", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare", height: 1400 }, async (page) => {
      expect(new Set(Object.values(await verdicts(page)))).toEqual(new Set(["unchanged, bit for bit"]));
      const entries = await page.evaluate(() => history.length);
      const box = (await batchSlider(page).boundingBox())!;
      await page.mouse.move(box.x + 8, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
      await page.mouse.up();
      await expect.poll(() => Number(keysOf(page).batch)).toBeGreaterThan(2);
      expect(await page.evaluate(() => history.length)).toBe(entries + 1);
      for (const [norm, verdict] of Object.entries(await verdicts(page))) expect(verdict, norm).toMatch(norm === "BatchNorm" ? /^8 of 8 moved/ : /^unchanged/);
      await page.goBack();
      await untilKey(page, "batch", undefined);
      await settled(page);
      expect((await verdicts(page)).BatchNorm).toBe("unchanged, bit for bit");
    }));

  test("moves by keys, padding waits for a second sequence, and nothing below is pushed away", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare", height: 1400 }, async (page) => {
      const paddingSlider = page.getByRole("slider", { name: "Padding" });
      expect(await paddingSlider.isDisabled()).toBe(true);
      const below = async (): Promise<number> => (await page.locator(".row-table").boundingBox())!.y;
      const before = await below();
      await batchSlider(page).focus();
      for (let i = 0; i < 7; i++) await page.keyboard.press("ArrowRight");
      await untilKey(page, "batch", "8");
      await settled(page);
      expect(Math.abs((await below()) - before)).toBeLessThan(2);
      await paddingSlider.focus();
      await page.keyboard.press("ArrowRight");
      await untilKey(page, "padding", "1");
      await page.getByText("8 × 7 tokens: 49 real, 7 padding.").waitFor();
      expect(Math.abs((await below()) - before)).toBeLessThan(2);
    }));
});

describe("the row of interest", () => {
  test("shows what each norm makes of it, and the change with its sign", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare&batch=3&padding=2&token=4" }, async (page) => {
      const row = (data: Float32Array): Float32Array => data.subarray(32, 40);
      const alone = normsOf(batch.slice(0, 56), new Array<boolean>(7).fill(false));
      const groups = page.locator('.row-table > [role="rowgroup"]');
      expect((await groups.nth(1).locator("[data-value]").evaluateAll((cells) => cells.map((found) => found.getAttribute("data-value")!))).map(readNumber)).toEqual([...row(batch)]);
      for (const [i, norm] of NORMS.entries()) {
        const group = groups.nth(i + 2);
        const shown = await group.locator("[data-value]").evaluateAll((cells) => cells.map((found) => found.getAttribute("data-value")!));
        expect(shown.map(readNumber), norm).toEqual([...row(expected[norm])]);
        const moved = await group.locator(".moved").evaluateAll((cells) => cells.map((found) => found.getAttribute("title")!));
        const delta = an.residualAdd(row(expected[norm]), row(alone[norm]), { beta: -1 });
        expect(moved.map((title) => readNumber(title.replace("+", ""))), norm).toEqual(norm === "BatchNorm" ? [...delta] : []);
        for (const title of moved) expect(title).toMatch(/^[+\u2212]/);
        if (norm !== "BatchNorm") expect(await group.innerText()).toContain("= the same numbers as alone, bit for bit");
      }
    }));

  test("follows the token that is typed, and refuses one that is not there", { timeout: SLOW }, () =>
    withPage({ hash: "#view=compare" }, async (page) => {
      const field = page.locator("addnorm-number-field.token input");
      await field.fill("6");
      await field.press("Enter");
      await untilKey(page, "token", "6");
      await page.getByText("Token 6 of sequence 0, before and after").waitFor();
      await field.fill("7");
      await field.press("Enter");
      await page.getByText("A whole number from 0 to 6").waitFor();
      expect(keysOf(page).token).toBe("6");
    }));
});

test("the formula of each norm is worked out with its numbers", { timeout: SLOW }, () =>
  withPage({ hash: "#view=compare&batch=3&padding=2&token=4&feature=2" }, async (page) => {
    const line = async (): Promise<string> => (await page.locator(".worked .line").innerText()).replaceAll("\u2212", "-");
    for (const norm of NORMS) {
      await page.getByRole("radio", { name: norm, exact: true }).check();
      await page.getByRole("heading", { name: `${norm}, worked out` }).waitFor();
      const result = Number(/= (-?[\d.]+)$/.exec(await line())![1]);
      expect(result, norm).toBeCloseTo(expected[norm][34]!, 3);
      // What is put in gives what comes out.
      const sum = (await line()).replace(/ = .*$/, "").replaceAll("×", "*").replaceAll("√(", "Math.sqrt(").replaceAll("²", "**2").replace("tanh(", "Math.tanh(").replace("max(", "Math.max(");
      expect(Number(new Function(`return ${sum}`)()), norm).toBeCloseTo(result, 3);
    }
  }));

test("BatchNorm of one token is beta, and wanders with the size of the batch", { timeout: SLOW }, () =>
  withPage({ hash: "#view=compare&beta=0.5&token=3&feature=1" }, async (page) => {
    const one = await page.locator(".why-table.one td").allInnerTexts();
    expect(one).toEqual(new Array(8).fill("0.5"));
    const shown = await page.locator(".why-table tbody tr").first().locator("td span").evaluateAll((cells) => cells.map((found) => found.getAttribute("title")!));
    const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map((size) => an.batchNorm(draw(42, 0, 56 * size, 1), { ...layer, beta: new Array(8).fill(0.5) }).y[25]);
    expect(shown.map(readNumber)).toEqual(sizes);
  }));

test("the view is the last tab, and is spoken in Chinese throughout", { timeout: SLOW }, () =>
  withPage({ hash: "#view=compare&batch=3&padding=2", locale: "zh-CN" }, async (page) => {
    expect((await page.locator("nav a").allInnerTexts()).at(-1)).toBe("归一化对比");
    const text = await page.locator("addnorm-compare .root").evaluate((root) => {
      for (const english of root.querySelectorAll('[lang="en"], .line')) english.remove();
      return (root as HTMLElement).innerText;
    });
    expect(text.replace(/LayerNorm|RMSNorm|BatchNorm|GroupNorm|ScaleNorm|Transformer|tanh/g, "").match(/[A-Za-z]{4,}/g)).toBeNull();
  }));

test("the element stands alone, takes attributes, and tells of its changes", { timeout: SLOW }, () =>
  withHost(`<addnorm-compare batch="3" padding="2" compare-show="numbers" lang="zh"></addnorm-compare>${ELEMENTS}`, async (page) => {
    await page.evaluate(() => {
      document.body.addEventListener("addnorm-change", (event) => ((window as unknown as { change: unknown }).change = (event as CustomEvent).detail));
    });
    await page.locator("addnorm-norm-map").first().waitFor();
    await drawn(page.locator("addnorm-compare"));
    expect((await labels(page, "BatchNorm")).filter((label) => label !== "填充").map(readNumber)).toEqual([...expected.BatchNorm].filter((_, i) => !padding[Math.floor(i / 8)]));
    await page.getByRole("button", { name: "改回 1 个序列" }).click();
    expect(await page.evaluate(() => (window as unknown as { change: unknown }).change)).toMatchObject({ view: "compare", batch: 1, padding: 2 });
    expect(new URL(page.url()).hash).toBe("");
  }));
