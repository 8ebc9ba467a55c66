// The share dialog: what it copies works where it is pasted, its choices show at once, and it comes and goes as dialogs do.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { element } from "../../web/site/snippets.js";
import { initialState, schema } from "../../web/state/schema.js";
import { objections } from "./support/axe.js";
import { DIST, goTo, keysOf, open, origin, SLOW, untilKey, useBrowser, withPage } from "./support/browser.js";
import { drawn, withHost } from "./support/host.js";
import { cells } from "./support/numbers.js";

useBrowser();

const dialog = (page: Page): Locator => page.locator("addnorm-share dialog");
const field = (page: Page, name: string): Promise<string> => dialog(page).getByRole("textbox", { name, exact: true }).inputValue();

async function share(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Share" }).click();
  await dialog(page).locator(".picture .card").first().waitFor();
}

const focused = (page: Page): Promise<string> => page.evaluate(() => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active?.textContent?.trim() ?? "";
});

describe("what is copied", () => {
  const hash = "#view=chain&source=random&seed=7&scale=1&gamma=1,2,3,4,5,6,7,8&node=post.norm1";

  test("the link brings the state back", { timeout: SLOW }, () =>
    withPage({ hash }, async (page) => {
      await share(page);
      expect(await field(page, "Link")).toBe(page.url());
      expect(new URL(page.url()).hash).toBe("#view=chain&source=random&seed=7&scale=1&gamma=1,2,3,4,5,6,7,8&node=post.norm1");
    }));

  test("frame and element, pasted into a page, draw the same numbers with the chosen controls, colours and language", { timeout: SLOW }, async () => {
    let [shown, frame, element]: [number[], string, string] = [[], "", ""];
    await withPage({ hash }, async (page) => {
      shown = await cells(page, 8);
      await share(page);
      for (const name of ["All", "Dark", "中文"]) await dialog(page).getByRole("radio", { name, exact: true }).check({ force: true });
      await dialog(page).locator('.picture .root[lang="zh-Hans"][data-theme="dark"]').first().waitFor();
      await dialog(page).locator(".picture addnorm-controls").waitFor();
      [frame, element] = [await field(page, "Frame"), await field(page, "Element")];
      expect(keysOf(page).theme).toBeUndefined();
    });
    expect(element).toBe(`<script type="module" src="${origin}/site/package/elements.js"></script>
<addnorm-chain source="random" seed="7" scale="1" gamma="1,2,3,4,5,6,7,8" node="post.norm1" lang="zh" theme="dark" controls="all" style="display: block; min-height: 900px"></addnorm-chain>`);
    await withHost(`${frame}${element}`, async (page) => {
      await drawn(page.locator("addnorm-chain"));
      expect(await cells(page, 8)).toEqual(shown);
      await page.locator('addnorm-chain .root[lang="zh-Hans"][data-theme="dark"]').first().waitFor();
      const inside = page.frameLocator("iframe");
      await inside.locator('addnorm-chain .root[lang="zh-Hans"][data-theme="dark"] #detail [role=gridcell]').first().waitFor();
      expect(await inside.locator("addnorm-controls h2").count()).toBe(4);
      await expect.poll(() => page.locator("iframe").evaluate((found) => found.getAttribute("style")!.match(/height: (\d+)px/)![1])).not.toBe("1010");
    }, { height: 3000 });
  });

  test.each(["en", "zh"] as const)("the element keeps room for its view, and no more than it takes in a wide column (%s)", { timeout: SLOW }, (lang) => {
    const snippets = schema.view.choices!.map((view) => element("/site/", { ...initialState, view }, "none"));
    return withHost(`<!doctype html><html lang="${lang}"><title>host</title><body style="width: 1100px">${snippets.join("")}`, async (page) => {
      for (const [i, view] of schema.view.choices!.entries()) {
        const found = page.locator(`addnorm-${view}`);
        await drawn(found);
        const taken = await found.locator(".root").first().evaluate((root) => root.getBoundingClientRect().height);
        const room = Number(snippets[i]!.match(/min-height: (\d+)px/)![1]);
        expect(room, view).toBeGreaterThan(0.85 * taken);
        expect(room, view).toBeLessThanOrEqual(taken);
      }
    }, { width: 1200, height: 9000 });
  });

  test("goes to the clipboard by its button, which says so", { timeout: SLOW }, () =>
    withPage({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      await share(page);
      for (const name of ["Link", "Frame", "Element"]) {
        await dialog(page).getByRole("button", { name: `Copy: ${name}` }).click();
        await dialog(page).getByRole("status").getByText(`${name} copied.`).waitFor();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await field(page, name));
      }
    }));

  test("is copied the old way where the clipboard is refused, or is left selected", { timeout: SLOW }, () =>
    withPage({
      before: (page) => page.addInitScript(() => {
        Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new DOMException("refused", "NotAllowedError")) } });
        document.addEventListener("copy", () => ((window as unknown as { copied: string }).copied = "yes"));
      }),
    }, async (page) => {
      await share(page);
      await dialog(page).getByRole("button", { name: "Copy: Frame" }).click();
      await dialog(page).getByText("Frame copied.").waitFor();
      expect(await page.evaluate(() => (window as unknown as { copied: string }).copied)).toBe("yes");
      await page.evaluate(() => (document.execCommand = () => false));
      await dialog(page).getByRole("button", { name: "Copy: Element" }).click();
      await dialog(page).getByText("Element is selected").waitFor();
      const selected = await dialog(page).getByRole("textbox", { name: "Element" }).evaluate((found: HTMLTextAreaElement) => found.value.slice(found.selectionStart, found.selectionEnd));
      expect(selected).toBe(await field(page, "Element"));
    }));

  test("numbers that no link can carry stay here, and the dialog says so", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await page.getByRole("button", { name: "Yours" }).click();
      await page.locator('addnorm-own-numbers input[type="file"]').setInputFiles({ name: "large.csv", mimeType: "text/csv", buffer: Buffer.from(Array.from({ length: 60 }, (_, row) => new Array(40).fill(row + 0.125).join(",")).join("\n")) });
      await page.getByText("60 rows × 40 columns").waitFor();
      await page.getByRole("button", { name: "Use these numbers" }).click();
      await untilKey(page, "source", "own");
      await share(page);
      expect(await dialog(page).locator(".problem").innerText()).toContain("too many for a link");
      expect(await field(page, "Link")).toBe(`${origin}/site/`);
      const element = await field(page, "Element");
      expect(element).toContain('<addnorm-tokens style="display: block; min-height: 700px"></addnorm-tokens>');
      expect(await dialog(page).locator(".picture").getByText("7 tokens × 8 features").count()).toBe(1);
      const rows = JSON.stringify(Array.from({ length: 60 }, (_, row) => new Array(40).fill(row + 0.125)));
      await withHost(element, async (host) => {
        await host.getByText("60 tokens × 40 features").waitFor();
      }, { before: (host) => host.route("**/numbers.json", (route) => route.fulfill({ contentType: "application/json", body: rows })) });
    }));
});

