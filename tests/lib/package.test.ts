// The packed package in a stranger's project: installed, imported, compiled against.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./support/package.js";

const run = promisify(execFile);
const tsc = join(ROOT, "node_modules/typescript/bin/tsc");

let project: string;
let packed: { files: { path: string; size: number }[] };

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "addnorm-project-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", project], { cwd: ROOT });
  const [report] = JSON.parse(stdout) as [{ filename: string; files: { path: string; size: number }[] }];
  packed = report;
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${report.filename}`], { cwd: project });
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

async function node(code: string): Promise<string> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: project });
  return stdout;
}

describe("what is packed", () => {
  test("holds scripts, types, both wasm files, licence and readme, and neither the page nor sources", () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js", "dist/wasm/addnorm-simd.wasm", "dist/wasm/addnorm-base.wasm", "dist/types/lib/index.d.ts"]));
    expect(paths.filter((path) => !/^(dist\/([\w.-]+\.js(\.map)?|types\/.*\.d\.ts|wasm\/[\w-]+\.wasm)|LICENSE|README\.md|package\.json)$/.test(path))).toEqual([]);
  });

  test("brings no other package along", async () => {
    const installed = await readdir(join(project, "node_modules"));
    expect(installed.filter((name) => !name.startsWith("."))).toEqual(["addnorm"]);
  });
});

describe("in Node", () => {
  test("the snippet of the readme prints the target WASM and zeros", async () => {
    const said = await node("import('addnorm').then(async m => { const an = await m.load(); console.log(an.info, an.layerNorm([[1000.1, 1000.1, 1000.1]], { cols: 3 }).y) })");
    expect(said).toMatch(/target: 'WASM'/);
    expect(said).toMatch(/Float32Array\(3\) \[ 0, 0, 0 \]/);
  });

  test("every entry can be imported by its name", async () => {
    const said = await node(`
      const names = ["addnorm", "addnorm/inline", "addnorm/files", "addnorm/elements", "addnorm/elements-inline"];
      for (const name of names) console.log(name, Object.keys(await import(name)).length > 0);
      console.log((await import("addnorm/package.json", { with: { type: "json" } })).default.name);
      console.log(import.meta.resolve("addnorm/wasm/addnorm-base.wasm").endsWith("dist/wasm/addnorm-base.wasm"));`);
    expect(said.trim().split("\n")).toEqual(["addnorm true", "addnorm/inline true", "addnorm/files true", "addnorm/elements true", "addnorm/elements-inline true", "addnorm", "true"]);
  });

  test("CommonJS reaches it through import()", async () => {
    await writeFile(join(project, "old.cjs"), "import('addnorm').then(({ load }) => load()).then((an) => console.log(an.residualAdd([1], [2])[0]));");
    expect((await run(process.execPath, ["old.cjs"], { cwd: project })).stdout).toBe("3\n");
  });

  test("a worker thread has a load of its own", async () => {
    const said = await node(`
      import { Worker } from "node:worker_threads";
      const code = 'import { parentPort } from "node:worker_threads"; import { load } from "addnorm"; parentPort.postMessage((await load()).info.target);';
      new Worker(code, { eval: true }).on("message", (target) => console.log(target));`);
    expect(said).toBe("WASM\n");
  });
});

describe.each([["nodenext", "nodenext"], ["bundler", "esnext"]])("TypeScript with moduleResolution %s", (moduleResolution, module) => {
  test("compiles the sample program under --strict without skipping the package's types, and it runs", async () => {
    const folder = join(project, moduleResolution);
    await mkdir(folder);
    await cp(join(ROOT, "tests/lib/consumer/sample.ts"), join(folder, "sample.ts"));
    const options = ["--strict", "--skipLibCheck", "false", "--target", "es2022", "--module", module, "--moduleResolution", moduleResolution, "--types", "", "--outDir", folder];
    const { stdout } = await run(process.execPath, [tsc, ...options, join(folder, "sample.ts")], { cwd: project }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
    expect((await run(process.execPath, [join(folder, "sample.js")], { cwd: project })).stdout).toBe("compiled and ran\n");
  });
});
