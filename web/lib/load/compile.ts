// From an address, bytes or a compiled module to a WebAssembly.Module, with errors that say what to do.

/** What `load({ wasm })` takes. */
export type WasmSource = URL | string | BufferSource | WebAssembly.Module;

const MAGIC = [0x00, 0x61, 0x73, 0x6d];

const OTHER_WAYS =
  "Give another address with load({ wasm: url }), the bytes or a WebAssembly.Module the same way, " +
  'or import "addnorm/inline", which needs no address.';

/** Fetches and compiles; streaming only where the server names the type, so that nothing is downloaded twice. */
export async function compileFromWeb(address: URL | string): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch (cause) {
    throw failure(address, `could not be fetched (${messageOf(cause)})`, cause);
  }
  if (!response.ok) throw failure(address, `was answered with HTTP status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm") && "compileStreaming" in WebAssembly) {
    return compiled(address, WebAssembly.compileStreaming(response));
  }
  return compileBytes(address, await response.arrayBuffer());
}

export async function compileBytes(address: URL | string, bytes: BufferSource): Promise<WebAssembly.Module> {
  const start = firstBytes(bytes);
  if (!MAGIC.every((byte, i) => byte === start[i])) {
    throw failure(address, `is no wasm: it begins with ${spelled(start)}${start[0] === 0x3c ? ", an HTML page" : ""}`);
  }
  return compiled(address, WebAssembly.compile(bytes));
}

async function compiled(address: URL | string, compiling: Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
  try {
    return await compiling;
  } catch (cause) {
    const policy = /unsafe-eval|content security/i.test(messageOf(cause))
      ? "; the page's content policy needs 'wasm-unsafe-eval' in script-src"
      : "";
    throw failure(address, `could not be compiled (${messageOf(cause)})${policy}`, cause);
  }
}

/** An Error of load() about the wasm at `address`. */
export function failure(address: URL | string, what: string, cause?: unknown): Error {
  const text = `addnorm: the wasm at ${address} ${what}. ${OTHER_WAYS}`;
  return new Error(text, cause === undefined ? undefined : { cause });
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
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
