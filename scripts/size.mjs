// What the package and the page weigh, as a table; ends with 1 when something is above its budget. scripts/size runs it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));

/** Bytes gzipped, by what the design promises. */
const CORE_BUDGET = 45_000;
const VISIT_BUDGET = 250_000;

/** A script of dist/ and all that it imports at once; what it imports when that is wanted is left out. */
function withImports(name, found = new Set()) {
  if (found.has(name)) return [...found];
  found.add(name);
  const code = readFileSync(join(DIST, name), "utf8");
  for (const [, imported] of code.matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) withImports(imported, found);
  return [...found];
}

/** The files that a browser without any cache fetches until the page is drawn and asks for nothing more. */
async function firstVisit(browser, origin, locale, path = "/") {
  const page = await (await browser.newContext({ locale, viewport: { width: 1280, height: 900 } })).newPage();
  const files = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.url().startsWith(origin)) files.push(join("site", pathname.endsWith("/") ? `${pathname}index.html` : pathname));
  });
  await page.goto(`${origin}${path}`);
  await page.getByRole("gridcell").first().waitFor({ timeout: 60_000 });
  await page.waitForLoadState("networkidle");
  await page.context().close();
  return files;
}

async function firstVisits() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  const { port, close } = await serve({ root: join(DIST, "site"), port: 0 });
  try {
    const origin = `http://127.0.0.1:${port}`;
    return {
      english: await firstVisit(browser, origin, "en-US"),
      chinese: await firstVisit(browser, origin, "zh-CN"),
      framed: await firstVisit(browser, origin, "en-US", "/embed.html?view=tokens"),
    };
  } finally {
    close();
    await browser.close();
  }
}

function weigh(files) {
  const weight = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of new Set(files)) {
    const content = readFileSync(join(DIST, file));
    weight.raw += content.length;
    weight.gzip += gzipSync(content, { level: 9 }).length;
    weight.brotli += brotliCompressSync(content).length;
  }
  return weight;
}

const simd = "wasm/addnorm-simd.wasm";
const base = "wasm/addnorm-base.wasm";
const { english, chinese, framed } = await firstVisits();

const rows = [
  ["addnorm: core and SIMD wasm", [...withImports("index.js"), simd], CORE_BUDGET],
  ["addnorm: core and the wasm without SIMD", [...withImports("index.js"), base]],
  ["addnorm/inline: core and both wasm", withImports("inline.js")],
  ["addnorm/elements: elements, core, SIMD wasm", [...withImports("elements.js"), simd]],
  ["addnorm/files", withImports("files.js")],
  ["first visit to the page, English", english, VISIT_BUDGET],
  ["first visit to the page, Chinese", chinese, VISIT_BUDGET],
  ["embed.html with the tokens view, English", framed],
  ["the page in one file", ["addnorm-playground.html"]],
].map(([name, files, budget]) => ({ name, budget, ...weigh(files) }));

const above = rows.filter(({ gzip, budget }) => gzip > budget);
const bytes = (count) => (count === undefined ? "" : count.toLocaleString("en-US"));
console.log("bytes".padEnd(44), ...["raw", "gzip -9", "brotli", "budget (gzip)"].map((head) => head.padStart(13)));
for (const { name, raw, gzip, brotli, budget } of rows) {
  console.log(name.padEnd(44), ...[raw, gzip, brotli, budget].map((count) => bytes(count).padStart(13)));
}
for (const { name, gzip, budget } of above) console.error(`addnorm: "${name}" is ${bytes(gzip - budget)} bytes above its budget`);
process.exitCode = above.length > 0 ? 1 : 0;
