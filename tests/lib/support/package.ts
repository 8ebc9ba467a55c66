// The built package, as the tests use it: its Node entry, and ways to get copies that have loaded nothing yet.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Addnorm, Load } from "../../../web/lib/api.js";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const DIST = join(ROOT, "dist");

export async function loadOf(entry: string): Promise<Load> {
  const module: { load: Load } = await import(pathToFileURL(entry).href);
  return module.load;
}

export const load = await loadOf(join(DIST, "index.node.js"));

/** Both builds, for tests that hold for each. */
export const builds: [name: string, an: Addnorm][] = [
  ["with SIMD", await load({ simd: "on" })],
  ["without SIMD", await load({ simd: "off" })],
];

/** Runs `use` with the folder of a copy of dist/, whose entries are other modules than those above. */
export async function withCopy<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "addnorm-copy-"));
  try {
    const wanted = (source: string): boolean => !/\/dist\/(site|types|addnorm-playground\.html)$/.test(source);
    await cp(DIST, folder, { recursive: true, filter: wanted });
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Size of the wasm memory of a loaded instance. */
export function memorySize(an: Addnorm): number {
  const probe = an.matrix(1, 1);
  const size = probe.data.buffer.byteLength;
  probe.free();
  return size;
}
