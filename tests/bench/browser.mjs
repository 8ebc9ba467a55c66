// The run in Chromium, headless, through playwright-core.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../scripts/serve.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** An isolated page's clock has a resolution of 5 us, others' 100 us. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const MODULES = "/tests/bench/node_modules/";
const SCRIPTS = ["protobufjs/dist/light/protobuf.min.js", "@tensorflow/tfjs-core/dist/tf-core.min.js", "@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js"];
const PAGE = `<!doctype html><meta charset="utf-8"><title>bench</title>
${SCRIPTS.map((path) => `<script src="${MODULES}${path}"></script>`).join("\n")}
<script type="module" src="/tests/bench/page.mjs"></script>`;

/** As runInNode, and the name of the browser. */
export async function runInBrowser({ report, ...options }) {
  const { port, close } = await serve({ root: ROOT, port: 0, host: "127.0.0.1" });
  let browser;
  try {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(`bench: ${error.message}`));
    await page.route("**/*", async (route) => {
      const answer = new URL(route.request().url()).pathname === "/bench.html"
        ? { contentType: "text/html; charset=utf-8", body: PAGE }
        : { response: await route.fetch() };
      await route.fulfill({ ...answer, headers: { ...answer.response?.headers(), ...ISOLATED } });
    });
    await page.exposeFunction("measured", (name) => report({ name }));
    await page.goto(`http://127.0.0.1:${port}/bench.html`);
    const found = await page.evaluate((wanted) => globalThis.bench(wanted), options);
    return { ...found, browser: `Chromium ${browser.version()}` };
  } finally {
    await browser?.close();
    close();
  }
}
