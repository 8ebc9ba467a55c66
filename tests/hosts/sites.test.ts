// What sites of documentation do to a page's elements: content swapped by a script, markup in a paragraph, another loader's globals.
import { cpSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { SLOW, useBrowser } from "../browser/support/browser.js";
import { cells } from "../browser/support/numbers.js";
import { ELEMENT, expectElement, html, visit } from "./support/fixture.js";
import { useProject } from "./support/project.js";
import { endHosts, startHost } from "./support/server.js";

useBrowser();
endHosts();
const project = useProject();
const SCRIPT = '<script type="module" src="./addnorm/dist/elements.js"></script>';

beforeAll(() => cpSync(project.path("node_modules/addnorm"), project.path("site/addnorm"), { recursive: true }));

test("instant navigation: the body is another one, scripts in it run anew, and back again", { timeout: SLOW }, async () => {
  const navigate = `<script>
    async function go(address) {
      const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
      document.body.replaceWith(page.body);
      for (const old of document.body.querySelectorAll("script")) {
        const script = document.createElement("script");
        for (const { name, value } of old.attributes) script.setAttribute(name, value);
        old.replaceWith(script);
      }
    }</script>`;
  project.write({
    "site/index.html": html(navigate, `${SCRIPT}${ELEMENT}`),
    "site/other.html": html(navigate, `${SCRIPT}<addnorm-tokens seed="42" step="1" lang="en"></addnorm-tokens>`),
    "site/without.html": html(navigate, "<p>No element.</p>"),
  });
  await visit(`${(await startHost(project.path("site"))).origin}/without.html`, async (page) => {
    const go = (address: string): Promise<void> => page.evaluate((to) => (window as unknown as { go(to: string): Promise<void> }).go(to), address);
    await go("index.html");
    await expectElement(page);
    await go("other.html");
    await page.locator("addnorm-tokens[step='1'] [role=gridcell]").first().waitFor();
    expect((await cells(page, 8))[0]).not.toBeCloseTo(4.9671, 3);
    await go("without.html");
    await go("index.html");
    await expectElement(page);
  });
});

test("an element that Markdown has put into a paragraph, with its own paragraph in it", { timeout: SLOW }, async () => {
  project.write({ "site/paragraph.html": html(SCRIPT, `<p>${ELEMENT.replace("></", "><p>Shown until then.</p></")}</p><p>End.</p>`) });
  await visit(`${(await startHost(project.path("site"))).origin}/paragraph.html`, expectElement);
});

test("a notebook's page, on which RequireJS and CommonJS are feigned", { timeout: SLOW }, async () => {
  const globals = "<script>window.define = () => { throw new Error('define was called'); }; define.amd = {}; window.require = define; window.exports = {}; window.module = { exports };</script>";
  project.write({ "site/notebook.html": html(globals + SCRIPT) });
  await visit(`${(await startHost(project.path("site"))).origin}/notebook.html`, expectElement);
});
