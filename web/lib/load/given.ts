// load() for workers of the page: it knows no address, the page gives the module that it has compiled.
import { createLoad } from "./loader.js";

function nowhere(): never {
  throw new TypeError("load: wasm is missing, expected the WebAssembly.Module that the page has compiled");
}

export const load = createLoad({ simdBuild: nowhere, baseBuild: nowhere, compileAddress: nowhere });
