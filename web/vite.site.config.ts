/**
 * The page and the embedded view as a folder for any static host (dist/site), and the whole page in one file
 * (dist/addnorm-playground.html).
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { documentThemeCss } from "./elements/parts/theme.js";
import { leanPlot } from "./vite.lean-plot.js";
import { linkPreview } from "./vite.link-preview.js";

const web = fileURLToPath(new URL(".", import.meta.url));
const ONE_FILE = "addnorm-playground.html";
/** All of the embedded view in one plain script, for frames without an origin. */
const EMBED_ALONE = "embed-alone.js";

/** The document has its colours before any script has run. */
const themedDocument: Plugin = {
  name: "themed-document",
  transformIndexHtml: () => [{ tag: "style", children: documentThemeCss, injectTo: "head" }],
};

/** Takes the kernels from the entry that has the wasm inside. */
const inlineKernels: Plugin = {
  name: "inline-kernels",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!source.endsWith("/lib/index.js") || !importer) return null;
    return this.resolve(source.replace("/lib/index.js", "/lib/inline.js"), importer);
  },
};

/** No text of a script may end the script element that it stands in. */
const insideScript = (code: string): string => code.replace(/<(?=!--|\/?script)/gi, "\\x3C");

/** Puts script and style into the HTML; a module script that is fetched does not run from file://. */
const oneFile: Plugin = {
  name: "one-file",
  enforce: "post",
  generateBundle: {
    // After Vite has put the last touch to the chunks.
    order: "post",
    handler(_, bundle) {
      let page = "";
      let script = "";
      let style = "";
      for (const [name, output] of Object.entries(bundle)) {
        if (output.type === "chunk") script += output.code;
        else if (name.endsWith(".css")) style += String(output.source);
        else if (name.endsWith(".html")) page = String(output.source);
        else this.error(`${name} would be a file beside ${ONE_FILE}`);
        delete bundle[name];
      }
      const source = page
        .replace(/<script\b[^>]*\bsrc=[^>]*><\/script>\s*/g, "")
        .replace(/<link\b[^>]*\brel="stylesheet"[^>]*>/g, () => `<style>${style}</style>`)
        .replace("</body>", () => `<script type="module">${insideScript(script)}</script>\n</body>`);
      this.emitFile({ type: "asset", fileName: ONE_FILE, source });
    },
  },
};

/** Lets a plain script choose where the embedded view comes from: a module script is not fetched into every frame. */
const embedStart: Plugin = {
  name: "embed-start",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const page = bundle["embed.html"];
      if (page?.type !== "asset") return;
      const start = this.emitFile({ type: "asset", name: "embed-start.js", source: readFileSync(resolve(web, "site/embed-start.js"), "utf8") });
      const preloads = /<link\b[^>]*\brel="modulepreload"[^>]*\bhref="([^"]*)"[^>]*>\s*/g;
      const imported = [...String(page.source).matchAll(preloads)].map(([, address]) => address).join(" ");
      const source = String(page.source).replace(preloads, "").replaceAll(" crossorigin", "");
      const [script, address] = /<script\b[^>]*\bsrc="([^"]*)"[^>]*><\/script>\s*/.exec(source)!;
      page.source = source
        .replace(script, "")
        .replace("</body>", `<script src="./${this.getFileName(start)}" data-module="${address}" data-imported="${imported}" data-alone="./${EMBED_ALONE}"></script>\n</body>`);
    },
  },
};

const shared = {
  root: resolve(web, "site"),
  base: "./",
  publicDir: false,
} satisfies UserConfig;

const folder: UserConfig = {
  ...shared,
  plugins: [leanPlot(), themedDocument, linkPreview(), embedStart],
  build: {
    outDir: resolve(web, "../dist/site"),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: ["index.html", "embed.html"].map((name) => resolve(web, "site", name)) },
  },
};

const embedAlone: UserConfig = {
  ...shared,
  plugins: [inlineKernels, leanPlot()],
  build: {
    outDir: resolve(web, "../dist/site"),
    emptyOutDir: false,
    chunkSizeWarningLimit: 2000,
    lib: { entry: resolve(web, "site/embed-main.ts"), formats: ["iife"], name: "addnormEmbed", fileName: () => EMBED_ALONE },
    rolldownOptions: { output: { codeSplitting: false } },
  },
};

const file: UserConfig = {
  ...shared,
  plugins: [inlineKernels, leanPlot(), themedDocument, oneFile],
  build: {
    outDir: resolve(web, "../dist"),
    emptyOutDir: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    rolldownOptions: { output: { codeSplitting: false } },
  },
};

/** web/build-site.mjs builds one after the other. */
export default defineConfig(({ mode }) => ({ "one-file": file, "embed-alone": embedAlone })[mode] ?? folder);
