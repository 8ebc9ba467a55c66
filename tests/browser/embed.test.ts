// The embedded view in a frame of someone's page: state from the query, height, theme and language by messages, no origin.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Frame, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { schema } from "../../web/state/schema.js";
import { frameScript } from "../../web/site/frame-script.js";
import { objections } from "./support/axe.js";
import { DIST, origin, SLOW, useBrowser, withPage } from "./support/browser.js";
import { openHost, withHost } from "./support/host.js";
import { draw, readNumber } from "./support/numbers.js";

useBrowser();

const VIEWS = schema.view.choices!;

const frameOf = (query: string, attributes = ""): string => `<iframe src="/site/embed.html?${query}" title="a view" style="width: 100%; height: 300px; border: 0" ${attributes}></iframe>`;

/** The frame's document, once the view has drawn. */
async function embedded(page: Page, index = 0): Promise<Frame> {
  const frame = (await (await page.locator("iframe").nth(index).elementHandle())!.contentFrame())!;
  await frame.locator(".card").first().waitFor();
  return frame;
}

const heightOf = (page: Page, index = 0): Promise<number> => page.locator("iframe").nth(index).evaluate((frame) => (frame as HTMLElement).offsetHeight);
const contentOf = (frame: Frame): Promise<number> => frame.locator(".frame").evaluate((found) => Math.ceil(found.getBoundingClientRect().height));

async function cells(frame: Frame): Promise<number[]> {
  return (await frame.locator("addnorm-heatmap").first().locator('[role=gridcell]:not(.stat)').evaluateAll((found) => found.map((cell) => cell.getAttribute("aria-label")!))).map(readNumber);
}

describe("the query", () => {
  test("holds the keys of the page's address, and the controls", { timeout: SLOW }, () =>
    withHost(frameOf("view=tokens&seed=7&tokens=3&scale=2&source=random&controls=basic"), async (page) => {
      const frame = await embedded(page);
      expect(await cells(frame)).toEqual([...draw(7, 0, 24, 2)]);
      expect(await frame.locator("addnorm-controls h2").allTextContents()).toEqual(["Norm"]);
    }));

  test.each(VIEWS)("view=%s draws that view in its language and theme, axe finds nothing and nothing overflows", { timeout: SLOW }, (view) =>
    withPage({ url: `${origin}/site/embed.html?view=${view}&lang=zh&theme=dark&controls=all`, width: 360, height: 640 }, async (page) => {
      await page.locator(`addnorm-${view} .card`).first().waitFor();
      expect(await page.evaluate(() => [document.documentElement.lang, getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.body).backgroundColor])).toEqual(["zh-Hans", "dark", "rgb(20, 23, 27)"]);
      expect(await page.title()).toContain("实验台");
      expect(await page.locator(`addnorm-${view} .root`).first().getAttribute("data-theme")).toBe("dark");
      expect(await objections(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }));

  test("with bad values says which, and draws all the same", { timeout: SLOW }, () =>
    withPage({ url: `${origin}/site/embed.html?view=tokens&tokens=-1&sed=1` }, async (page) => {
      expect(await page.locator("addnorm-tokens .problem p").allTextContents()).toEqual(["“-1” is not a value of tokens; it stays at “7”.", "There is no key “sed”; it is ignored."]);
    }));
});

describe("the height", () => {
  test("the ten lines of the readme give each frame its own, up and down, and it comes to rest", { timeout: SLOW }, () =>
    withHost(`${frameOf("view=tokens")}${frameOf("view=chain")}${frameScript}`, async (page) => {
      const frames = [await embedded(page, 0), await embedded(page, 1)] as const;
      const agree = async (): Promise<void> => {
        for (const [i, frame] of frames.entries()) await expect.poll(async () => (await heightOf(page, i)) - (await contentOf(frame))).toBe(0);
      };
      await agree();
      const [before, other] = [await heightOf(page, 0), await heightOf(page, 1)];
      expect(before).toBeGreaterThan(600);
      await frames[0].locator(".question summary").click();
      await expect.poll(() => heightOf(page, 0)).toBeGreaterThan(before);
      await agree();
      await frames[0].locator(".question summary").click();
      await expect.poll(() => heightOf(page, 0)).toBe(before);
      expect(await heightOf(page, 1)).toBe(other);
      await page.setViewportSize({ width: 400, height: 3000 });
      await expect.poll(() => heightOf(page, 0)).toBeGreaterThan(before);
      await agree();
      await page.setViewportSize({ width: 1280, height: 3000 });
      await expect.poll(() => heightOf(page, 0)).toBe(before);
      const told = await page.evaluate(async () => {
        let count = 0;
        addEventListener("message", () => (count += 1));
        await new Promise((done) => setTimeout(done, 600));
        return count;
      });
      expect(told).toBe(0);
      // Both are near the viewport from the start, else the second waits until it is.
    }, { height: 3000 }));

  test("is told only when there is something to see, and by nobody else", { timeout: SLOW }, async () => {
    const { page } = await openHost(`${frameOf("view=tokens")}${frameScript}`, { before: (early) => early.route("**/*.wasm", (route) => route.abort()) });
    const frame = (await (await page.locator("iframe").elementHandle())!.contentFrame())!;
    await frame.getByText("The kernels could not be loaded").waitFor();
    await page.evaluate(() => postMessage({ type: "addnorm:height", height: 4000 }, "*"));
    await page.waitForTimeout(200);
    expect(await heightOf(page)).toBe(300);
    await page.context().close();
  });

  test("the readme has the ten lines, and the element's", () => {
    const readme = readFileSync(join(DIST, "../README.md"), "utf8");
    expect(readme).toContain(frameScript);
    expect(frameScript.split("\n").length).toBeLessThanOrEqual(10);
  });
});

describe("messages of the host", () => {
  const send = (page: Page, message: unknown): Promise<void> => page.evaluate((data) => document.querySelector("iframe")!.contentWindow!.postMessage(data, "*"), message);

  test("change theme and language; others are not heard", { timeout: SLOW }, () =>
    withHost(frameOf("view=tokens&theme=light&lang=en"), async (page) => {
      const frame = await embedded(page);
      const shown = (): Promise<unknown> => frame.evaluate(() => [document.documentElement.lang, getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.body).backgroundColor]);
      expect(await shown()).toEqual(["en", "light", "rgb(251, 251, 249)"]);
      await send(page, { type: "addnorm:theme", theme: "dark" });
      await expect.poll(shown).toEqual(["en", "dark", "rgb(20, 23, 27)"]);
      expect(await frame.locator("addnorm-tokens .root").first().getAttribute("data-theme")).toBe("dark");
      await send(page, { type: "addnorm:lang", lang: "zh" });
      await frame.getByText("每个词元").first().waitFor();
      for (const message of [{ type: "addnorm:theme", theme: "pink" }, { type: "addnorm:theme" }, { type: "addnorm:lang", lang: 3 }, { type: "toString" }, "addnorm:theme", null, 7]) await send(page, message);
      await frame.evaluate(() => postMessage({ type: "addnorm:theme", theme: "light" }, "*"));
      await page.waitForTimeout(200);
      expect(await shown()).toEqual(["zh-Hans", "dark", "rgb(20, 23, 27)"]);
    }));
});

