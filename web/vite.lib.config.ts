// The package's build: each entry of package.json's "exports" as ESM in dist/, nothing imported by a bare name.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { inertLit } from "./vite.inert-lit.js";
import { wasmBesideScript } from "./vite.wasm-beside-script.js";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const entries = {
  index: at("lib/index.ts"),
  "index.node": at("lib/index.node.ts"),
  inline: at("lib/inline.ts"),
  files: at("files/index.ts"),
  elements: at("elements/index.ts"),
};

/** The elements import dist/index.js, so that one page loads one wasm, and index.js names the wasm files itself. */
const indexStaysWhole: Plugin = {
  name: "addnorm:index-stays-whole",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!importer || !source.endsWith("/lib/index.js")) return null;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved?.id === entries.index ? { id: "./index.js", external: true } : null;
  },
};

export default defineConfig({
  root: at(".."),
  publicDir: false,
  plugins: [indexStaysWhole, wasmBesideScript(), inertLit()],
  build: {
    outDir: at("../dist"),
    emptyOutDir: false,
    target: "es2022",
    sourcemap: true,
    lib: {
      entry: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
      formats: ["es"],
    },
    rolldownOptions: {
      external: /^node:/,
      output: {
        // Lines stay apart and classes keep their names: errors and consoles show both.
        minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: false },
        comments: { annotation: false, legal: true },
        entryFileNames: "[name].js",
        chunkFileNames: "chunk-[name]-[hash].js",
      },
    },
  },
});
