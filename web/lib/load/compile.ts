// From an address, bytes or a compiled module to a WebAssembly.Module, with errors that say what to do.

/** What `load({ wasm })` takes. */
export type WasmSource = URL | string | BufferSource | WebAssembly.Module;

const MAGIC = [0x00, 0x61, 0x73, 0x6d];

const OTHER_WAYS =
  "Give another address with load({ wasm: url }), the bytes or a WebAssembly.Module the same way, " +
  'or import "addnorm/inline" ("addnorm/elements-inline" for the elements), which needs no address.';

/** Fetches and compiles; streaming only where the server names the type, so that nothing is downloaded twice. */
export async function compileFromWeb(address: URL | string): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch (cause) {
    throw failure(address, `could not be fetched (${messageOf(cause)}); the network, CORS or the policy's connect-src may be why`, cause);
  }
  const found = response.url || address;
  if (!response.ok) throw failure(found, `was answered with HTTP status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("application/wasm") || !("compileStreaming" in WebAssembly)) return compileBytes(found, await bytesOf(found, response));
  const copy = response.clone();
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (cause) {
    throw compileFailure(found, await bytesOf(found, copy), cause);
  }
}

export async function compileBytes(address: URL | string, bytes: BufferSource): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw compileFailure(address, bytes, cause);
  }
}

async function bytesOf(address: URL | string, response: Response): Promise<ArrayBuffer> {
  try {
    return await response.arrayBuffer();
  } catch (cause) {
    throw failure(address, `broke off while it was fetched (${messageOf(cause)})`, cause);
  }
}

/** Engines tell faults in different words, so what came is told too; what is no wasm is no fault of the engine. */
function compileFailure(address: URL | string, bytes: BufferSource, cause: unknown): Error {
  const start = firstBytes(bytes);
  if (!MAGIC.every((byte, i) => byte === start[i])) {
    return failure(address, `is no wasm: it begins with ${spelled(start)}${start[0] === 0x3c ? ", an HTML page" : ""}`);
  }
  const policy = /unsafe-eval|content security/i.test(messageOf(cause))
    ? "; the page's content policy needs 'wasm-unsafe-eval' in script-src"
    : "";
  return failure(address, `could not be compiled (${messageOf(cause)}; ${bytes.byteLength} bytes came)${policy}`, cause);
}

/** An Error of load() about the wasm at `address`. */
export function failure(address: URL | string, what: string, cause?: unknown): Error {
  const text = `addnorm: the wasm at ${address} ${what}. ${OTHER_WAYS}`;
  return new Error(text, cause === undefined ? undefined : { cause });
}

/** The address that `find` makes from import.meta.url, which some bundlers' formats leave empty. */
export function beside(find: () => URL): URL {
  try {
    return find();
  } catch (cause) {
    throw new Error(`addnorm: where the wasm lies is not known, since this script has no import.meta.url. ${OTHER_WAYS}`, { cause });
  }
}

/** The message with that of its own cause, in which Node's fetch tells what happened. */
export function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${messageOf(cause.cause)}` : cause.message;
}

function firstBytes(bytes: BufferSource): Uint8Array {
  const all = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  return all.subarray(0, 8);
}

function spelled(bytes: Uint8Array): string {
  if (bytes.length === 0) return "nothing (0 bytes)";
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
