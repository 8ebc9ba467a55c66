// The depth view: its numbers are the package's, its story, its keyboard, and long work that can be watched and stopped.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Addnorm } from "../../web/lib/api.js";
import { DIST, goTo, keysOf, SLOW, untilKey, useBrowser, withPage } from "./support/browser.js";
import { ELEMENTS, withHost } from "./support/host.js";
import { readNumber } from "./support/numbers.js";
import { LONG_TASK_MS, taskTimes } from "./support/tasks.js";

useBrowser();

// The package as it is published, for the numbers that the page should show.
const { load } = (await import(pathToFileURL(join(DIST, "index.node.js")).href)) as { load(): Promise<Addnorm> };
const an = await load();

const view = (page: Page): Locator => page.locator("addnorm-depth");
const handle = (page: Page): Locator => page.locator("addnorm-depth-chart [role=slider]");
/** Seconds of work in the worker. */
const LONG = "layers=128&depthFeatures=128&depthTokens=64&depthVariants=plain,post,pre";

async function untilComputed(page: Page): Promise<void> {
  await handle(page).waitFor({ timeout: SLOW / 2 });
  await view(page).locator("[role=progressbar]").waitFor({ state: "detached", timeout: SLOW / 2 });
}

/** The numbers in the table, wiring by wiring, from x to the output. */
async function table(page: Page): Promise<Record<string, number[]>> {
  await untilComputed(page);
  const details = view(page).locator("details.all");
  if (!(await details.evaluate((element: HTMLDetailsElement) => element.open))) await details.locator("summary").click();
  await details.locator("td").first().waitFor();
  const texts = await details.locator("tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent!.trim())));
  const [head, ...lines] = texts;
  return Object.fromEntries(head!.slice(1).map((name, i) => [name, lines.map((line) => readNumber(line[i + 1]!))]));
}

/** RMS of gradients and of the stream, by a stack of the package on RandomState(seed)'s numbers. */
function expected(config: object, { layers = 24, tokens = 8, features = 32, seed = 42, initGain = 1 } = {}): { gradient: number[]; activation: number[] } {
  const count = tokens * features;
  const drawn = Float32Array.from(an.randn(seed, 2 * count));
  const { steps, backward } = an.stack(drawn.slice(0, count), {
    dModel: features, heads: 4, layers, seed: seed + 1, initGain, backward: true, dy: drawn.slice(count), keep: "statistics", ...config,
  });
  return { gradient: backward!.map(({ gradientRms }) => Math.fround(gradientRms)), activation: steps.filter(({ state }) => state !== null).map(({ whole }) => Math.fround(whole.rms)) };
}

const plain = { residual: "none", placement: "none", norm: "none" };
const pre = { placement: "pre", norm: "layer", epsPlacement: "outside" };

/** The worker and this process may run other builds of the kernels. */
function expectClose(shown: number[], wanted: number[]): void {
  expect(shown).toHaveLength(wanted.length);
  shown.forEach((value, i) => (wanted[i]! > 0 && Number.isFinite(wanted[i]) ? expect(value / wanted[i]!).toBeCloseTo(1, 3) : expect(value).toBe(wanted[i])));
}

describe("the numbers", () => {
  test("are the package's own gradients as the view opens", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth" }, async (page) => {
      const shown = await table(page);
      expect(Object.keys(shown)).toEqual(["no skip"]);
      expectClose(shown["no skip"]!, expected(plain).gradient);
      expect(await view(page).locator(".findings").innerText()).toMatch(/of 0\.98 at the output, 8\.9e−6 is left at x/);
    }));

  test("are the package's for both directions, other sizes and several lines", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth&layers=40&depthTokens=5&depthFeatures=24&seed=7&initGain=1.25&depthVariants=plain,pre" }, async (page) => {
      const sizes = { layers: 40, tokens: 5, features: 24, seed: 7, initGain: 1.25 };
      const backward = await table(page);
      expectClose(backward["no skip"]!, expected(plain, sizes).gradient);
      expectClose(backward["pre-norm"]!, expected(pre, sizes).gradient);
      await view(page).getByRole("radio", { name: "Forward" }).check();
      await untilKey(page, "direction", "forward");
      const forward = await table(page);
      expectClose(forward["no skip"]!, expected(plain, sizes).activation);
      expectClose(forward["pre-norm"]!, expected(pre, sizes).activation);
    }));

  test("that float32 cannot hold are drawn at the edge and named", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth&layers=128&initGain=0.3" }, async (page) => {
      const small = await table(page);
      expect(small["no skip"]![0]).toBe(0);
      expect(await page.locator("addnorm-depth-chart svg text").allTextContents()).toContain("0");
      expect(await view(page).locator(".findings").innerText()).toContain("exactly 0");
      await goTo(page, "#view=depth&layers=64&initGain=2");
      await expect.poll(async () => (await table(page))["no skip"]!.length).toBe(65);
      expect(Number.isFinite((await table(page))["no skip"]![0])).toBe(false);
      expect((await page.locator("addnorm-depth-chart svg text").allTextContents()).join("|")).toContain("∞ NaN");
      expect(await view(page).locator(".findings").innerText()).toContain("beyond float32");
    }));
});

