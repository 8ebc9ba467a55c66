// Runtimes without a page: every entry in Node, Deno and Bun, in a thread, and in what a bundler makes for a server.
import { describe, expect, test } from "vitest";
import { SLOW } from "../browser/support/browser.js";
import { COMPUTED, expectGolden } from "./support/fixture.js";
import { useProject } from "./support/project.js";

const project = useProject();

const PROGRAM = `
import * as core from "addnorm";
import * as inline from "addnorm/inline";
import * as files from "addnorm/files";
import * as elements from "addnorm/elements";
import * as elementsInline from "addnorm/elements-inline";
const results = [];
for (const { load } of [core, inline]) {
  const an = await load();
  results.push(${COMPUTED});
}
const names = [files, elements, elementsInline].map((entry) => Object.keys(entry).length > 0);
console.log(JSON.stringify({ results, names }));`;

function expectProgram(said: string): void {
  const { results, names } = JSON.parse(said) as { results: number[][]; names: boolean[] };
  results.forEach(expectGolden);
  expect(results).toHaveLength(2);
  expect(names).toEqual([true, true, true]);
}

describe("all entries, by their names", () => {
  test.each([["Node", "node", []], ["Deno", "deno", ["run", "--allow-read"]], ["Bun", "bun", []]] as const)("%s", { timeout: SLOW }, async (_name, tool, args) => {
    project.write({ "main.js": PROGRAM });
    expectProgram(await project.run(".", tool, ...args, "main.js"));
  });
});

test("a thread of Node has a load of its own, and may be given the module instead", { timeout: SLOW }, async () => {
  project.write({
    "thread.js": `
      import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
      import { load } from "addnorm";
      if (isMainThread) {
        const { wasm } = await load({ simd: "off" });
        const said = (workerData) => new Promise((resolve) => new Worker(new URL(import.meta.url), { workerData }).once("message", resolve));
        console.log(JSON.stringify([await said({}), await said({ wasm })]));
      } else {
        const an = await load(workerData);
        parentPort.postMessage({ simd: an.info.simd, y: ${COMPUTED} });
      }`,
  });
  const [own, given] = JSON.parse(await project.run(".", "node", "thread.js")) as { simd: boolean; y: number[] }[];
  expect([own!.simd, given!.simd]).toEqual([true, false]);
  [own!.y, given!.y].forEach(expectGolden);
});

test("a server's bundle by esbuild runs from another folder, where no wasm lies", { timeout: SLOW }, async () => {
  project.write({ "server/index.js": PROGRAM, "package.json": JSON.stringify({ name: "stranger", private: true, type: "module" }) });
  await project.run("server", "esbuild", "index.js", "--bundle", "--platform=node", "--format=esm", "--outfile=../elsewhere/server.mjs");
  expectProgram(await project.run("elsewhere", "node", "server.mjs"));
});
