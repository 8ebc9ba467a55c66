// scripts/serve.mjs: what is served, what is not, and at which port.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../../scripts/serve.mjs";

let folder;
let server;
let address;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "addnorm-serve-"));
  const root = join(folder, "site");
  await mkdir(join(root, "empty"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "secret");
  await writeFile(join(root, "index.html"), "<p>第一页</p>");
  await writeFile(join(root, "kernels.wasm"), new Uint8Array([0, 0x61, 0x73, 0x6d]));
  await writeFile(join(root, "long.js"), "y = x + F(x);\n".repeat(1000));
  await writeFile(join(root, "picture.png"), "-");
  await symlink(join(folder, "secret.txt"), join(root, "leads-out.txt"));
  server = await serve({ root, port: 0 });
  address = `http://127.0.0.1:${server.port}`;
});

afterAll(async () => {
  server?.close();
  await rm(folder, { recursive: true });
});

/** The status line for a path exactly as written; fetch would tidy it first. */
function statusOf(path) {
  return new Promise((done, refuse) => {
    let answer = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
    socket.on("data", (data) => (answer += data)).on("end", () => done(Number(answer.split(" ")[1]))).on("error", refuse);
  });
}

test("a folder is served by its index.html, in UTF-8", async () => {
  const response = await fetch(`${address}/?lang=zh`);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await response.text()).toBe("<p>第一页</p>");
});

test("wasm has the type that streaming compilation asks for", async () => {
  const response = await fetch(`${address}/kernels.wasm`);
  expect(response.headers.get("content-type")).toBe("application/wasm");
  expect((await response.arrayBuffer()).byteLength).toBe(4);
});

test("text and wasm are sent with gzip to who takes it, pictures as they are", async () => {
  const sent = async (path, accepted) => {
    const response = await fetch(`${address}${path}`, { headers: { "Accept-Encoding": accepted } });
    return [response.headers.get("content-encoding"), Buffer.from(await response.arrayBuffer()).toString()];
  };
  const script = "y = x + F(x);\n".repeat(1000);
  expect(await sent("/long.js", "br, gzip")).toEqual(["gzip", script]);
  expect(await sent("/long.js", "identity")).toEqual([null, script]);
  expect((await sent("/kernels.wasm", "gzip"))[0]).toBe("gzip");
  expect((await sent("/picture.png", "gzip"))[0]).toBe(null);
});

test("a file that has not changed is not sent again", async () => {
  const etag = (await fetch(`${address}/kernels.wasm`)).headers.get("etag");
  const response = await fetch(`${address}/kernels.wasm`, { headers: { "If-None-Match": etag } });
  expect(response.status).toBe(304);
});

test.each([
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/leads-out.txt",
  "/empty/",
  "/empty",
  "/missing.js",
  "/%00",
  "/%ff",
  "//secret.txt",
])("%s is not found", async (path) => {
  expect(await statusOf(path)).toBe(404);
});

test("only reading is allowed", async () => {
  expect((await fetch(`${address}/`, { method: "POST" })).status).toBe(405);
  expect((await fetch(`${address}/`, { method: "HEAD" })).status).toBe(200);
});

test("the next free port is taken where the wanted one is in use", async () => {
  const second = await serve({ root: folder, port: server.port });
  expect(second.port).toBeGreaterThan(server.port);
  second.close();
});
