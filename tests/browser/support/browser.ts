// A real browser on the built page: a static server with a strict content policy, and pages that note every fault.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const DIST = join(ROOT, "dist");
export const GOLDEN = join(ROOT, "tests/golden");

/** Starting a browser on a busy machine, and the largest matrices, take their time. */
export const SLOW = 120_000;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".wasm": "application/wasm",
};

/** As strict as a host can be that wants WebAssembly to run. */
export const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; worker-src 'self' blob:; frame-src 'self'";

/** The same in other words: in a frame without an origin, WebKit takes 'self' for nothing. */
const policyAt = (origin: string): string => POLICY.replaceAll("'self'", `'self' ${origin}`);

export interface OpenOptions extends BrowserContextOptions {
  /** The state, such as "#view=chain"; "" is the first visit. */
  hash?: string;
  width?: number;
  height?: number;
  /** Another address than the site's own. */
  url?: string;
  /** Runs before the page's own script. */
  before?: (page: Page) => Promise<unknown>;
  /** Do not wait until the first numbers are drawn. */
  early?: boolean;
}

export interface Opened {
  readonly page: Page;
  /** Console errors, uncaught errors and requests to other origins. */
  readonly faults: string[];
}

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** Serves dist/, or a folder with dist/site inside, so that tests also see the page in a folder of a host. */
export async function serve(): Promise<{ server: Server; origin: string }> {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, "http://localhost").pathname));
    const file = join(DIST, path.endsWith("/") ? `${path}index.html` : path);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-security-policy": policyAt(`http://${request.headers.host}`) });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let browser: Browser;
let server: Server;
export let origin: string;

/** Call once at the top of a test file. */
export function useBrowser(): void {
  beforeAll(async () => {
    ({ server, origin } = await serve());
    browser = await launchChromium();
  }, SLOW);
  afterAll(async () => {
    await browser.close();
    server.close();
  });
}

export async function open({ hash = "", width = 1280, height = 900, url = `${origin}/site/`, before, early = false, ...context }: OpenOptions = {}): Promise<Opened> {
  const page = await (await browser.newContext({ viewport: { width, height }, locale: "en-US", ...context })).newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(?:data|blob|file):/.test(request.url())) faults.push(`request: ${request.url()}`);
  });
  await before?.(page);
  await page.goto(url + hash);
  if (!early) await untilDrawn(page);
  return { page, faults };
}

/** Opens a page, and after `use` says what went wrong in it and closes it. */
export async function withPage(options: OpenOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const { page, faults } = await open(options);
  try {
    await use(page);
    expect(faults).toEqual([]);
  } finally {
    await page.context().close();
  }
}

/** Goes to another state of a page that is open, as a link does, and waits until it is drawn. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((next) => void (location.hash = next), hash);
  await settled(page);
}

/** Waits for the view's own script, then lets the elements update, measure and draw. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
    const view = (): Element | null | undefined => document.querySelector("addnorm-page")?.shadowRoot?.querySelector("main > :last-child");
    await frame();
    for (let i = 0; i < 600 && !view()?.matches(":defined"); i++) await frame();
    for (let i = 0; i < 3; i++) await frame();
  });
}

export async function untilDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: SLOW / 2 });
}

/** The hash as keys and values. */
export function keysOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
}

export async function untilKey(page: Page, key: string, value: string | undefined): Promise<void> {
  await expect.poll(() => keysOf(page)[key], { timeout: 5000 }).toBe(value);
}
