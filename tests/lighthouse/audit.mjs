// Lighthouse's mobile preset on pages of dist/site, from a static server that sends gzip as hosts do.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { serve } from "../../scripts/serve.mjs";

const SITE = fileURLToPath(new URL("../../dist/site", import.meta.url));
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"];

/** What Lighthouse's categories must reach. */
export const GOAL = 95;

/** Lighthouse's result for one page of the site, such as "" or "embed.html", each time in a browser without any cache. */
export async function audit(path) {
  const { port, close } = await serve({ root: SITE, port: 0 });
  const userDataDir = mkdtempSync(join(tmpdir(), "addnorm-lighthouse-"));
  const browser = await launch({ chromePath: process.env.CHROMIUM, chromeFlags: FLAGS, userDataDir, logLevel: "silent" });
  try {
    const { lhr } = await lighthouse(`http://localhost:${port}/${path}`, { port: browser.port, output: "json", logLevel: "error" });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    return lhr;
  } finally {
    browser.kill();
    close();
    rmSync(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

export const scoreOf = (lhr, category) => Math.round(lhr.categories[category].score * 100);