describe("the story", () => {
  test("offers the skip, then the norm, then more blocks, and goes back with the browser", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth" }, async (page) => {
      await untilComputed(page);
      await page.getByRole("button", { name: "Add the skip" }).click();
      await untilKey(page, "depthVariants", "plain,skip");
      await page.getByRole("button", { name: "Post or pre?" }).click();
      await untilKey(page, "depthVariants", "plain,skip,post,pre");
      await page.getByRole("button", { name: "More blocks" }).click();
      await untilKey(page, "layers", "96");
      await untilComputed(page);
      await expect.poll(async () => (await handle(page).getAttribute("aria-valuemax"))).toBe("96");
      await page.goBack();
      await untilKey(page, "layers", undefined);
      expect(keysOf(page)).toMatchObject({ depthStep: "2", depthVariants: "plain,skip,post,pre" });
      await page.goForward();
      await untilKey(page, "layers", "96");
    }));

  test("lets lines be switched, six at most and one at least", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth" }, async (page) => {
      await untilComputed(page);
      const buttons = view(page).locator(".variants button");
      expect(await buttons.first().getAttribute("aria-disabled")).toBe("true");
      for (let i = 1; i < 6; i++) await buttons.nth(i).click();
      await untilKey(page, "depthVariants", "plain,plainNorm,skip,post,pre,preRms");
      await buttons.nth(6).click({ force: true });
      expect(keysOf(page).depthVariants).toBe("plain,plainNorm,skip,post,pre,preRms");
      expect(await buttons.nth(6).getAttribute("title")).toContain("6 lines at most");
      await buttons.nth(0).click();
      await untilKey(page, "depthVariants", "plainNorm,skip,post,pre,preRms");
    }));

  test("takes a reader who tries the question to the gain, without the skip", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth&depthStep=2&depthVariants=plain,skip,post,pre&direction=forward" }, async (page) => {
      await untilComputed(page);
      await page.getByRole("button", { name: "Try it without the skip" }).click();
      await untilKey(page, "depthVariants", undefined);
      expect(keysOf(page).direction).toBeUndefined();
      await page.keyboard.press("ArrowRight");
      await untilKey(page, "initGain", "1.05");
      await page.goBack();
      await untilKey(page, "initGain", undefined);
    }));
});

test("the chart is read from the keyboard: places, lines and both ends", { timeout: SLOW }, () =>
  withPage({ hash: "#view=depth&depthVariants=plain,pre" }, async (page) => {
    const values = await table(page);
    const said = (): Promise<string | null> => handle(page).getAttribute("aria-valuetext");
    await handle(page).focus();
    await page.keyboard.press("ArrowRight");
    await untilKey(page, "depthLayer", "1");
    expect(await said()).toMatch(/^Between blocks 1 and 2, no skip: /);
    expect(readNumber((await said())!.split(": ")[1]!)).toBe(values["no skip"]![1]);
    await page.keyboard.press("ArrowDown");
    await expect.poll(said).toMatch(/pre-norm: /);
    await page.keyboard.press("End");
    await untilKey(page, "depthLayer", "24");
    expect(readNumber((await said())!.split(": ")[1]!)).toBe(values["pre-norm"]![24]);
    expect(await view(page).locator(".reading h2").innerText()).toMatch(/Output, behind block 24.*held/s);
    await page.keyboard.press("Home");
    await untilKey(page, "depthLayer", undefined);
    await page.keyboard.press("Escape");
    await view(page).locator(".chip").waitFor({ state: "detached" });
  }));

test("a pointer shows the place under it, and a click holds it", { timeout: SLOW }, () =>
  withPage({ hash: "#view=depth" }, async (page) => {
    await untilComputed(page);
    const area = (await page.locator("addnorm-depth-chart .area").boundingBox())!;
    const title = view(page).locator(".reading h2");
    await page.mouse.move(area.x + area.width * 0.6, area.y + 60);
    await expect.poll(() => title.innerText()).toMatch(/Between blocks \d+ and/);
    const shown = await title.innerText();
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(area.x + area.width * 0.3, area.y + 60);
    expect((await title.innerText()).startsWith(shown)).toBe(true);
    expect(keysOf(page).depthLayer).toBeDefined();
  }));

