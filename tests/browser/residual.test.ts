// The residual view: its numbers are the package's, the slider and the keys drive it, unequal widths are said and mended, the log opens.
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { keysOf, open, settled, SLOW, untilKey, useBrowser, withPage } from "./support/browser.js";
import { drawn, ELEMENTS, withHost } from "./support/host.js";
import { an, cells, draw, readNumber } from "./support/numbers.js";

useBrowser();

const x = draw(42, 0, 56, 1);
const map = { weight: draw(42, 56, 64, 1 / Math.sqrt(8)), inFeatures: 8, outFeatures: 8 };
const fx = an.linear(x, map);

/** A column of the diff with this name, in full precision. */
async function diffColumn(rows: Locator, role: "stream" | "branch" | "next"): Promise<number[]> {
  return (await rows.locator(`.line > .${role}`).evaluateAll((found) => found.map((cell) => cell.getAttribute("title")!))).map(readNumber);
}
const diff = (page: Page): Locator => page.locator(".diff-card .diff");
const rowOf = (data: Float32Array, row: number): number[] => [...data.subarray(row * 8, row * 8 + 8)];

describe("the diff", () => {
  test("shows old, delta and new of a token as the package computes them", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&fScale=0.5&token=3" }, async (page) => {
      const next = an.residualAdd(x, fx, { beta: 0.5 });
      expect(await cells(page, 8)).toEqual([...next]);
      expect(await diffColumn(diff(page), "stream")).toEqual(rowOf(x, 3));
      expect(await diffColumn(diff(page), "branch")).toEqual(rowOf(an.residualAdd(fx, fx, { alpha: 0.5, beta: 0 }), 3));
      expect(await diffColumn(diff(page), "next")).toEqual(rowOf(next, 3));
    }));

  test("says in signs and not in colour alone what is added and what is taken away", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      const signs = await diff(page).locator(".line > .sign").allInnerTexts();
      expect(signs).toEqual(rowOf(fx, 0).map((value) => (value > 0 ? "+" : "\u2212")));
    }));

  test("works the chosen feature out with its numbers", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&fScale=0.5&token=0&feature=3&fKind=drawn" }, async (page) => {
      const drawn = draw(42, 56, 56, 1);
      const line = (await page.locator(".diff-card .worked .line").first().innerText()).replaceAll("\u2212", "-");
      const next = an.residualAdd(x, drawn, { beta: 0.5 });
      expect(line).toBe(`${x[3]!.toFixed(4)} + 0.5 × ${drawn[3]! < 0 ? `(${drawn[3]!.toFixed(4)})` : drawn[3]!.toFixed(4)} = ${next[3]!.toFixed(4)}`);
    }));

  test("previews the feature under the pointer, holds the clicked one, and Esc lets go", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      const line = (feature: number): Locator => diff(page).locator(`[data-feature="${feature}"]`);
      const symbols = page.locator(".diff-card .worked math").first();
      await line(5).hover();
      await expect.poll(() => symbols.textContent()).toContain("5");
      await line(2).click();
      await untilKey(page, "feature", "2");
      await line(6).hover();
      await settled(page);
      expect(await symbols.textContent()).toContain("2");
      await page.keyboard.press("Escape");
      await line(6).hover({ position: { x: 3, y: 5 } });
      await expect.poll(() => symbols.textContent()).toContain("6");
    }));

  test("is walked with the arrow keys, and Enter chooses", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&features=20&source=random&scale=1" }, async (page) => {
      await diff(page).locator('[data-feature="0"]').focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await untilKey(page, "feature", "2");
      await page.keyboard.press("End");
      await untilKey(page, "feature", "19");
      await expect.poll(() => diff(page).locator('[data-feature="19"]').evaluate((row) => row.matches(":focus"))).toBe(true);
      await page.getByText("features 16 to 19 of 20").first().waitFor();
    }));

  test("follows the token that is chosen in the matrix", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      await page.locator("addnorm-heatmap").first().locator('[role="row"][aria-rowindex="6"] [role="gridcell"]').nth(1).click();
      await untilKey(page, "token", "4");
      expect(await diffColumn(diff(page), "stream")).toEqual(rowOf(x, 4));
      expect(keysOf(page).feature).toBe("1");
    }));
});