describe("the dialog", () => {
  test.each(["light", "dark"] as const)("axe finds nothing, and nothing overflows (%s)", { timeout: SLOW }, async (colorScheme) => {
    for (const width of [1280, 360]) {
      await withPage({ colorScheme, width, height: 740, locale: width === 360 ? "zh-CN" : "en-US" }, async (page) => {
        await page.getByRole("button", { name: width === 360 ? "分享" : "Share" }).click();
        await dialog(page).locator(".picture .card").first().waitFor();
        expect(await objections(page)).toEqual([]);
        expect(await dialog(page).evaluate((found) => found.scrollWidth - found.clientWidth)).toBeLessThanOrEqual(0);
        if (width === 360) expect((await dialog(page).locator(".body").first().locator("> :not(figure)").allInnerTexts()).join("\n").replace(/HTML|CORS|English|dist\/site|Copy/g, "").match(/^[A-Za-z ]{4,}$/gm)).toBeNull();
      });
    }
  });

  test("takes the focus, keeps it, and gives it back", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await page.getByRole("button", { name: "Share" }).focus();
      await page.keyboard.press("Enter");
      await dialog(page).locator(".picture .card").first().waitFor();
      expect(await focused(page)).toBe("Share this view");
      const stops = new Set<string>();
      for (let i = 0; i < 14; i++) {
        await page.keyboard.press("Tab");
        stops.add(await page.evaluate(() => document.activeElement!.localName));
      }
      // The browser's own controls may come between; nothing of the page behind does.
      expect([...stops].filter((name) => name !== "addnorm-page" && name !== "body")).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog(page).locator("#title").waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Share");
    }));

  test("Back closes it and changes nothing else; closed otherwise, it leaves no step in the history", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await page.getByRole("link", { name: "Chain" }).click();
      await untilKey(page, "view", "chain");
      await share(page);
      await page.goBack();
      await dialog(page).locator("#title").waitFor({ state: "detached" });
      expect(keysOf(page).view).toBe("chain");
      await share(page);
      await dialog(page).getByRole("button", { name: "Close" }).click();
      await dialog(page).locator("#title").waitFor({ state: "detached" });
      await page.waitForTimeout(100);
      expect(keysOf(page).view).toBe("chain");
      await page.goBack();
      await untilKey(page, "view", undefined);
    }));

  test("shows the view that is open, and works without history and clipboard", { timeout: SLOW }, async () => {
    const { page, faults } = await open({
      before: (early) => early.addInitScript(() => {
        history.pushState = history.replaceState = () => { throw new DOMException("refused", "SecurityError"); };
      }),
    });
    await goTo(page, "#view=depth&layers=12");
    await share(page);
    await dialog(page).locator(".picture addnorm-depth").waitFor();
    expect(await field(page, "Element")).toContain('<addnorm-depth layers="12" style="display: block; min-height: 800px"></addnorm-depth>');
    await page.keyboard.press("Escape");
    await dialog(page).locator("#title").waitFor({ state: "detached" });
    expect(keysOf(page)).toEqual({ view: "depth", layers: "12" });
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe("the one file on a disk", () => {
  const url = pathToFileURL(join(DIST, "addnorm-playground.html")).href;

  test.each(["residual", "tokens", "chain", "depth", "compare"])("draws %s without a network", { timeout: SLOW }, (view) =>
    withPage({ url, hash: `#view=${view}`, offline: true }, async (page) => {
      await page.locator(`addnorm-${view} .card`).first().waitFor();
      await expect.poll(() => page.locator(`addnorm-${view} .root`).innerText(), { timeout: SLOW / 2 }).toMatch(/\d\.\d/);
    }));

  test("says that its address is of use here only, and names no address for the rest", { timeout: SLOW }, () =>
    withPage({ url, hash: "#seed=7", offline: true }, async (page) => {
      await share(page);
      expect(await field(page, "Link")).toBe(`${url}#source=random&seed=7`);
      expect(await dialog(page).innerText()).toContain("the link works only here");
      expect(await dialog(page).locator(".problem").innerText()).toContain("put the playground’s folder (dist/site) on a web server");
      for (const name of ["Frame", "Element"]) expect(await field(page, name)).not.toMatch(/file:|https?:/);
      expect(await field(page, "Frame")).toContain('src="…/embed.html?view=tokens&amp;source=random&amp;seed=7"');
      expect(await field(page, "Element")).toContain('src="…/package/elements.js"');
    }));
});