describe("long work", () => {
  test("shows how far it is, keeps the old chart, and stops when asked; the page stays usable", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth" }, async (page) => {
      await untilComputed(page);
      await goTo(page, `#view=depth&${LONG}`);
      const bar = view(page).locator("[role=progressbar]");
      await bar.waitFor({ timeout: 1000 });
      await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow")), { timeout: SLOW / 2, interval: 20 }).toBeGreaterThan(0);
      expect(await handle(page).getAttribute("aria-valuemax")).toBe("24");
      await view(page).getByRole("button", { name: "Stop" }).click();
      await bar.waitFor({ state: "detached" });
      expect(await view(page).locator(".work").innerText()).toContain("Stopped");
      expect(await handle(page).getAttribute("aria-valuemax")).toBe("24");
      await goTo(page, "#view=depth&layers=6");
      await expect.poll(() => handle(page).getAttribute("aria-valuemax"), { timeout: SLOW / 2 }).toBe("6");
      expectClose((await table(page))["no skip"]!, expected(plain, { layers: 6 }).gradient);
    }));

  test("that was stopped is taken up again", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth" }, async (page) => {
      await untilComputed(page);
      await goTo(page, "#view=depth&layers=128&depthFeatures=128");
      await view(page).getByRole("button", { name: "Stop" }).click();
      await view(page).getByRole("button", { name: "Compute" }).click();
      await expect.poll(() => handle(page).getAttribute("aria-valuemax"), { timeout: SLOW / 2 }).toBe("128");
    }));

  test("is ended by a newer value of the slider", { timeout: SLOW }, () =>
    withPage({ hash: `#view=depth&layers=2` }, async (page) => {
      await untilComputed(page);
      await goTo(page, `#view=depth&${LONG}`);
      await view(page).locator("[role=progressbar]").waitFor();
      const began = Date.now();
      await goTo(page, "#view=depth&layers=3");
      await expect.poll(() => handle(page).getAttribute("aria-valuemax"), { timeout: SLOW / 2 }).toBe("3");
      console.log(`a newer value was drawn after ${Date.now() - began} ms`);
    }));

  test("never holds up the page for 50 ms, nor does dragging a slider", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth&depthVariants=plain,skip,post,pre,preRms,deepNorm&layers=128" }, async (page) => {
      await untilComputed(page);
      const times = await taskTimes(page, async () => {
        const slider = view(page).locator("#gain");
        await slider.focus();
        for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowRight");
        await page.waitForTimeout(200);
        await untilComputed(page);
      });
      console.log(`longest tasks: ${times.slice(0, 5).join(", ")} ms`);
      expect(times[0]).toBeLessThan(LONG_TASK_MS);
    }));

  test("moves nothing on the page when its result comes", { timeout: SLOW }, () =>
    withPage({ hash: "#view=depth", before: (page) => page.addInitScript(() => {
      const shifts: number[] = ((window as unknown as { shifts: number[] }).shifts = []);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) shifts.push(entry.value);
      }).observe({ type: "layout-shift", buffered: true });
    }) }, async (page) => {
      await untilComputed(page);
      await page.evaluate(() => void ((window as unknown as { shifts: number[] }).shifts.length = 0));
      await goTo(page, "#view=depth&layers=128&initGain=0.5");
      await expect.poll(() => handle(page).getAttribute("aria-valuemax"), { timeout: SLOW / 2 }).toBe("128");
      await page.waitForTimeout(300);
      expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0))).toBeLessThan(0.001);
    }));
});

test("the element stands alone, in Chinese, and tells of changes", { timeout: SLOW }, () =>
  withHost(`<addnorm-depth layers="64" lang="zh"></addnorm-depth>${ELEMENTS}`, async (page) => {
    const alone = page.locator("addnorm-depth");
    await alone.evaluate((element) => element.addEventListener("addnorm-change", (event) => (document.title = JSON.stringify((event as CustomEvent).detail))));
    await expect.poll(() => alone.locator("addnorm-depth-chart [role=slider]").getAttribute("aria-valuemax"), { timeout: SLOW / 2 }).toBe("64");
    await alone.getByRole("button", { name: "加上残差连接" }).click();
    await expect.poll(() => page.title()).toContain('"depthVariants":["plain","skip"]');
    expect(keysOf(page)).toEqual({});
  }));

test("the one file draws it from a disk", { timeout: SLOW }, () =>
  withPage({ url: pathToFileURL(join(DIST, "addnorm-playground.html")).href, hash: "#view=depth" }, async (page) => {
    expectClose((await table(page))["no skip"]!, expected(plain).gradient);
  }));

test("where no worker may start, the work is done in slices and can be stopped", { timeout: SLOW }, () =>
  withPage({ hash: "#view=depth", before: (page) => page.addInitScript(() => Reflect.deleteProperty(window, "Worker")) }, async (page) => {
    await untilComputed(page);
    await goTo(page, `#view=depth&${LONG}`);
    await view(page).getByRole("button", { name: "Stop" }).click();
    await goTo(page, "#view=depth&layers=5");
    await expect.poll(() => handle(page).getAttribute("aria-valuemax"), { timeout: SLOW / 2 }).toBe("5");
  }));
