// A Vite plugin for the package's build: Lit that can be imported where there is no DOM, and changes no global there.
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

/** Lit's own builds for Node run in browsers too: they look for the DOM before they use it. */
const NODE_BUILDS = /\/(@lit\/reactive-element|lit-html)\/(reactive-element|lit-html)\.js$/;

const SHIM = "@lit-labs/ssr-dom-shim";
const INERT_SHIM = "export const HTMLElement = class {}; export const customElements = undefined;";

/** What each file does to globals, and what it does instead. Every pattern must be found, or Lit has changed. */
const GLOBALS: [file: RegExp, pattern: RegExp, instead: string][] = [
  [/\/(reactive-element|lit-html|lit-element)\.js$/, /=globalThis([,;])/, "=globalThis.document?globalThis:{}$1"],
  [/\/reactive-element\.js$/, /\w+\.customElements\?\?=\w+;/, ""],
  [/\/reactive-element\.js$/, /Symbol\.metadata\?\?=Symbol\("metadata"\)/, "globalThis.document&&($&)"],
];

export function inertLit(): Plugin {
  return {
    name: "addnorm:inert-lit",
    enforce: "pre",
    resolveId: { filter: { id: new RegExp(`^${SHIM}$`) }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: [new RegExp(SHIM), NODE_BUILDS] },
      handler: (id) => (id.endsWith(SHIM) ? INERT_SHIM : readFile(id.replace(/([^/]+)$/, "node/$1"), "utf8")),
    },
    transform: {
      filter: { id: /\/(@lit|lit-html|lit-element)\/.*\.js$/ },
      handler(code, id) {
        const due = GLOBALS.filter(([file]) => file.test(id));
        if (due.length === 0) return null;
        const missing = due.find(([, pattern]) => !pattern.test(code));
        if (missing) throw new Error(`${id} has no ${missing[1]}: Lit has changed, look anew at how it treats globals`);
        return { code: due.reduce((text, [, pattern, instead]) => text.replace(pattern, instead), code), map: null };
      },
    },
  };
}