describe("the scale of F", () => {
  const slider = (page: Page): Locator => page.getByRole("slider", { name: "Scale of F" });

  test("at 0 leaves x to the last bit, and says so", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      await page.getByRole("button", { name: "Set it to 0" }).click();
      await untilKey(page, "fScale", "0");
      await page.getByText("new equals old in 56 of 56 numbers").waitFor();
      await page.getByText("nothing to commit").waitFor();
      expect(await cells(page, 8)).toEqual([...x]);
      await page.goBack();
      await untilKey(page, "fScale", undefined);
      await settled(page);
      expect(await cells(page, 8)).toEqual([...an.residualAdd(x, fx)]);
    }));

  test("moves by dragging, all follows, and the whole drag is one step of the history", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      const entries = await page.evaluate(() => history.length);
      const box = (await slider(page).boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2, { steps: 6 });
      const during = Number(await slider(page).inputValue());
      expect(during).toBeLessThan(1);
      await settled(page);
      expect(await cells(page, 8)).toEqual([...an.residualAdd(x, fx, { beta: during })]);
      expect(keysOf(page).fScale).toBeUndefined();
      await page.mouse.up();
      await untilKey(page, "fScale", String(during));
      expect(await page.evaluate(() => history.length)).toBe(entries + 1);
    }));

  test("moves by keys, and a held key is one step of the history", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      const entries = await page.evaluate(() => history.length);
      await slider(page).focus();
      for (let i = 0; i < 4; i++) await page.keyboard.down("ArrowLeft");
      await page.keyboard.up("ArrowLeft");
      await untilKey(page, "fScale", "0.8");
      expect(await page.evaluate(() => history.length)).toBe(entries + 1);
      await page.keyboard.press("Home");
      await untilKey(page, "fScale", "0");
    }));

  test("can be typed, and what lies outside is refused", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      const field = page.locator(".slider addnorm-number-field input");
      await field.fill("1.25");
      await field.press("Enter");
      await untilKey(page, "fScale", "1.25");
      await field.fill("3");
      await field.press("Enter");
      await page.getByText("A number from 0 to 2").waitFor();
      expect(keysOf(page).fScale).toBe("1.25");
    }));
});

test("the lengths of x, of what F adds and of the sum are those of the vectors", { timeout: SLOW }, () =>
  withPage({ hash: "#view=residual&fScale=2&token=2" }, async (page) => {
    const length = (data: ArrayLike<number>): string => Math.hypot(...Array.from(data)).toFixed(3);
    const added = an.residualAdd(fx, fx, { alpha: 2, beta: 0 });
    const next = an.residualAdd(x, fx, { beta: 2 });
    const table = page.locator(".norms").first();
    expect(await table.locator("tbody tr").first().locator("td").allInnerTexts()).toEqual([x, added, next].map((data) => length(rowOf(data, 2))));
    const whole = await table.locator("tbody tr").nth(1).locator("td").allInnerTexts();
    expect(whole.map(Number)).toEqual([x, added, next].map((data) => Number(Math.hypot(...data).toPrecision(4))));
  }));

describe("the gradient", () => {
  const rows = (page: Page): Locator => page.locator(".gradient-card .diff");

  test("is dy over the skip plus the scaled product with W through F", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&fScale=0.5" }, async (page) => {
      const dy = new Float32Array(8).fill(1);
      const { dx } = an.linearBackward(new Float32Array(8), dy, map);
      expect(await diffColumn(rows(page), "stream")).toEqual([...dy]);
      expect(await diffColumn(rows(page), "next")).toEqual([...an.residualAdd(dy, dx, { beta: 0.5 })]);
      await page.getByRole("radio", { name: "1 at feature 0" }).check();
      await untilKey(page, "dy", "one");
      expect(await diffColumn(rows(page), "stream")).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
    }));

  test("comes over the skip alone where F is drawn", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      await page.getByRole("radio", { name: "drawn" }).check();
      await untilKey(page, "fKind", "drawn");
      await page.getByText("does not read x").waitFor();
      expect(await diffColumn(rows(page), "next")).toEqual(new Array(8).fill(1));
    }));
});

describe("unequal widths", () => {
  test("show the error that the package throws, and a projection mends it", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      await page.locator(".width-card").getByRole("radio", { name: "4", exact: true }).check();
      await untilKey(page, "fWidth", "4");
      const narrow = { weight: draw(42, 56, 32, 1 / Math.sqrt(8)), inFeatures: 8, outFeatures: 4 };
      const output = an.linear(x, narrow);
      expect(() => an.residualAdd(x, output)).toThrow("residualAdd: fx has 28 values, x has 56");
      await page.getByText("RangeError: residualAdd: fx has 28 values, x has 56").waitFor();
      expect(await page.locator(".diff-card").innerText()).toContain("There is no sum: x has 8 features, F(x) has 4.");
      await page.locator(".width-card .add-projection").click();
      await untilKey(page, "projection", "branch");
      await settled(page);
      expect(await page.locator(".thrown").count()).toBe(0);
      const back = { weight: draw(42, 56 + 32, 32, 1 / Math.sqrt(4)), inFeatures: 4, outFeatures: 8 };
      expect(await cells(page, 8)).toEqual([...an.residualAdd(x, an.linear(output, back))]);
      expect(await page.locator(".shapes").innerText()).toContain("8 × 4");
      await page.goBack();
      await untilKey(page, "projection", undefined);
      await page.getByText("RangeError: residualAdd").waitFor();
    }));

  test("can be mended at x instead, whose sum is then as wide as F(x) and can be chosen in all its features", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&fWidth=12&projection=stream" }, async (page) => {
      await page.getByText("no longer 1").waitFor();
      await diff(page).locator('[data-feature="0"]').focus();
      await page.keyboard.press("End");
      await diff(page).locator('[data-feature="11"].chosen').waitFor();
      expect(keysOf(page).feature).toBeUndefined();
    }));

  test("do not move the choice of the width from under the pointer", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual", height: 1500 }, async (page) => {
      const choice = page.locator(".width-choice");
      const before = (await choice.boundingBox())!.y;
      for (const width of ["4", "16"]) {
        await page.locator(".width-card").getByRole("radio", { name: width, exact: true }).check();
        await untilKey(page, "fWidth", width);
        await settled(page);
        expect(Math.abs((await choice.boundingBox())!.y - before)).toBeLessThan(2);
      }
    }));
});

