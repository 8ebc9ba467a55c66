// Axe finds nothing in any view, theme and width; nothing overflows; everything can be done from the keyboard.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { objections } from "./support/axe.js";
import { goTo, keysOf, open, settled, SLOW, untilKey, useBrowser, withPage, type Opened } from "./support/browser.js";

useBrowser();

const states = [
  "#view=residual", "#view=residual&fWidth=4", "#view=residual&fWidth=16&projection=stream&fScale=0", "#view=residual&logPlacement=post&commit=2&fKind=drawn",
  "#view=residual&tokens=40&features=100", "#view=residual&source=own&data=1,nan;2,3",
  "", "#step=2", "#step=3&norm=rms", "#tokens=200&features=64", "#edits=0.0:nan", "#tokens=-1",
  "#view=compare", "#view=compare&batch=3&padding=2&compareShow=numbers", "#view=compare&batch=8&padding=4&groups=4&compareNorm=l2&tokens=20&features=64&source=random",
  "#view=chain", "#view=chain&sublayers=linear&node=post.norm1", "#view=chain&norm=rms&node=pre.f1", "#view=chain&node=pre.sum1&tokens=200&features=64&source=random",
  "#view=chain&sublayers=attention", "#view=chain&sublayers=attention&wiring=parallel&causal=yes", "#view=chain&sublayers=attention&node=parallel.f1&norm=rms&head=1",
  "#view=chain&sublayers=attention&node=post.f2&activation=gelu", "#view=chain&sublayers=attention&node=pre.f1&tokens=64&features=64&heads=16&source=random",
  "#view=depth", "#view=depth&depthStep=3&layers=128&depthVariants=plain,post,pre,preRms,deepNorm,reZero&initGain=1.5", "#view=depth&initGain=0.3&layers=128&direction=forward",
];

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  describe.each([1280, 360])("at %i pixels", (width) => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open({ colorScheme, width, height: width === 360 ? 740 : 900 });
    }, SLOW);
    afterAll(async () => {
      await opened.page.context().close();
      expect(opened.faults).toEqual([]);
    });

    test.each(states)('axe finds nothing and nothing overflows in state "%s"', { timeout: SLOW }, async (hash) => {
      const { page } = opened;
      await goTo(page, hash);
      await page.waitForTimeout(100);
      expect(await objections(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });

    test("axe finds nothing in the open dialog, nor in the opened settings", { timeout: SLOW }, async () => {
      const { page } = opened;
      await goTo(page, "");
      const summary = page.locator("addnorm-controls summary");
      if (width === 360) await summary.click();
      await settled(page);
      expect(await objections(page)).toEqual([]);
      await page.getByRole("button", { name: "Yours" }).click();
      await page.locator("dialog textarea").fill("a\tb\n1\t2");
      await page.locator("dialog").getByText("1 row × 2 columns").waitFor();
      expect(await objections(page)).toEqual([]);
      await page.locator("dialog textarea").fill("1\tx");
      await page.locator("dialog .problem").waitFor();
      expect(await objections(page)).toEqual([]);
      await page.keyboard.press("Escape");
      if (width === 360) await summary.click();
    });
  });
});

test("nothing overflows at 1920 and 320 pixels, in Chinese either", { timeout: SLOW }, async () => {
  for (const width of [1920, 320]) {
    await withPage({ width, locale: "zh-CN" }, async (page) => {
      for (const hash of states) {
        await goTo(page, hash);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${width} ${hash}`).toBeLessThanOrEqual(0);
      }
    });
  }
});

/** The role and name of what has the focus, through all shadow roots. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    const name = active?.getAttribute("aria-label") ?? (active as HTMLInputElement | null)?.labels?.[0]?.innerText ?? active?.textContent ?? "";
    return `${active?.getAttribute("role") ?? active?.tagName.toLowerCase()} ${name.trim().replace(/\s+/g, " ")}`;
  });

describe("from the keyboard alone", () => {
  test("the first stop skips to the numbers", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("button Skip to the numbers");
      await page.keyboard.press("Enter");
      expect(await focused(page)).toContain("main");
      expect(keysOf(page)).toEqual({});
    }));

  test("Tab walks through everything and out of the page again", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      const stops: string[] = [];
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        const stop = await focused(page);
        if (stop.startsWith("body")) break;
        stops.push(stop);
      }
      expect(stops.length).toBeLessThan(55);
      for (const wanted of ["a Tokens", "a Chain", "button 中文", "select Colours", "button Article", "input Seed", "gridcell", "slider"]) {
        expect(stops.some((stop) => stop.startsWith(wanted)), `${wanted} in ${stops.join(" | ")}`).toBe(true);
      }
    }));

  test("a reader goes to the chain, opens a step, chooses an entry, and comes back", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      const tabTo = async (wanted: string): Promise<void> => {
        for (let i = 0; i < 60 && !(await focused(page)).startsWith(wanted); i++) await page.keyboard.press("Tab");
        expect(await focused(page)).toMatch(wanted);
      };
      await tabTo("a Chain");
      await page.keyboard.press("Enter");
      await untilKey(page, "view", "chain");
      await page.locator("addnorm-chain .diagram").first().waitFor();
      await tabTo("button x");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await untilKey(page, "node", "post.sum1");
      await tabTo("gridcell");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await untilKey(page, "token", "1");
      expect(keysOf(page).feature).toBe("1");
      await page.keyboard.press("Escape");
      await untilKey(page, "node", undefined);
    }));

  test("whatever has the focus shows it", { timeout: SLOW }, () =>
    withPage({ hash: "#view=chain" }, async (page) => {
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press("Tab");
        const outline = await page.evaluate(() => {
          let active = document.activeElement;
          while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
          if (!active || active === document.body) return "none of ours";
          const around = [active, active.parentElement].filter((element) => element !== null);
          return around.some((element) => getComputedStyle(element).outlineStyle !== "none") ? "" : active.outerHTML.slice(0, 200);
        });
        if (outline === "none of ours") break;
        expect(outline).toBe("");
      }
    }));
});
