// Bundlers with no option beyond their own defaults: what they build computes and shows, and leaves out what is not used.
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SLOW, useBrowser } from "../browser/support/browser.js";
import { APP, ELEMENT, expectAll, html } from "./support/fixture.js";
import { useProject } from "./support/project.js";
import { endHosts, startHost } from "./support/server.js";

useBrowser();
endHosts();
const project = useProject();

/** An app in a folder of the project: src/index.js, and a page that loads what a bundler makes of it. */
function app(folder: string, script: string, code = APP): void {
  project.write({
    [`${folder}/package.json`]: JSON.stringify({ name: folder, private: true, type: "module" }),
    [`${folder}/src/index.js`]: code,
    [`${folder}/index.html`]: html("", `${ELEMENT}${script}`),
  });
}

/** Both wasm files came along as they are. */
function expectBothFiles(folder: string): void {
  const came = readdirSync(project.path(folder)).filter((name) => name.endsWith(".wasm")).map((name) => readFileSync(project.path(`${folder}/${name}`)));
  expect(came).toHaveLength(2);
  for (const kind of ["simd", "base"]) {
    const file = readFileSync(project.path(`node_modules/addnorm/dist/wasm/addnorm-${kind}.wasm`));
    expect(came.some((content) => content.equals(file))).toBe(true);
  }
}

const built = async (folder: string): Promise<string> => `${(await startHost(project.path(folder))).origin}/`;
const module = (src: string): string => `<script type="module" src="${src}"></script>`;

// Vite 5, which others build on, bundles dependencies while it serves, and leaves the files beside them behind.
test.each(["vite", "vite-5"])("%s, served while it is developed", { timeout: SLOW }, async (tool) => {
  app(".", module("./src/index.js"));
  rmSync(project.path("node_modules/.vite"), { recursive: true, force: true });
  await expectAll(await project.serveBy(".", tool, "--strictPort", "--port"));
});

test("Vite, built", { timeout: SLOW }, async () => {
  app("vite", module("./src/index.js"));
  await project.run("vite", "vite", "build");
  await expectAll(await built("vite/dist"));
  expectBothFiles("vite/dist/assets");
});

test("webpack", { timeout: 2 * SLOW }, async () => {
  app("webpack", '<script src="dist/main.js"></script>');
  await project.run("webpack", "webpack", "--mode", "production");
  await expectAll(await built("webpack"));
  expectBothFiles("webpack/dist");
});

test("Rollup with node-resolve", { timeout: SLOW }, async () => {
  app("rollup", module("./out/index.js"));
  await project.run("rollup", "rollup", "src/index.js", "--plugin", "node-resolve", "--dir", "out");
  await expectAll(await built("rollup"));
});

test("esbuild, as a script of the old kind, which has no import.meta", { timeout: SLOW }, async () => {
  app("esbuild", '<script src="out.js"></script>');
  const said = await project.run("esbuild", "esbuild", "src/index.js", "--bundle", "--minify", "--outfile=out.js");
  expect(said).not.toContain("WARNING");
  await expectAll(await built("esbuild"));
});

test("esbuild, as modules in pieces", { timeout: SLOW }, async () => {
  app("esbuild-esm", module("./out/index.js"));
  await project.run("esbuild-esm", "esbuild", "src/index.js", "--bundle", "--format=esm", "--splitting", "--outdir=out");
  await expectAll(await built("esbuild-esm"));
});

test("Bun", { timeout: SLOW }, async () => {
  app("bun", module("./out/index.js"));
  await project.run("bun", "bun", "build", "src/index.js", "--outdir", "out");
  await expectAll(await built("bun"));
});

describe("an app that only names the package", () => {
  const bundlers: [name: string, ...args: string[]][] = [
    ["webpack", "--mode", "production", "--entry", "./src/index.js", "-o", "out", "--output-filename", "index.js"],
    ["rollup", "src/index.js", "--plugin", "node-resolve", "--dir", "out"],
    ["esbuild", "src/index.js", "--bundle", "--minify", "--outdir=out"],
    ["vite", "build", "--outDir", "out"],
  ];
  const sizeOf = (folder: string): number =>
    readdirSync(project.path(folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .reduce((sum, name) => sum + readFileSync(project.path(`${folder}/${name}`)).length, 0);

  test.each(bundlers)("is left without its code by %s", { timeout: SLOW }, async (tool, ...args) => {
    app(`shaken-${tool}`, module("./src/index.js"), 'import { load } from "addnorm"; import * as files from "addnorm/files"; document.title = "empty";');
    await project.run(`shaken-${tool}`, tool, ...args);
    expect(sizeOf(`shaken-${tool}/out`)).toBeLessThan(2000);
  });
});
