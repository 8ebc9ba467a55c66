// Dragging, typing and arrow keys change x; all that depends on it follows; the back button undoes.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { goTo, keysOf, settled, SLOW, untilKey, useBrowser, withPage } from "./support/browser.js";
import { an, cells, draw, readNumber } from "./support/numbers.js";

useBrowser();

const ARTICLE = draw(42, 0, 56, 10);
const layer = { cols: 8, eps: 1e-5, epsPlacement: "outside", variance: "population" } as const;

/** The value of the one edit in the address. */
const editedValue = (page: Page): number => readNumber(/:(.+)$/.exec(keysOf(page).edits!)![1]!);

/** At the last step, the page shows the norm of x with the one edit of the address. */
async function expectNormOfEdited(page: Page, index: number): Promise<void> {
  const x = ARTICLE.slice();
  x[index] = editedValue(page);
  await settled(page);
  expect(await cells(page, 8)).toEqual([...an.layerNorm(x, layer).y]);
}

describe("a number of x", () => {
  test("is changed by dragging its bar, and back undoes it", { timeout: SLOW }, () =>
    withPage({ hash: "#step=3&token=3&feature=2" }, async (page) => {
      const before = await cells(page, 8);
      const box = (await page.locator("addnorm-bars .handle").first().boundingBox())!;
      const [across, down] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(across, down);
      await page.mouse.down();
      await page.mouse.move(across, down - 15);
      await page.mouse.move(across, down - 40, { steps: 4 });
      await page.mouse.up();
      await expect.poll(() => keysOf(page).edits).toMatch(/^3\.2:/);
      expect(editedValue(page)).toBeGreaterThan(ARTICLE[26]!);
      await expectNormOfEdited(page, 26);
      await page.goBack();
      await untilKey(page, "edits", undefined);
      await settled(page);
      expect(await cells(page, 8)).toEqual(before);
    }));

  test("is changed by typing", { timeout: SLOW }, () =>
    withPage({ hash: "#step=3&token=1&feature=4" }, async (page) => {
      const field = page.locator("addnorm-number-field.set input");
      await field.fill("−7.5");
      await field.press("Enter");
      await untilKey(page, "edits", "1.4:-7.5");
      await expectNormOfEdited(page, 12);
    }));

  test("is changed by the arrow keys, ten times as much with Shift, as one step of the history", { timeout: SLOW }, () =>
    withPage({ hash: "#step=3&token=0&feature=0" }, async (page) => {
      const entries = await page.evaluate(() => history.length);
      const handle = page.locator("addnorm-bars .handle").first();
      await handle.focus();
      await page.keyboard.down("ArrowUp");
      await page.keyboard.down("ArrowUp");
      await page.keyboard.up("ArrowUp");
      await expect.poll(() => keysOf(page).edits).toMatch(/^0\.0:/);
      const small = editedValue(page) - ARTICLE[0]!;
      expect(small).toBeGreaterThan(0);
      expect(await page.evaluate(() => history.length)).toBe(entries + 1);
      await page.keyboard.press("Shift+ArrowUp");
      await expect.poll(() => editedValue(page) - ARTICLE[0]!).toBeGreaterThan(small * 4);
      await expectNormOfEdited(page, 0);
    }));

  test("that is not a number is refused where it is typed, and x stays", { timeout: SLOW }, () =>
    withPage({ hash: "#token=1&feature=4" }, async (page) => {
      const field = page.locator("addnorm-number-field.set input");
      await field.fill("seven");
      await field.press("Enter");
      await settled(page);
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(keysOf(page).edits).toBeUndefined();
      expect(await cells(page, 8)).toEqual([...ARTICLE]);
    }));

  test("poisons only its own token when it is NaN", { timeout: SLOW }, () =>
    withPage({ hash: "#step=3&edits=2.1:nan" }, async (page) => {
      const shown = await cells(page, 8);
      const clean = an.layerNorm(ARTICLE, layer).y;
      shown.forEach((value, i) => {
        if (Math.floor(i / 8) === 2) expect(value).toBeNaN();
        else expect(value).toBe(clean[i]);
      });
    }));
});

