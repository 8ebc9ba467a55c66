// A Vite plugin for the package's build: the wasm files lie in wasm/ beside the script, by an address bundlers can see.
import type { Plugin } from "vite";

/** The comment keeps Vite from putting the file into the script, and is left out of what is written. */
const BESIDE = 'new URL(/* @vite-ignore */ "./wasm/addnorm-$1.wasm", import.meta.url)';

export function wasmBesideScript(): Plugin {
  return {
    name: "addnorm:wasm-beside-script",
    enforce: "pre",
    transform: {
      filter: { id: /\/web\/lib\/load\/.*\.ts$/ },
      handler(code) {
        const inBuild = /new URL\("[./]*\/build\/wasm-(simd|base)\/addnorm_wasm\.wasm", import\.meta\.url\)/g;
        return inBuild.test(code) ? { code: code.replace(inBuild, BESIDE), map: null } : null;
      },
    },
  };
}
