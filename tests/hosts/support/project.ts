// The packed package in a stranger's project: a folder within tests/hosts, so that the tools installed there are found as in any project.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { ROOT, SLOW } from "../../browser/support/browser.js";

const HOSTS = fileURLToPath(new URL("..", import.meta.url));
const execute = promisify(execFile);

/** No tool asks a server of its maker. */
const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", DENO_NO_UPDATE_CHECK: "1", NODE_ENV: undefined };

export class Project {
  readonly folder = mkdtempSync(join(HOSTS, "project-"));
  readonly tarball: Promise<string> = this.#pack();
  readonly #children = new Set<ChildProcess>();

  async #pack(): Promise<string> {
    const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", this.folder], { cwd: ROOT });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return join(this.folder, filename);
  }

  async install(): Promise<void> {
    this.write({ "package.json": JSON.stringify({ name: "stranger", private: true, type: "module" }), "node_modules/addnorm/.keep": "" });
    await execute("tar", ["-xzf", await this.tarball, "--strip-components=1", "-C", join(this.folder, "node_modules/addnorm")]);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), content);
    }
  }

  /** Runs a tool of tests/hosts in a folder of the project to its end; what it printed. */
  async run(folder: string, tool: string, ...args: string[]): Promise<string> {
    const { stdout, stderr } = await execute(toolPath(tool), args, { cwd: this.path(folder), env: environment, maxBuffer: 1 << 26 });
    return stdout + stderr;
  }

  /** Starts a tool that serves at the port it is given, and waits until something answers there. */
  async serveBy(folder: string, tool: string, ...args: string[]): Promise<string> {
    const port = await freePort();
    const child = spawn(toolPath(tool), [...args, String(port)], { cwd: this.path(folder), env: environment, stdio: "ignore", detached: true });
    this.#children.add(child);
    const address = `http://localhost:${port}`;
    for (let tries = 0; ; tries++) {
      if (await fetch(address).then(() => true, () => false)) return address;
      if (tries > 300 || child.exitCode !== null) throw new Error(`${tool} serves nothing at ${address}`);
      await new Promise((later) => setTimeout(later, 100));
    }
  }

  remove(): void {
    // A tool's own children are of its group.
    for (const { pid, exitCode } of this.#children) if (pid && exitCode === null) process.kill(-pid, "SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function toolPath(name: string): string {
  if (name === "node") return process.execPath;
  if (name === "vite-5") return join(HOSTS, "node_modules/vite-5/bin/vite.js");
  return join(name === "vite" ? ROOT : HOSTS, "node_modules/.bin", name);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** A project of one test file, with the package installed. */
export function useProject(): Project {
  const project = new Project();
  beforeAll(() => project.install(), SLOW);
  afterAll(() => project.remove());
  return project;
}
