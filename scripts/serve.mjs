// Serves dist/site to this machine, and prints the address: node scripts/serve.mjs (PORT and HOST change it).
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createGzip } from "node:zlib";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json; charset=utf-8",
};

/** What gzip makes smaller. */
const compressible = /^(?:text|application)\/|svg/;

/** The regular file below root that a request's path means (a folder means its index.html), or undefined. */
async function findFile(root, requestUrl) {
  try {
    const path = decodeURIComponent(requestUrl.split(/[?#]/, 1)[0]);
    const file = await realpath(join(root, path.endsWith("/") ? `${path}index.html` : path));
    if (!file.startsWith(root + sep)) return undefined;
    const { mtime, size, ...info } = await stat(file);
    return (info.mode & 0o170000) === 0o100000 ? { file, mtime, size } : undefined;
  } catch {
    return undefined;
  }
}

async function answer(root, request, response) {
  response.setHeader("X-Content-Type-Options", "nosniff");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD" }).end();
    return;
  }
  const found = await findFile(root, request.url);
  if (!found) {
    const page = '<!doctype html><meta charset="utf-8"><title>404</title><p>Not found. 没有这个页面。<p><a href="/">Add &amp; Norm</a>\n';
    response.writeHead(404, { "Content-Type": types[".html"], "Content-Length": Buffer.byteLength(page) });
    response.end(request.method === "HEAD" ? undefined : page);
    return;
  }
  const etag = `"${found.size.toString(16)}-${found.mtime.getTime().toString(16)}"`;
  // A rebuilt page must be seen at the next reload, so the browser asks each time.
  response.setHeader("Cache-Control", "no-cache");
  response.setHeader("ETag", etag);
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304).end();
    return;
  }
  const type = types[extname(found.file).toLowerCase()] ?? "application/octet-stream";
  const zipped = compressible.test(type) && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  response.setHeader("Vary", "Accept-Encoding");
  response.writeHead(200, { "Content-Type": type, ...(zipped ? { "Content-Encoding": "gzip" } : { "Content-Length": found.size }) });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const steps = [createReadStream(found.file), ...(zipped ? [createGzip()] : []), response];
  pipeline(steps, (error) => error && response.destroy());
}

function listen(server, port, host) {
  return new Promise((done, refuse) => {
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      done();
    });
  });
}

/** Starts one server for each host at one port, the first from `port` on that is free at all of them. */
async function listenAt(hosts, handler, port) {
  const servers = [];
  try {
    for (const host of hosts) {
      const server = createServer(handler);
      await listen(server, port, host).then(
        () => servers.push(server),
        (error) => {
          // A machine without IPv6 has no ::1, and 127.0.0.1 is enough there.
          if (host !== "::1" || error.code === "EADDRINUSE") throw error;
        },
      );
      port = server.address()?.port ?? port;
    }
    return { servers, port };
  } catch (error) {
    for (const server of servers) server.close();
    if (error.code !== "EADDRINUSE" || port >= 65535) throw error;
    return listenAt(hosts, handler, port + 1);
  }
}

/**
 * Serves the files of a folder over HTTP. Without a host both loopback addresses are listened at,
 * so that "localhost" cannot lead to another program.
 * Returns the port and a function that ends the server.
 */
export async function serve({ root, port, host }) {
  const folder = await realpath(root);
  const handler = (request, response) => void answer(folder, request, response);
  const { servers, port: actualPort } = await listenAt(host ? [host] : ["127.0.0.1", "::1"], handler, port);
  const close = () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  return { port: actualPort, close };
}

async function main() {
  const { PORT, HOST } = process.env;
  const wanted = PORT ? Number(PORT) : 5173;
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) {
    throw new Error(`PORT is "${PORT}", a whole number from 0 to 65535 was expected`);
  }
  const root = resolve(fileURLToPath(import.meta.url), "../../dist/site");
  const { port, close } = await serve({ root, port: wanted, host: HOST });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, close);
  if (PORT && wanted !== 0 && port !== wanted) console.log(`addnorm: port ${wanted} is taken, this is the next free one`);
  const name = !HOST ? "localhost" : HOST.includes(":") ? `[${HOST}]` : HOST;
  console.log(`addnorm: serving the page, Ctrl-C ends it\nhttp://${name}:${port}/`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  main().catch((error) => {
    console.error(`addnorm: cannot serve: ${error.message}`);
    process.exitCode = 1;
  });
}
