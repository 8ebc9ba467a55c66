// The package's build: each entry of package.json's "exports" as ESM in dist/, nothing imported by a bare name.
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { inertLit } from "./vite.inert-lit.js";
import { leanPlot } from "./vite.lean-plot.js";
import { wasmBesideScript } from "./vite.wasm-beside-script.js";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const entries = {
  index: at("lib/index.ts"),
  "index.node": at("lib/index.node.ts"),
  inline: at("lib/inline.ts"),
  files: at("files/index.ts"),
  elements: at("package/elements.ts"),
  "elements-inline": at("package/elements-inline.ts"),
};

/** The entries of the elements import dist/index.js or dist/inline.js as they are; the elements, what their entry gives. */
const oneLoad: Plugin = {
  name: "addnorm:one-load",
  enforce: "pre",
  async resolveId(source, importer) {
    const core = /\/lib\/(index|inline)\.js$/.exec(source)?.[1];
    if (!importer || !core) return null;
    return importer.startsWith(at("package/")) ? { id: `./${core}.js`, external: true } : at("package/given-load.ts");
  },
};

/** What package.json says has side effects: these files alone hold code of the elements. */
const ofElements = (modules: readonly string[]): boolean => modules.some((id) => /\/web\/(package|elements|state|locales)\//.test(id));

/** Bundlers look for the addresses of wasm files in plain quotes, which a minifier turns into backquotes. */
const plainAddresses = (code: string): string => code.replace(/new URL\(`([^`$]+)`,/g, 'new URL("$1",');

/** A worker whose script stands within another one has no file beside which its map could lie. */
const ownMapOnly = (code: string, name: string): string =>
  code.replace(/\/\/# sourceMappingURL=([\w.-]+)\.map/g, (comment, of) => (of === name ? comment : " ".repeat(comment.length)));

/** The last touch; lengths stay, and so do the places that the maps name. */
const mended: Plugin = {
  name: "addnorm:mended",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const [name, output] of Object.entries(bundle)) {
        if (output.type === "chunk") output.code = ownMapOnly(plainAddresses(output.code), name);
        else if (name.startsWith("assets/")) delete bundle[name];
      }
    },
  },
};

export default defineConfig({
  root: at(".."),
  publicDir: false,
  plugins: [oneLoad, leanPlot(), wasmBesideScript(), inertLit(), mended],
  build: {
    outDir: at("../dist"),
    emptyOutDir: false,
    target: "es2022",
    sourcemap: true,
    lib: {
      entry: entries,
      formats: ["es"],
    },
    rolldownOptions: {
      external: /^node:/,
      output: {
        // Vite leaves the white space in libraries. Classes keep their names: errors and consoles show them.
        minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: true },
        comments: { annotation: false, legal: true },
        entryFileNames: "[name].js",
        chunkFileNames: ({ name, moduleIds }) => (ofElements(moduleIds) ? `elements-${name === "elements" ? "views" : "[name]"}-[hash].js` : "chunk-[name]-[hash].js"),
      },
    },
  },
});
