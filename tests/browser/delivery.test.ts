// However the page reaches a reader: any folder, the one file from a disk, no script, no wasm.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { linkPreview } from "../../web/vite.link-preview.js";
import { DIST, open, origin, SLOW, untilKey, useBrowser, withPage } from "./support/browser.js";
import { an, cells, draw } from "./support/numbers.js";

useBrowser();

const ARTICLE = [...draw(42, 0, 56, 10)];

test("the page works from any folder of a host", { timeout: SLOW }, async () => {
  const folder = mkdtempSync(join(DIST, "folder-"));
  try {
    cpSync(join(DIST, "site"), join(folder, "a/b"), { recursive: true });
    const url = `${origin}/${folder.slice(DIST.length + 1)}/a/b/`;
    await withPage({ url }, async (page) => {
      expect(await cells(page, 8)).toEqual(ARTICLE);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the one file works from a disk, with its dialog and its history", { timeout: SLOW }, () =>
  withPage({ url: pathToFileURL(join(DIST, "addnorm-playground.html")).href }, async (page) => {
    expect(await cells(page, 8)).toEqual(ARTICLE);
    await page.getByRole("button", { name: "Yours" }).click();
    await page.locator("dialog textarea").fill("1 2\n3 4");
    await page.getByText("2 rows × 2 columns").waitFor();
    await page.getByRole("button", { name: "Use these numbers" }).click();
    await untilKey(page, "data", "1,2;3,4");
    await page.getByRole("link", { name: "Chain" }).click();
    await page.locator('[data-node="post.norm2"]').click();
    await untilKey(page, "node", "post.norm2");
    await page.locator("#detail addnorm-heatmap [role=gridcell]").first().waitFor();
    await page.goBack();
    await untilKey(page, "node", undefined);
  }));

test("a large file is read in a worker from a disk, too", { timeout: SLOW }, () =>
  withPage({ url: pathToFileURL(join(DIST, "addnorm-playground.html")).href }, async (page) => {
    const rows = Array.from({ length: 3000 }, (_, row) => Array.from({ length: 40 }, (_, col) => row + col / 8).join(","));
    await page.getByRole("button", { name: "Yours" }).click();
    const worker = page.waitForEvent("worker");
    await page.locator('dialog input[type="file"]').setInputFiles({ name: "large.csv", mimeType: "text/csv", buffer: Buffer.from(rows.join("\n")) });
    await worker;
    await page.getByText("3,000 rows × 40 columns").waitFor();
  }));

test("without WebAssembly SIMD the other build gives the same numbers", { timeout: SLOW }, () =>
  withPage({ hash: "#step=3", before: (page) => page.addInitScript(() => void (WebAssembly.validate = () => false)) }, async (page) => {
    const expected = an.layerNorm(draw(42, 0, 56, 10), { cols: 8, eps: 1e-5, epsPlacement: "outside" }).y;
    const shown = await cells(page, 8);
    expected.forEach((value, i) => expect(shown[i]).toBeCloseTo(value, 6));
  }));

test("where the wasm cannot be had, the page says so", { timeout: SLOW }, async () => {
  const { page } = await open({ early: true, before: (early) => early.route("**/*.wasm", (route) => route.abort()) });
  await page.getByText("The kernels could not be loaded").waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.ready)).toBeUndefined();
  await page.context().close();
});

test("without JavaScript the page says what it needs, in both languages", { timeout: SLOW }, async () => {
  const { page } = await open({ early: true, javaScriptEnabled: false });
  const [english, chinese] = await page.locator("noscript p").all();
  expect(await english!.innerText()).toContain("needs JavaScript and WebAssembly");
  expect(await chinese!.innerText()).toContain("请启用 JavaScript");
  expect(await english!.isVisible()).toBe(true);
  await page.context().close();
});

test.each([360, 1280])("the largest text that a first visit paints is in the HTML, %i pixels wide", { timeout: SLOW }, async (width) => {
  const { page } = await open({
    width,
    before: (early) => early.route("**/*.js", async (route) => {
      await early.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      await route.continue();
    }),
  });
  const largest = await page.evaluate(() => new Promise<string>((done) => {
    new PerformanceObserver((list) => done((list.getEntries().at(-1) as LargestContentfulPaint).element!.textContent!)).observe({ type: "largest-contentful-paint", buffered: true });
  }));
  expect(largest).toContain("See, change and check every number");
  expect(largest).toContain("残差连接");
  await page.context().close();
});

test("a link to the page can be shown with its title, a sentence and a picture", async () => {
  const page = readFileSync(join(DIST, "site/index.html"), "utf8");
  const contentOf = (name: string): string | undefined => new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(page)?.[1];
  expect(contentOf("og:title")).toBe("Add &amp; Norm playground");
  expect(contentOf("og:description")).toBe(contentOf("description"));
  expect(contentOf("twitter:card")).toBe("summary_large_image");
  const picture = readFileSync(join(DIST, "site", contentOf("og:image")!));
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)].map(String)).toEqual([contentOf("og:image:width"), contentOf("og:image:height")]);
  const { transformIndexHtml } = linkPreview("https://you.example/addnorm") as { transformIndexHtml: { handler(html: string, context: { path: string }): { tags: { attrs: object }[] } } };
  const attributes = transformIndexHtml.handler(page, { path: "/index.html" }).tags.map(({ attrs }) => attrs);
  expect(attributes).toContainEqual({ property: "og:image", content: "https://you.example/addnorm/social.png" });
  expect(attributes).toContainEqual({ rel: "canonical", href: "https://you.example/addnorm/" });
});

test("no built file names a machine path or another host", () => {
  for (const name of readdirSync(join(DIST, "site"), { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:html|js|css)$/.test(name)) continue;
    const text = readFileSync(join(DIST, "site", name), "utf8");
    const hosts = (text.match(/https?:\/\/[\w.-]+/g) ?? []).filter((found) => !/w3\.org|localhost/.test(found));
    expect(hosts, name).toEqual([]);
    expect(text, name).not.toMatch(/\/(?:home|work|root|tmp)\/[a-z]/);
  }
});
