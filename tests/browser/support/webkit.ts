// WebKit as Debian has it: WebKitWebDriver starts MiniBrowser on a display of its own and is told what to do in W3C WebDriver.
import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import type { Point, Tab } from "./engines.js";

/** Milliseconds for starting the driver, and for one answer of it. */
const START_MS = 30_000;
const ANSWER_MS = 60_000;
const TRIES = 3;

const KEYS: Record<string, string> = {
  Tab: "\uE004", Enter: "\uE007", Escape: "\uE00C", End: "\uE010", Home: "\uE011", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015",
};

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const groups = new Set<ChildProcess>();
process.on("exit", () => groups.forEach(end));

/** A program with all that it starts, which end together; none outlives this process. */
function start(program: string, args: string[], env: NodeJS.ProcessEnv, descriptor?: "pipe"): ChildProcess {
  const child = spawn(program, args, { env, detached: true, stdio: ["ignore", "ignore", "ignore", descriptor ?? "ignore"] });
  child.once("error", () => groups.delete(child));
  groups.add(child);
  return child;
}

function end(child: ChildProcess): void {
  if (!groups.delete(child)) return;
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** A display that no one sees; Xvfb picks a free number and tells it. */
function startDisplay(): Promise<{ display: string; server: ChildProcess }> {
  const server = start("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], process.env, "pipe");
  return new Promise((resolve, reject) => {
    const fail = (why: string) => (): void => {
      end(server);
      reject(new Error(`Xvfb ${why}`));
    };
    const timer = setTimeout(fail("did not start in time"), START_MS);
    server.once("error", fail("is not installed"));
    server.once("exit", fail("ended at once"));
    (server.stdio[3] as Readable).once("data", (number: Buffer) => {
      clearTimeout(timer);
      resolve({ display: `:${number.toString().trim()}`, server });
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

type Send = <T>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<T>;

function sender(port: number): Send {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(ANSWER_MS) });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebKitWebDriver, ${method} ${path}: ${value.error}, ${value.message}`);
    return value;
  };
}

/** The port that was free may be taken by the time the driver asks for it: then another one is tried. */
async function startDriver(display: string): Promise<{ driver: ChildProcess; send: Send }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const send = sender(port);
    const driver = start("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
      ...process.env, DISPLAY: display, GDK_BACKEND: "x11", WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      // It opens nothing but what these tests serve; its sandbox cannot be had as root or in a container.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    });
    const until = Date.now() + START_MS / TRIES;
    while (driver.exitCode === null && Date.now() < until) {
      const ready = await send<{ ready: boolean }>("GET", "/status").then((status) => status.ready, () => false);
      if (ready) return { driver, send };
      await pause(50);
    }
    end(driver);
    if (attempt === TRIES) throw new Error("WebKitWebDriver did not start");
  }
}

/** One window of WebKit. */
export async function openWebKit(width: number, height: number): Promise<Tab> {
  const { display, server } = await startDisplay();
  let driver: ChildProcess | undefined;
  try {
    const started = await startDriver(display);
    driver = started.driver;
    const { send } = started;
    const { sessionId } = await send<{ sessionId: string }>("POST", "/session", { capabilities: {} });
    const session: Send = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
    await session("POST", "/window/rect", { x: 0, y: 0, width, height });
    return tab(session, async () => {
      await session("DELETE", "").catch(() => undefined);
      end(started.driver);
      end(server);
    });
  } catch (error) {
    if (driver) end(driver);
    end(server);
    throw error;
  }
}

function tab(session: Send, close: () => Promise<void>): Tab {
  const act = async (source: object): Promise<void> => void (await session("POST", "/actions", { actions: [source] }));
  const move = ({ x, y }: Point, duration: number): object => ({ type: "pointerMove", origin: "viewport", duration, x: Math.round(x), y: Math.round(y) });
  return {
    go: async (url) => void (await session("POST", "/url", { url })),
    evaluate: (expression) => session("POST", "/execute/async", {
      script: `const done = arguments[0]; Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`, args: [],
    }).then((answer) => {
      const { value, error } = answer as { value: unknown; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    }),
    press: (key) => act({ type: "key", id: "keys", actions: ["keyDown", "keyUp"].map((type) => ({ type, value: KEYS[key] ?? key })) }),
    drag: (from, to) => act({
      type: "pointer", id: "mouse", parameters: { pointerType: "mouse" },
      actions: [move(from, 0), { type: "pointerDown", button: 0 }, ...(to ? [move(to, 100)] : []), { type: "pointerUp", button: 0 }],
    }),
    close,
  };
}
