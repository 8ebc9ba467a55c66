// Hosts that serve the wasm wrongly or not at all: where one can do with it, it is fetched once; else the error says what came from where.
import { cpSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { open, SLOW, useBrowser } from "../browser/support/browser.js";
import { expectAll, expectGolden, html, tells, told, visit } from "./support/fixture.js";
import { useProject } from "./support/project.js";
import { endHosts, startHost, type Behaviour, type Host } from "./support/server.js";

useBrowser();
endHosts();
const project = useProject();
let bytes: Buffer;

beforeAll(() => {
  cpSync(project.path("node_modules/addnorm/dist"), project.path("site/addnorm"), { recursive: true });
  bytes = readFileSync(project.path("site/addnorm/wasm/addnorm-simd.wasm"));
  project.write({
    "site/index.html": html(`<script type="module">import { load } from "./addnorm/index.js"; import "./addnorm/elements.js"; ${tells()}</script>`),
  });
});

const host = (behaviour: Behaviour = {}): Promise<Host> => startHost(project.path("site"), behaviour);
const fetched = ({ asked }: Host): string[] => asked.filter((path) => path.endsWith(".wasm"));

describe("the wrong MIME type", () => {
  test.each(["application/octet-stream", "text/html", "text/plain"])("%s: works, by one request", { timeout: SLOW }, async (type) => {
    const served = await host({ types: { ".wasm": type } });
    await expectAll(`${served.origin}/`);
    expect(fetched(served)).toEqual(["/addnorm/wasm/addnorm-simd.wasm"]);
  });
});

describe("load({ wasm }) with", () => {
  const address = '"./elsewhere/kernels.bin"';
  const got = `await (await fetch(${address})).arrayBuffer()`;
  test.each([
    ["a URL", `{ wasm: new URL(${address}, location.href) }`],
    ["a relative address", `{ wasm: ${address} }`],
    ["bytes", `{ wasm: new Uint8Array(${got}) }`],
    ["an ArrayBuffer", `{ wasm: ${got} }`],
    ["a WebAssembly.Module", `{ wasm: await WebAssembly.compile(${got}) }`],
  ])("%s takes that, and asks for nothing else", { timeout: SLOW }, async (name, options) => {
    cpSync(project.path("site/addnorm/wasm/addnorm-base.wasm"), project.path("site/elsewhere/kernels.bin"));
    const file = `${name.replaceAll(/\W/g, "-")}.html`;
    project.write({ [`site/${file}`]: html(`<script type="module">import { load } from "./addnorm/index.js"; ${tells(options)}</script>`, "") });
    const served = await host();
    await visit(`${served.origin}/${file}`, async (page) => {
      const { y, simd } = await told(page);
      expectGolden(y!);
      expect(simd).toBe(false);
    });
    expect(served.asked.filter((path) => /wasm$|bin$/.test(path))).toEqual(["/elsewhere/kernels.bin"]);
  });
});

describe("wasm that cannot be had", () => {
  const html200 = (response: ServerResponse, type: string): void => void response.writeHead(200, { "content-type": type }).end("<!DOCTYPE html><title>The app</title>");
  const wasm200 = (response: ServerResponse, content: Uint8Array): void => void response.writeHead(200, { "content-type": "application/wasm" }).end(content);
  const otherVersion = (): Buffer => {
    const { version } = JSON.parse(readFileSync(project.path("node_modules/addnorm/package.json"), "utf8")) as { version: string };
    const other = Buffer.from(bytes);
    other.write(`9${version.slice(1)}`, other.indexOf(version));
    return other;
  };

  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["a missing file", (response) => response.writeHead(404).end(), /was answered with HTTP status 404\./],
    ["an app's page in its place", (response) => html200(response, "text/html"), /is no wasm: it begins with 3c 21 44 4f 43 54 59 50, an HTML page\./],
    ["an app's page that is called wasm", (response) => html200(response, "application/wasm"), /is no wasm: it begins with 3c 21 44 4f 43 54 59 50, an HTML page\./],
    ["no answer", (response) => response.destroy(), /could not be fetched \(Failed to fetch\); the network, CORS or the policy's connect-src may be why\./],
    ["a file that was cut", (response) => wasm200(response, bytes.subarray(0, 5000)), /could not be compiled \(.*; 5000 bytes came\)\./],
    ["another version", (response) => wasm200(response, otherVersion()), /is version 9\.\S+, this JavaScript is version \S+; both must come from one package\./],
  ])("%s: core and element say so, with the address and the way out", { timeout: SLOW }, async (_what, broken, expected) => {
    const served = await host({ answer: (path, response) => path.endsWith(".wasm") && (broken(response), true) });
    const { page } = await open({ url: `${served.origin}/`, early: true });
    const { error } = await told(page);
    expect(error).toMatch(new RegExp(`^addnorm: the wasm at ${served.origin}/addnorm/wasm/addnorm-(simd|base)\\.wasm `));
    expect(error).toMatch(expected);
    expect(error).toMatch(/Give another address with load\(\{ wasm: url \}\), .* or import "addnorm\/inline" .*\.$/);
    const shown = page.locator("addnorm-tokens [role=alert]");
    await shown.waitFor();
    expect(await shown.innerText()).toContain("/addnorm/wasm/addnorm-");
    await page.context().close();
  });

  test("a bundler that keeps the wasm to itself and has no address: said so", { timeout: SLOW }, async () => {
    project.write({ "app/index.js": `import { load } from "addnorm"; ${tells()}`, "app/index.html": html("", '<script src="out.js"></script>') });
    await project.run("app", "esbuild", "index.js", "--bundle", "--conditions=production", "--outfile=out.js");
    const { page } = await open({ url: `${(await startHost(project.path("app"))).origin}/`, early: true });
    expect((await told(page)).error).toMatch(/^addnorm: where the wasm lies is not known, since this script has no import\.meta\.url\. Give another address/);
    await page.context().close();
  });
});