describe("the controls", () => {
  const field = (page: Page, key: string) => page.locator(`addnorm-controls addnorm-number-field[data-key="${key}"] input`);

  test("change what is drawn: seed, size, eps, gamma", { timeout: SLOW }, () =>
    withPage({ hash: "#step=3" }, async (page) => {
      for (const [key, value] of [["seed", "7"], ["tokens", "3"], ["features", "4"], ["eps", "0.5"], ["gamma", "1, 2, 3, 4"]] as const) {
        await field(page, key).fill(value);
        await field(page, key).press("Enter");
        await untilKey(page, key, value.replaceAll(" ", ""));
      }
      await settled(page);
      expect(keysOf(page).source).toBe("random");
      const expected = an.layerNorm(draw(7, 0, 12, 10), { ...layer, cols: 4, eps: 0.5, gamma: [1, 2, 3, 4] }).y;
      expect(await cells(page, 4)).toEqual([...expected]);
    }));

  test("refuse what is out of bounds and say the bounds", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await field(page, "tokens").fill("5000");
      await field(page, "tokens").press("Enter");
      await page.getByText("A whole number from 1 to 4,096").waitFor();
      expect(keysOf(page).tokens).toBeUndefined();
      await field(page, "gamma").fill("1, 2, 3");
      await field(page, "gamma").press("Enter");
      await page.getByText("One number, or 8 with commas between").waitFor();
    }));

  test("of LayerNorm alone are disabled under RMSNorm, with the reason", { timeout: SLOW }, () =>
    withPage({ hash: "#norm=rms" }, async (page) => {
      expect(await page.locator('input[name="epsPlacement"]').evaluateAll((all) => all.every((input) => (input as HTMLInputElement).disabled))).toBe(true);
      expect(await page.locator('input[name="variance"]').evaluateAll((all) => all.every((input) => (input as HTMLInputElement).disabled))).toBe(true);
      expect(await field(page, "beta").isDisabled()).toBe(true);
      await page.getByText("RMSNorm takes no mean away").waitFor();
      await goTo(page, "#norm=layer");
      expect(await field(page, "beta").isDisabled()).toBe(false);
    }));

  test("draw new numbers at each press of Random", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await page.getByRole("button", { name: "Random" }).click();
      await untilKey(page, "source", "random");
      const first = keysOf(page).seed;
      await page.getByRole("button", { name: "Random" }).click();
      await expect.poll(() => keysOf(page).seed).not.toBe(first);
      await settled(page);
      expect(await cells(page, 8)).toEqual([...draw(Number(keysOf(page).seed), 0, 56, 10)]);
      await page.getByRole("button", { name: "Article" }).click();
      await untilKey(page, "seed", undefined);
    }));
});

describe("the steps of the chain", () => {
  test("open by click, Enter and Space, close by Escape and by back", { timeout: SLOW }, () =>
    withPage({ hash: "#view=chain" }, async (page) => {
      const step = page.locator('[data-node="post.sum1"]');
      const title = page.locator("#detail-title");
      await step.click();
      await untilKey(page, "node", "post.sum1");
      await expect.poll(() => title.evaluate((found) => found.matches(":focus"))).toBe(true);
      await page.keyboard.press("Escape");
      await untilKey(page, "node", undefined);
      await expect.poll(() => step.evaluate((found) => found.matches(":focus"))).toBe(true);
      await page.keyboard.press("Enter");
      await untilKey(page, "node", "post.sum1");
      await page.goBack();
      await untilKey(page, "node", undefined);
      await step.focus();
      await page.keyboard.press("Space");
      await untilKey(page, "node", "post.sum1");
      expect(await step.getAttribute("aria-expanded")).toBe("true");
    }));

  test("light up what they read", { timeout: SLOW }, () =>
    withPage({ hash: "#view=chain" }, async (page) => {
      await page.locator('[data-node="pre.sum2"]').hover();
      await settled(page);
      const lit = await page.locator(".node.reads").evaluateAll((found) => found.map((node) => (node as HTMLElement).dataset.node));
      expect(lit).toEqual(["pre.sum1", "pre.f2"]);
    }));

  test("lead to their counterpart in the other wiring, and to their inputs", { timeout: SLOW }, () =>
    withPage({ hash: "#view=chain&node=post.norm1" }, async (page) => {
      await page.locator("#detail").getByRole("radio", { name: "Pre-LN" }).check();
      await untilKey(page, "node", "pre.norm1");
      await page.locator("#detail").getByRole("button", { name: "x", exact: true }).click();
      await untilKey(page, "node", "pre.x");
    }));

  test("are walked with the up and down keys", { timeout: SLOW }, () =>
    withPage({ hash: "#view=chain" }, async (page) => {
      await page.locator('[data-node="post.x"]').focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      expect(await page.locator('[data-node="post.sum1"]').evaluate((found) => found.matches(":focus"))).toBe(true);
    }));

  test("say that simulated sublayers do not read what comes in", { timeout: SLOW }, () =>
    withPage({ hash: "#view=chain" }, async (page) => {
      await page.getByText("They do not read what comes in").waitFor();
      expect(await page.locator(".wire.dashed").count()).toBe(4);
      await page.getByRole("radio", { name: "F(x) = xWᵀ" }).check();
      await untilKey(page, "sublayers", "linear");
      await settled(page);
      expect(await page.locator(".wire.dashed").count()).toBe(0);
    }));
});
