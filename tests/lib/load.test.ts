// load(): which build it takes, from where, how often, and what it says when that fails.
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { whenCopied } from "./support/copies.js";
import { DIST, load, loadOf, withCopy } from "./support/package.js";

const SIMD_FILE = join(DIST, "wasm/addnorm-simd.wasm");
const BASE_FILE = join(DIST, "wasm/addnorm-base.wasm");
const simdBytes = await readFile(SIMD_FILE);
const { version } = JSON.parse(await readFile(join(DIST, "../package.json"), "utf8")) as { version: string };
const row = { x: [1, 2, 3], options: { cols: 3 }, y: [-1.2247, 0, 1.2247] };

let server: Server | undefined;

/** Serves one answer for every path, and counts the requests. */
async function serve(answer: RequestListener): Promise<{ url: string; requests: () => number }> {
  let count = 0;
  server = createServer((request, response) => {
    count += 1;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/kernels.wasm`, requests: () => count };
}

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = undefined;
});

async function messageOf(loading: Promise<unknown>): Promise<string> {
  return loading.then(() => "it loaded", (error: Error) => error.message);
}

describe("the build that is taken", () => {
  test("has SIMD where the engine has it, and info says so", async () => {
    const { info } = await load();
    expect(info).toEqual({ version, simd: true, target: "WASM" });
  });

  test("has none when simd is off, and computes the same", async () => {
    const an = await load({ simd: "off" });
    expect(an.info.simd).toBe(false);
    expect(an.info.target).not.toBe("WASM");
    expect(Array.from(an.layerNorm(row.x, row.options).y, (v) => Number(v.toFixed(4)))).toEqual(row.y);
  });

  test("has none where the engine refuses a SIMD module", async () => {
    await withCopy(async (folder) => {
      const fresh = await loadOf(join(folder, "index.node.js"));
      vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
      expect((await fresh()).info.simd).toBe(false);
      expect(await messageOf(fresh({ simd: "on" }))).toMatch(/^load: simd is "on", but this engine has no WebAssembly SIMD/);
    });
  });

  test("has none where the engine says it has SIMD but cannot compile it", async () => {
    await withCopy(async (folder) => {
      const fresh = await loadOf(join(folder, "index.node.js"));
      vi.spyOn(WebAssembly, "compile").mockRejectedValueOnce(new WebAssembly.CompileError("invalid opcode 0xfd"));
      expect((await fresh()).info.simd).toBe(false);
    });
  });

  test("has none where the engine computes wrong with SIMD", async () => {
    await withCopy(async (folder) => {
      const fresh = await loadOf(join(folder, "index.node.js"));
      let copies = 0;
      whenCopied((copy) => (copies++ === 0 ? copy.fill(7) : copy));
      expect((await fresh()).info.simd).toBe(false);
    });
  });

  test("is the wrong one to insist on where it computes wrong", async () => {
    await withCopy(async (folder) => {
      const fresh = await loadOf(join(folder, "index.node.js"));
      whenCopied((copy) => copy.fill(0));
      expect(await messageOf(fresh({ simd: "on" }))).toMatch(/computes wrong results with the wasm at file:.*addnorm-simd\.wasm/);
    });
  });
});

describe("memory of what was loaded", () => {
  test("the same options give the same promise, and default options are the same as none", () => {
    expect(load()).toBe(load());
    expect(load({})).toBe(load({ simd: "auto" }));
    expect(load({ simd: "off" })).toBe(load({ simd: "off" }));
    expect(load({ simd: "off" })).not.toBe(load());
  });

  test("an address is the same as text and as URL, bytes are the same by identity", () => {
    const url = pathToFileURL(SIMD_FILE);
    expect(load({ wasm: url })).toBe(load({ wasm: url.href }));
    const bytes = new Uint8Array(simdBytes);
    expect(load({ wasm: bytes })).toBe(load({ wasm: bytes }));
    expect(load({ wasm: bytes })).not.toBe(load({ wasm: new Uint8Array(simdBytes) }));
  });

  test("a load that failed may be tried again", async () => {
    let broken = true;
    const { url } = await serve((_request, response) => {
      if (broken) response.writeHead(503).end();
      else response.writeHead(200, { "content-type": "application/wasm" }).end(simdBytes);
    });
    expect(await messageOf(load({ wasm: url }))).toMatch(/HTTP status 503/);
    broken = false;
    expect((await load({ wasm: url })).info.simd).toBe(true);
  });
});

describe("where the wasm may come from", () => {
  test.each<[string, () => WebAssembly.Module | BufferSource | URL | string]>([
    ["a file's path", () => BASE_FILE],
    ["a file's address", () => pathToFileURL(BASE_FILE)],
    ["a data: address", () => `data:application/wasm;base64,${simdBytes.toString("base64")}`],
    ["bytes", () => new Uint8Array(simdBytes)],
    ["an ArrayBuffer", () => new Uint8Array(simdBytes).buffer],
    ["a compiled module", () => new WebAssembly.Module(simdBytes)],
  ])("%s", async (_what, wasm) => {
    const an = await load({ wasm: wasm() });
    expect(an.layerNorm(row.x, row.options).y[1]).toBe(0);
  });

  test("another load's module, as a worker gets it from its page", async () => {
    const first = await load({ simd: "off" });
    const second = await load({ wasm: structuredClone(first.wasm) });
    expect(second.info).toEqual(first.info);
    expect(second.layerNorm(row.x, row.options).y[1]).toBe(0);
  });

  test("a server that names the type right is compiled while it streams, by one request", async () => {
    const streaming = vi.spyOn(WebAssembly, "compileStreaming");
    const { url, requests } = await serve((_request, response) => response.writeHead(200, { "content-type": "application/wasm" }).end(simdBytes));
    expect((await load({ wasm: url })).info.target).toBe("WASM");
    expect(streaming).toHaveBeenCalledTimes(1);
    expect(requests()).toBe(1);
  });

  test("a server that names the type wrong is no obstacle, and is asked once", async () => {
    const { url, requests } = await serve((_request, response) => response.writeHead(200, { "content-type": "text/plain" }).end(simdBytes));
    expect((await load({ wasm: url })).info.target).toBe("WASM");
    expect(requests()).toBe(1);
  });

  test("the entry for browsers fetches the file beside it", async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(simdBytes, { headers: { "content-type": "application/wasm" } }));
    const an = await (await loadOf(join(DIST, "index.js")))();
    expect(an.info.simd).toBe(true);
    expect(String(fetched.mock.calls[0]![0])).toBe(pathToFileURL(SIMD_FILE).href);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test("the inline entry needs no address, in both builds", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    const inline = await loadOf(join(DIST, "inline.js"));
    expect((await inline()).info.simd).toBe(true);
    expect((await inline({ simd: "off" })).info.simd).toBe(false);
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe("what is said when it fails", () => {
  const advice = 'Give another address with load({ wasm: url }), the bytes or a WebAssembly.Module the same way, or import "addnorm/inline" ("addnorm/elements-inline" for the elements), which needs no address.';

  test("a missing file: the HTTP status and the address", async () => {
    const { url } = await serve((_request, response) => response.writeHead(404).end());
    expect(await messageOf(load({ wasm: url }))).toBe(`addnorm: the wasm at ${url} was answered with HTTP status 404. ${advice}`);
  });

  test("an HTML page instead of wasm: its first bytes", async () => {
    const { url } = await serve((_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>app</title>"));
    expect(await messageOf(load({ wasm: url }))).toBe(
      `addnorm: the wasm at ${url} is no wasm: it begins with 3c 21 64 6f 63 74 79 70, an HTML page. ${advice}`,
    );
  });

  test("an HTML page that is called wasm: the same, and one request", async () => {
    const { url, requests } = await serve((_request, response) => response.writeHead(200, { "content-type": "application/wasm" }).end("<!doctype html>"));
    expect(await messageOf(load({ wasm: url }))).toMatch(/is no wasm: it begins with 3c 21 64 6f 63 74 79 70, an HTML page/);
    expect(requests()).toBe(1);
  });

  test.each(["application/wasm", "text/plain"])("a file that was cut (%s): how much came", async (type) => {
    const { url } = await serve((_request, response) => response.writeHead(200, { "content-type": type }).end(simdBytes.subarray(0, 1000)));
    const said = await messageOf(load({ wasm: url }));
    expect(said).toMatch(/^addnorm: the wasm at http:.*\/kernels\.wasm could not be compiled \(.*; 1000 bytes came\)/);
    expect(said).toContain(advice);
  });

  test.each(["application/wasm", "text/plain"])("a connection that breaks off (%s): which address it was", async (type) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "content-type": type, "content-length": simdBytes.length });
      response.write(simdBytes.subarray(0, 1000), () => response.destroy());
    });
    expect(await messageOf(load({ wasm: url }))).toMatch(/^addnorm: the wasm at http:.*\/kernels\.wasm broke off while it was fetched/);
  });

  test("a redirect to a missing file: the address that was reached", async () => {
    const { url } = await serve((request, response) =>
      request.url === "/kernels.wasm" ? response.writeHead(302, { location: "/elsewhere.wasm" }).end() : response.writeHead(410).end());
    expect(await messageOf(load({ wasm: url }))).toContain(`${url.replace("kernels", "elsewhere")} was answered with HTTP status 410`);
  });

  test("a server that is not there", async () => {
    const { url } = await serve(() => {});
    await new Promise<void>((resolve) => server!.close(() => resolve()));
    server = undefined;
    expect(await messageOf(load({ wasm: url }))).toMatch(/^addnorm: the wasm at http:.* could not be fetched \(fetch failed: connect ECONNREFUSED .*\); the network, CORS or the policy's connect-src may be why/);
  });

  test("no file at the path", async () => {
    expect(await messageOf(load({ wasm: "/no/such/file.wasm" }))).toMatch(/^addnorm: the wasm at \/no\/such\/file\.wasm could not be read \(ENOENT/);
  });

  test("no bytes, or only the first of them", async () => {
    expect(await messageOf(load({ wasm: new Uint8Array(0) }))).toMatch(/^addnorm: the wasm at the bytes given is no wasm: it begins with nothing \(0 bytes\)/);
    expect(await messageOf(load({ wasm: new Uint8Array(simdBytes.subarray(0, 1000)) }))).toMatch(/could not be compiled \(.*; 1000 bytes came\)/);
  });

  test("a policy that forbids compiling: which word it needs", async () => {
    const policy = "Wasm code generation disallowed by embedder: violates the Content Security Policy directive";
    vi.spyOn(WebAssembly, "compile").mockRejectedValueOnce(new WebAssembly.CompileError(policy));
    expect(await messageOf(load({ wasm: new Uint8Array(simdBytes) }))).toMatch(/needs 'wasm-unsafe-eval' in script-src/);
  });

  test("wasm of another version: both versions", async () => {
    const place = simdBytes.indexOf(version);
    expect(place).toBeGreaterThan(0);
    const other = new Uint8Array(simdBytes);
    other[place] = "9".charCodeAt(0);
    expect(await messageOf(load({ wasm: other }))).toBe(
      `addnorm: the wasm at the bytes given is version 9${version.slice(1)}, this JavaScript is version ${version}; both must come from one package. ${advice}`,
    );
  });

  test("wasm of something else", async () => {
    const empty = new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    expect(await messageOf(load({ wasm: empty }))).toMatch(/^addnorm: the wasm at the bytes given could not be started/);
  });

  test("an engine without WebAssembly", async () => {
    vi.stubGlobal("WebAssembly", undefined);
    expect(await messageOf(load({ wasm: "kernels.wasm" }))).toBe("load: this engine has no WebAssembly, or it is switched off here");
  });

  test("wasm that is not the build insisted on", async () => {
    expect(await messageOf(load({ wasm: new Uint8Array(simdBytes), simd: "off" }))).toBe('load: simd is "off", but the wasm given is the build with SIMD');
    expect(await messageOf(load({ wasm: BASE_FILE, simd: "on" }))).toBe('load: simd is "on", but the wasm given is the build without SIMD');
  });

  test.each<[string, unknown, typeof TypeError | typeof RangeError, string]>([
    ["options that are none", "auto", TypeError, 'load: the options are the string "auto", expected { wasm, simd }'],
    ["an unknown word for simd", { simd: "yes" }, RangeError, 'load: simd is the string "yes", expected "auto", "on" or "off"'],
    ["a flag for simd", { simd: true }, TypeError, 'load: simd is the boolean true, expected "auto", "on" or "off"'],
    ["a number for wasm", { wasm: 7 }, TypeError, "load: wasm is the number 7, expected a URL, a string, the bytes or a WebAssembly.Module"],
    ["null for wasm", { wasm: null }, TypeError, "load: wasm is null, expected a URL, a string, the bytes or a WebAssembly.Module"],
    ["a response for wasm", { wasm: new Response() }, TypeError, "load: wasm is an object of the class Response, expected a URL, a string, the bytes or a WebAssembly.Module"],
  ])("%s: the promise rejects and says why", async (_what, options, kind, message) => {
    const error: unknown = await load(options as object).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toBe(message);
  });
});

test("two copies of the package work side by side, each with a wasm of its own", async () => {
  await withCopy(async (folder) => {
    const other = await (await loadOf(join(folder, "index.node.js")))();
    const an = await load();
    expect(other).not.toBe(an);
    const kept = an.matrix(1, 3);
    kept.data.set([5, 6, 7]);
    expect(other.layerNorm(row.x, row.options)).toEqual(an.layerNorm(row.x, row.options));
    expect(Array.from(kept.data)).toEqual([5, 6, 7]);
  });
});
