// The entries of the package: what is in their files, and that importing them in bare Node does nothing to the process.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { DIST, ROOT } from "./support/package.js";

interface Conditions {
  [condition: string]: string | Conditions;
}
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: Record<string, Conditions | string> };
const entries = Object.entries(exports).filter((entry): entry is [string, Conditions] => typeof entry[1] === "object");
const filesOf = (target: Conditions | string): string[] => (typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf));
const files = [...new Set(entries.flatMap(([, { types: _, ...conditions }]) => filesOf(conditions)))];
const scripts = readdirSync(DIST).filter((name) => name.endsWith(".js"));
const textOf = (name: string): string => readFileSync(join(DIST, name), "utf8");

/** Imports of a script, of every form that a minifier writes. */
function importsOf(text: string): string[] {
  return Array.from(text.matchAll(/(?<![="])\b(?:from|import)\s*"([^"\n]+)"|\bimport\(\s*["'`]([^"'`\n]+)["'`]/g), ([, fixed, dynamic]) => (fixed ?? dynamic)!);
}

test.each(entries)("what %s names exists: types first, then the scripts", (_name, conditions) => {
  expect(Object.keys(conditions)[0]).toBe("types");
  for (const file of filesOf(conditions)) expect(readFileSync(join(ROOT, file)).length).toBeGreaterThan(0);
});

describe.each(files)("importing %s in bare Node", (file) => {
  const probe = `
    const owners = { globalThis, Symbol, process };
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) if (value?.prototype) owners[name] = value.prototype;
    const state = () => [
      ...Object.entries(owners).flatMap(([name, owner]) => Reflect.ownKeys(owner).map((key) => name + "." + String(key))),
      ...process.eventNames().map((name) => String(name) + " listeners: " + process.listenerCount(name)),
    ];
    const fetched = [];
    globalThis.fetch = (address) => fetched.push(String(address));
    const before = state();
    const names = Object.keys(await import(${JSON.stringify(pathToFileURL(join(ROOT, file)).href)}));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const after = state();
    const changed = [...after.filter((entry) => !before.includes(entry)), ...before.filter((entry) => !after.includes(entry))];
    console.log(JSON.stringify({ changed, fetched, names }));`;

  test("changes no global, listens to nothing, fetches nothing and ends by itself", () => {
    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", probe], { encoding: "utf8", timeout: 20_000, stdio: ["ignore", "pipe", "pipe"] });
    const { names, ...effects } = JSON.parse(said) as Record<string, unknown>;
    expect(effects).toEqual({ changed: [], fetched: [] });
    expect(names).not.toEqual([]);
  });
});

describe("the scripts", () => {
  test.each(scripts)("%s imports by relative addresses only, Node's entry Node's own modules too", (name) => {
    const allowed = name === "index.node.js" ? /^(\.\/|node:)/ : /^\.\//;
    const imports = importsOf(textOf(name).replace(/import "addnorm\/inline"/g, ""));
    expect(imports.filter((from) => !allowed.test(from))).toEqual([]);
    for (const from of imports.filter((from) => from.startsWith("./"))) expect(scripts).toContain(from.slice(2));
  });

  test.each(scripts)("%s makes no code from text, and asks for no module of CommonJS", (name) => {
    expect(textOf(name)).not.toMatch(/\bnew Function\b|\beval\(|\brequire\(/);
  });

  test.each(scripts)("%s has a source map", (name) => {
    expect(textOf(name).trimEnd()).toMatch(new RegExp(`//# sourceMappingURL=${name.replaceAll(".", "\\.")}\\.map$`));
    expect(JSON.parse(textOf(`${name}.map`))).toMatchObject({ version: 3 });
  });

  test.each(["index.js", "index.node.js"])("%s names both wasm files where bundlers see it", (name) => {
    for (const build of ["simd", "base"]) expect(textOf(name)).toContain(`new URL("./wasm/addnorm-${build}.wasm",import.meta.url)`);
    expect(textOf(name)).not.toContain("data:");
  });

  test("the elements share one load with the core's entry of the same kind, so that a page with both runs one wasm", () => {
    expect(importsOf(textOf("elements.js"))).toContain("./index.js");
    expect(importsOf(textOf("elements-inline.js"))).toContain("./inline.js");
  });

  test.each(scripts)("%s names no source map but its own", (name) => {
    expect(textOf(name).match(/sourceMappingURL=[\w.-]+/g)).toEqual([`sourceMappingURL=${name}.map`]);
  });

  test("what package.json calls free of side effects holds no code of the elements", () => {
    const free = scripts.filter((name) => !name.startsWith("elements"));
    expect(free.length).toBeGreaterThan(4);
    for (const name of free) expect(textOf(name), name).not.toMatch(/customElements|HTMLElement/);
    for (const name of free) expect(importsOf(textOf(name)).filter((from) => from.includes("elements")), name).toEqual([]);
  });

  test("none for the web imports a module of Node", () => {
    const reached = new Set<string>();
    const follow = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      importsOf(textOf(name)).filter((from) => from.startsWith("./")).forEach((from) => follow(from.slice(2)));
    };
    ["index.js", "inline.js", "files.js", "elements.js", "elements-inline.js"].forEach(follow);
    expect([...reached]).not.toContain("index.node.js");
  });
});