describe("the log", () => {
  const config = { dModel: 8, heads: 2, layers: 3, eps: 1e-5, epsPlacement: "outside", seed: 43 } as const;
  const deltas = (page: Page): Locator => page.locator(".log .delta");

  test("has a commit for each sublayer, with the length of its delta", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&token=1" }, async (page) => {
      const outputs = an.stack(x, { ...config, placement: "pre" }).steps.filter(({ op }) => op === "attention" || op === "feedForward");
      const lengths = outputs.map(({ data }) => Math.hypot(...rowOf(data, 1)));
      expect((await deltas(page).allInnerTexts()).map(Number)).toEqual(lengths.map((length) => Number(length.toFixed(2))));
    }));

  test("opens a commit by click and by keys, and back closes it", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      const outputs = an.stack(x, { ...config, placement: "pre" }).steps.filter(({ op }) => op === "attention" || op === "feedForward");
      const shown = async (): Promise<number[]> => diffColumn(page.locator(".commit .diff"), "branch");
      expect(await shown()).toEqual(rowOf(outputs[0]!.data, 0));
      await page.locator('[data-commit="4"]').click();
      await untilKey(page, "commit", "4");
      expect(await shown()).toEqual(rowOf(outputs[3]!.data, 0));
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await untilKey(page, "commit", "3");
      expect(await page.locator('[data-commit="3"]').getAttribute("aria-pressed")).toBe("true");
      await page.goBack();
      await untilKey(page, "commit", "4");
    }));

  test("counts the norms of a post-norm stack as commits that rewrite the stream", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual" }, async (page) => {
      await page.getByRole("radio", { name: "Post-norm" }).check();
      await untilKey(page, "logPlacement", "post");
      expect(await page.locator("[data-commit]").count()).toBe(12);
      await page.getByText("rewrites every number of the stream").waitFor();
    }));

  test("gives way to a note where the stack would be too large", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&tokens=256&features=768" }, async (page) => {
      await page.getByText("takes too long to follow every click").waitFor();
      await page.getByText("F is drawn instead").waitFor();
    }));
});

describe("the view", () => {
  test("stands between the other tabs, and the page still opens on the tokens", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      const tabs = await page.locator("nav a").allInnerTexts();
      expect(tabs.slice(0, 3)).toEqual(["Residual", "Tokens", "Chain"]);
      await page.locator("addnorm-tokens").waitFor();
      await page.getByRole("link", { name: "Residual" }).click();
      await untilKey(page, "view", "residual");
      expect(await page.title()).toContain("Residual");
    }));

  test("is spoken in Chinese throughout", { timeout: SLOW }, () =>
    withPage({ hash: "#view=residual&fWidth=4&fScale=0", locale: "zh-CN" }, async (page) => {
      const text = await page.locator("addnorm-residual .root").evaluate((root) => {
        for (const english of root.querySelectorAll('[lang="en"], .aside, math, .heads, .id, h3 code')) english.remove();
        return (root as HTMLElement).innerText;
      });
      expect(text.replace(/git|Transformer|ResNet|attn_output/g, "").match(/[A-Za-z]{4,}/g)).toBeNull();
    }));

  test("does not shift while it is drawn", { timeout: SLOW }, async () => {
    const { page } = await open({
      hash: "#view=residual",
      before: (early) => early.addInitScript(() => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
            if (!entry.hadRecentInput) (window as unknown as { shift: number }).shift = ((window as unknown as { shift?: number }).shift ?? 0) + entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });
      }),
    });
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => (window as unknown as { shift?: number }).shift ?? 0)).toBeLessThan(0.02);
    await page.context().close();
  });
});

test("the element stands alone, takes attributes, and tells of its changes", { timeout: SLOW }, () =>
  withHost(`<addnorm-residual f-scale="0.5" lang="zh" token="2"></addnorm-residual>${ELEMENTS}`, async (page) => {
    await page.evaluate(() => {
      document.body.addEventListener("addnorm-change", (event) => ((window as unknown as { change: unknown }).change = (event as CustomEvent).detail));
    });
    await page.locator("addnorm-residual .diff-card").waitFor();
    await drawn(page.locator("addnorm-residual"));
    expect(await cells(page, 8)).toEqual([...an.residualAdd(x, fx, { beta: 0.5 })]);
    expect(await page.locator("addnorm-residual .lead").innerText()).toContain("词元 2");
    await page.getByRole("button", { name: "设为 0" }).click();
    expect(await page.evaluate(() => (window as unknown as { change: unknown }).change)).toMatchObject({ view: "residual", fScale: 0, token: 2 });
    expect(new URL(page.url()).hash).toBe("");
  }));
