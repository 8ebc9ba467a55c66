// A static server such as any host has, with the faults and the policies of some of them, that notes what it was asked for.
import { readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { afterAll } from "vitest";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

export interface Behaviour {
  headers?: Readonly<Record<string, string>>;
  /** MIME types that differ from the usual ones, by extension. */
  types?: Readonly<Record<string, string>>;
  /** Answers itself where it returns true. */
  answer?(path: string, response: ServerResponse): boolean;
}

export interface Host {
  readonly origin: string;
  readonly asked: string[];
}

const closers: (() => void)[] = [];

/** Call once at the top of a test file that starts hosts. */
export function endHosts(): void {
  afterAll(() => closers.forEach((close) => close()));
}

export async function startHost(root: string, { headers = {}, types = {}, answer }: Behaviour = {}): Promise<Host> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://host").pathname);
    asked.push(path);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (answer?.(path, response)) return;
    const file = join(root, path.endsWith("/") ? `${path}index.html` : path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = types[extname(file)] ?? TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closers.push(() => (server.close(), server.closeAllConnections()));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
