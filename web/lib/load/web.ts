// load() for browsers, workers and bundlers: the wasm files lie beside the script and are fetched.
import { beside, compileFromWeb } from "./compile.js";
import { createLoad } from "./loader.js";

export const load = createLoad({
  simdBuild: () => beside(() => new URL("../../../build/wasm-simd/addnorm_wasm.wasm", import.meta.url)),
  baseBuild: () => beside(() => new URL("../../../build/wasm-base/addnorm_wasm.wasm", import.meta.url)),
  compileAddress: compileFromWeb,
});
