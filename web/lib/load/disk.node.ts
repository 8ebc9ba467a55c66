// load() for Node, Deno and Bun: the wasm files lie beside the script and are read from disk.
import { readFile } from "node:fs/promises";
import { compileBytes, compileFromWeb, failure, messageOf } from "./compile.js";
import { createLoad } from "./loader.js";

/** Two letters at least, so that a Windows drive is no protocol. */
const WEB_ADDRESS = /^(?!file:)[a-z][a-z0-9+.-]+:/i;

async function compileFromDisk(address: URL | string): Promise<WebAssembly.Module> {
  const text = String(address);
  if (WEB_ADDRESS.test(text)) return compileFromWeb(address);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await readFile(text.startsWith("file:") ? new URL(text) : text);
  } catch (cause) {
    throw failure(address, `could not be read (${messageOf(cause)})`, cause);
  }
  return compileBytes(address, bytes);
}

export const load = createLoad({
  simdBuild: () => new URL("../../../build/wasm-simd/addnorm_wasm.wasm", import.meta.url),
  baseBuild: () => new URL("../../../build/wasm-base/addnorm_wasm.wasm", import.meta.url),
  compileAddress: compileFromDisk,
});
