// Three engines, one way to talk to them: Chromium by Playwright, Firefox by Puppeteer (WebDriver BiDi), WebKit by W3C WebDriver.
import puppeteer from "puppeteer-core";
import { launchChromium } from "./browser.js";
import { openWebKit } from "./webkit.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What differs between the engines; a page can do all else itself. */
export interface Tab {
  go(url: string): Promise<void>;
  /** The value of an expression, or of its promise, if JSON can hold it. */
  evaluate(expression: string): Promise<unknown>;
  /** A real key, by its DOM name. */
  press(key: string): Promise<void>;
  /** A real mouse: down at one point, up at the other; without the other, a click. */
  drag(from: Point, to?: Point): Promise<void>;
  close(): Promise<void>;
}

const [WIDTH, HEIGHT] = [1280, 950];

async function openChromium(): Promise<Tab> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, locale: "en-US" });
  return {
    go: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    press: (key) => page.keyboard.press(key),
    drag: (from, to) => dragWith(page.mouse, from, to),
    close: () => browser.close(),
  };
}

async function openFirefox(): Promise<Tab> {
  const browser = await puppeteer.launch({
    browser: "firefox", headless: true, executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    extraPrefsFirefox: { "intl.accept_languages": "en-US" },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: WIDTH, height: HEIGHT });
  return {
    go: async (url) => void (await page.goto(url)),
    evaluate: (expression) => page.evaluate(expression),
    press: (key) => page.keyboard.press(key as Parameters<typeof page.keyboard.press>[0]),
    drag: (from, to) => dragWith(page.mouse, from, to),
    close: () => browser.close(),
  };
}

interface Mouse {
  move(x: number, y: number, options?: { steps?: number }): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
}

async function dragWith(mouse: Mouse, from: Point, to?: Point): Promise<void> {
  await mouse.move(from.x, from.y);
  await mouse.down();
  if (to) await mouse.move(to.x, to.y, { steps: 5 });
  await mouse.up();
}

export interface Engine {
  readonly name: "Chromium" | "Firefox" | "WebKit";
  open(): Promise<Tab>;
}

/** WebKit for tests is WebKitGTK, which there is for Linux alone. */
export const engines: readonly Engine[] = [
  { name: "Chromium", open: openChromium },
  { name: "Firefox", open: openFirefox },
  ...(process.platform === "linux" ? [{ name: "WebKit" as const, open: () => openWebKit(WIDTH, HEIGHT) }] : []),
];