describe("without an origin", () => {
  test("a sandboxed frame without storage draws, tells its height and follows messages", { timeout: SLOW }, () =>
    withHost(`${frameOf("view=depth&layers=64", 'sandbox="allow-scripts"')}${frameScript}`, async (page) => {
      const frame = await embedded(page);
      expect(await frame.evaluate(() => {
        try {
          return localStorage.length;
        } catch (error) {
          return (error as Error).name;
        }
      })).toBe("SecurityError");
      await frame.locator("addnorm-depth-chart").waitFor();
      await expect.poll(async () => (await heightOf(page)) - (await contentOf(frame))).toBe(0);
      await page.evaluate(() => document.querySelector("iframe")!.contentWindow!.postMessage({ type: "addnorm:theme", theme: "dark" }, "*"));
      await frame.locator('.root[data-theme="dark"]').first().waitFor();
    }));

  test("an element in a sandboxed frame draws, too, where the server lets it have the script", { timeout: SLOW }, () =>
    withHost('<iframe sandbox="allow-scripts" src="/frame/" style="width: 700px; height: 900px"></iframe>', async (page) => {
      const frame = await embedded(page);
      expect(await cells(frame)).toEqual([...draw(42, 0, 56, 10)]);
    }, {
      before: (page) => page.route(/\/[\w-]+\.(?:js|wasm)$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
      }),
    }, { "/frame/": '<!doctype html><html lang="en"><title>f</title><addnorm-tokens></addnorm-tokens><script type="module" src="/elements.js"></script></html>' }));

  test("the file draws from a disk", { timeout: SLOW }, () =>
    withPage({ url: `${pathToFileURL(join(DIST, "site/embed.html")).href}?view=chain` }, async (page) => {
      await page.locator("addnorm-chain .card").first().waitFor();
    }));

  test("without JavaScript it says what it needs", { timeout: SLOW }, async () => {
    const { page } = await openHost(frameOf("view=tokens"), { javaScriptEnabled: false });
    const frame = page.frames()[1]!;
    expect(await frame.locator("noscript p").first().isVisible()).toBe(true);
    await page.context().close();
  });
});

test("the link opens the page with the state of the moment", { timeout: SLOW }, () =>
  withHost(frameOf("view=tokens&seed=7"), async (page) => {
    const frame = await embedded(page);
    const link = frame.getByRole("link", { name: "Open in the playground" });
    expect(await link.evaluate((found: HTMLAnchorElement) => [found.target, found.rel, new URL(found.href).pathname])).toEqual(["_blank", "noopener", "/site/"]);
    await frame.locator("addnorm-tokens [role=gridcell]").nth(25).click();
    await frame.getByRole("radio", { name: "x − μ" }).check({ force: true });
    await expect.poll(() => link.evaluate((found: HTMLAnchorElement) => new URL(found.href).hash)).toBe("#source=random&seed=7&token=2&feature=5&step=1");
    const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await opened.waitForFunction(() => document.documentElement.dataset.ready === "true");
    expect(await opened.locator("addnorm-page addnorm-tokens .pill:has(:checked)").innerText()).toBe("x − μ");
    expect(await page.evaluate(() => history.length)).toBe(2);
  }));

test("Tab goes into a frame, through it and out again, and back; Esc lets go", { timeout: SLOW }, () =>
  withHost(`<button id="before">before</button>${frameOf("view=tokens")}<button id="after">after</button>`, async (page) => {
    const frame = await embedded(page);
    await page.locator("#before").focus();
    const at = (): Promise<string> => page.evaluate(() => document.activeElement!.id || document.activeElement!.localName);
    const walk = async (key: string, end: string): Promise<number> => {
      let steps = 0;
      do {
        await page.keyboard.press(key);
        steps += 1;
      } while ((await at()) !== end && steps < 40);
      return steps;
    };
    const there = await walk("Tab", "after");
    expect(there).toBeGreaterThan(5);
    expect(there).toBeLessThan(40);
    expect(await walk("Shift+Tab", "before")).toBe(there);
    await frame.locator("addnorm-tokens [role=gridcell]").first().click();
    await frame.locator(".chip").waitFor();
    await page.keyboard.press("Escape");
    await frame.locator(".chip").waitFor({ state: "detached" });
  }));
