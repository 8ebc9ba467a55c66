// load() with both wasm builds inside the script, for file:// and for hosts that serve no wasm.
import base from "../../../build/wasm-base/addnorm_wasm.wasm?url&inline";
import simd from "../../../build/wasm-simd/addnorm_wasm.wasm?url&inline";
import { compileFromWeb } from "./compile.js";
import { createLoad } from "./loader.js";

/** Not by fetch, which a content policy may forbid for data: addresses. */
function decoded(dataUrl: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(",") + 1)), (character) => character.charCodeAt(0));
}

export const load = createLoad({
  simdBuild: () => decoded(simd),
  baseBuild: () => decoded(base),
  compileAddress: compileFromWeb,
});
