// Pages without a bundler: a folder of a static host, another origin, an import map, a worker, two copies, a strict policy.
import { cpSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { open, SLOW, useBrowser } from "../browser/support/browser.js";
import { expectAll, expectCore, expectElement, html, tells, told, visit } from "./support/fixture.js";
import { useProject } from "./support/project.js";
import { endHosts, startHost, type Host } from "./support/server.js";

useBrowser();
endHosts();
const project = useProject();

const CDN_PATH = "npm/addnorm@0.1.0/dist";
/** A page with the package's files at `dist`, which is relative or an address. */
const plain = (dist: string): string =>
  html(`<script type="module" src="${dist}/elements.js"></script><script type="module">import { load } from "${dist}/index.js"; ${tells()}</script>`);

const cors = { "access-control-allow-origin": "*" };
let cdn: Host;

beforeAll(async () => {
  cpSync(project.path("node_modules/addnorm/dist"), project.path(`cdn/${CDN_PATH}`), { recursive: true });
  cpSync(project.path("node_modules/addnorm/dist"), project.path("site/course/week-3/addnorm/dist"), { recursive: true });
  cdn = await startHost(project.path("cdn"), { headers: cors });
});

const page = (name: string, content: string): void => project.write({ [`site/course/week-3/${name}`]: content });
const at = (host: Host, name: string): string => `${host.origin}/course/week-3/${name}`;

test("a module script from a folder of a static host; one wasm is fetched, once, by core and elements together", { timeout: SLOW }, async () => {
  page("plain.html", plain("./addnorm/dist"));
  const host = await startHost(project.path("site"));
  await expectAll(at(host, "plain.html"));
  expect(host.asked.filter((path) => path.endsWith(".wasm"))).toEqual(["/course/week-3/addnorm/dist/wasm/addnorm-simd.wasm"]);
});

test("a module script from another origin", { timeout: SLOW }, async () => {
  page("cdn.html", plain(`${cdn.origin}/${CDN_PATH}`));
  await expectAll(at(await startHost(project.path("site")), "cdn.html"));
});

test("from another origin, a deep stack is computed in a worker, too", { timeout: SLOW }, async () => {
  page("depth.html", html(`<script type="module" src="${cdn.origin}/${CDN_PATH}/elements.js"></script>`, '<addnorm-depth layers="128" depth-features="64" lang="en"></addnorm-depth>'));
  const host = await startHost(project.path("site"));
  let workers = 0;
  await visit(at(host, "depth.html"), async (opened) => {
    await opened.locator("addnorm-depth-chart [role=slider]").waitFor();
    expect(workers).toBe(1);
  }, { before: async (early) => void early.on("worker", () => { workers += 1; }) });
});

test("by its name, with an import map", { timeout: SLOW }, async () => {
  const imports = { addnorm: "./addnorm/dist/index.js", "addnorm/": "./addnorm/dist/" };
  page("map.html", html(`<script type="importmap">${JSON.stringify({ imports })}</script><script type="module">import { load } from "addnorm"; import "addnorm/elements.js"; ${tells()}</script>`));
  await expectAll(at(await startHost(project.path("site")), "map.html"));
});

test("in a module worker of the page", { timeout: SLOW }, async () => {
  project.write({ "site/course/week-3/worker.js": `import { load } from "./addnorm/dist/index.js"; globalThis.document = { body: { dataset: {} } };
    ${tells()} const wait = setInterval(() => { const { y, error } = document.body.dataset; if (y ?? error) { clearInterval(wait); postMessage({ y, error }); } }, 10);` });
  page("worker.html", html('<script type="module">new Worker("./worker.js", { type: "module" }).onmessage = ({ data }) => { if (data.y) document.body.dataset.info = "{}"; Object.assign(document.body.dataset, data.y ? { y: data.y } : { error: data.error }); };</script>', ""));
  await visit(at(await startHost(project.path("site")), "worker.html"), expectCore);
});

test("two copies of the package on one page: each has its wasm, and the elements are defined once", { timeout: SLOW }, async () => {
  page("two.html", html(`<script type="module">import { load as other } from "${cdn.origin}/${CDN_PATH}/index.js"; import "${cdn.origin}/${CDN_PATH}/elements.js";
    import { load } from "./addnorm/dist/index.js"; import "./addnorm/dist/elements.js"; ${tells()}
    const an = await other(); document.body.dataset.other = JSON.stringify(Array.from(an.layerNorm([1, 2, 3], { cols: 3 }).y)); document.body.dataset.same = String(an === await load());</script>`));
  await visit(at(await startHost(project.path("site")), "two.html"), async (opened) => {
    await expectCore(opened);
    await expectElement(opened);
    await opened.waitForFunction(() => document.body.dataset.same);
    expect(await opened.evaluate(() => [JSON.parse(document.body.dataset.other!), document.body.dataset.same])).toEqual([[expect.closeTo(-1.2247, 3), 0, expect.closeTo(1.2247, 3)], "false"]);
  });
});

describe("a strict policy", () => {
  const LEAST = "default-src 'none'; img-src data:; script-src 'self' 'wasm-unsafe-eval'";
  const ALL = ["tokens", "residual", "chain", "depth", "compare"];

  /** A page without a script in it, since the policy would forbid that. */
  async function policed(policy: string, script: string, body = ""): Promise<string> {
    const name = `policed-${policies++}`;
    project.write({ [`site/course/week-3/${name}.js`]: script });
    page(`${name}.html`, html(`<script type="module" src="./${name}.js"></script>`, body));
    return at(await startHost(project.path("site"), { headers: { "content-security-policy": policy } }), `${name}.html`);
  }
  let policies = 0;
  const core = (entry = "index"): string => `import { load } from "./addnorm/dist/${entry}.js"; ${tells()}`;

  test("script-src 'self' 'wasm-unsafe-eval' is enough for the core", { timeout: SLOW }, async () => {
    await visit(await policed("script-src 'self' 'wasm-unsafe-eval'", core()), expectCore);
  });

  test("where all else is forbidden, the core asks for connect-src 'self', and with the wasm inside for nothing", { timeout: SLOW }, async () => {
    await visit(await policed(`${LEAST}; connect-src 'self'`, core()), expectCore);
    await visit(await policed(LEAST, core("inline")), expectCore);
  });

  test("the elements ask for no style-src, and for worker-src blob: only for what they do in a worker", { timeout: SLOW }, async () => {
    const script = 'import "./addnorm/dist/elements.js";';
    const body = ALL.map((view) => `<addnorm-${view} lang="en" layers="128" depth-features="64" depth-variants="plain,pre"></addnorm-${view}>`).join("");
    const drawn = async (opened: Page): Promise<void> => {
      await expectElement(opened);
      await opened.locator("addnorm-depth-chart [role=slider]").waitFor();
      for (const view of ALL) await opened.locator(`addnorm-${view} section`).first().waitFor();
    };
    await visit(await policed(`${LEAST}; connect-src 'self'; worker-src blob:`, script, body), drawn);
    const { page: workerless, faults } = await open({ url: await policed(`${LEAST}; connect-src 'self'`, script, body), early: true });
    await drawn(workerless);
    expect(faults.filter((fault) => fault.startsWith("console: "))).toEqual([expect.stringContaining("Creating a worker from 'blob:")]);
    await workerless.context().close();
  });

  test.each([
    [LEAST, /^addnorm: the wasm at http:\S+addnorm-simd\.wasm could not be fetched \(Failed to fetch\); the network, CORS or the policy's connect-src may be why\. Give another address/],
    ["script-src 'self'", /^addnorm: the wasm at http:\S+ could not be compiled \(.*; \d+ bytes came\); the page's content policy needs 'wasm-unsafe-eval' in script-src\. Give/],
  ])("%s is too strict, and the error says for what", { timeout: SLOW }, async (policy, expected) => {
    const { page: opened } = await open({ url: await policed(policy, core()), early: true });
    expect((await told(opened)).error).toMatch(expected);
    await opened.context().close();
  });
});
