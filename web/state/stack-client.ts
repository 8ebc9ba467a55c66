/** Runs stacks for the views: small ones at once, others in a worker that is kept for the next, and freed when none comes. */
import type { Addnorm, AnyTrace, ModelConfig } from "../lib/index.js";
import type { FromWorker, ToWorker } from "./stack-messages.js";

export interface StackOptions {
  readonly signal?: AbortSignal;
  /** Units of work that are done, of how many. */
  readonly onProgress?: (done: number, total: number) => void;
}

interface Job extends StackOptions {
  readonly x: Float32Array;
  readonly config: ModelConfig;
  resolve(trace: AnyTrace): void;
  reject(reason: unknown): void;
}

/** A worker that has not heard of a cancellation after so long is at something that cannot be sliced: it is ended. */
const PATIENCE_MS = 300;
/** A worker that was not needed for so long is ended, and its memory with it: the element that asked may be gone. */
const IDLE_MS = 10_000;
/** Milliseconds that the page's own thread may be held up. */
const SMALL_MS = 8;

const clients = new WeakMap<Addnorm, StackClient>();

/**
 * The trace of a stack. Where the page may have no worker, the work is done in slices between the page's own tasks.
 *
 * @param config holds arrays, no matrices in wasm memory
 * @throws (rejects with) TypeError, RangeError as an.stack, and the signal's reason as soon as it is aborted
 */
export async function stackAway(an: Addnorm, x: Float32Array, config: ModelConfig, options: StackOptions = {}): Promise<AnyTrace> {
  options.signal?.throwIfAborted();
  if (estimatedMs(x, config) < SMALL_MS) return an.stack(x, config);
  const client = clients.get(an) ?? new StackClient(an);
  clients.set(an, client);
  return client.run(x, config, options);
}

/** Roughly, on a slow machine: drawing the weights, multiplying with them, and what each step costs beside. */
function estimatedMs(x: Float32Array, { dModel, dFf = 4 * dModel, layers = 1, weights, sublayers }: ModelConfig): number {
  const rows = x.length / dModel;
  const drawn = weights || sublayers === "simulated" ? 0 : 40;
  const nanoseconds = layers * (dModel * (4 * dModel + 2 * dFf) * (drawn + rows) + 4 * rows * rows * dModel + 100_000);
  return nanoseconds / 1e6;
}

class StackClient {
  readonly #an: Addnorm;
  readonly #jobs = new Map<number, Job>();
  #count = 0;
  /** undefined until one is wanted, and after it was ended; gives undefined where the page may have none. */
  #worker: Promise<Worker | undefined> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(an: Addnorm) {
    this.#an = an;
  }

  run(x: Float32Array, config: ModelConfig, { signal, onProgress }: StackOptions): Promise<AnyTrace> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      const id = this.#count++;
      const cancel = (): void => void this.#cancel(id);
      const settled = (): void => {
        this.#jobs.delete(id);
        if (this.#jobs.size === 0) this.#idle = setTimeout(() => void this.#end(), IDLE_MS);
        signal?.removeEventListener("abort", cancel);
      };
      signal?.addEventListener("abort", cancel);
      this.#jobs.set(id, {
        x, config, signal, onProgress,
        resolve: (trace) => (settled(), resolve(trace)),
        reject: (reason) => (settled(), reject(reason)),
      });
      void this.#assign(id);
    });
  }

  async #assign(id: number): Promise<void> {
    const worker = await (this.#worker ??= this.#begun());
    const job = this.#jobs.get(id);
    if (!job) return;
    const { x, config } = job;
    try {
      if (worker) post(worker, { kind: "job", id, x, config });
      else job.resolve(await this.#an.stackAsync(x, config, { signal: job.signal, onProgress: job.onProgress }));
    } catch (error) {
      job.reject(error);
    }
  }

  /** Rejects at once; the worker is told, and ended when it does not listen. */
  async #cancel(id: number): Promise<void> {
    const job = this.#jobs.get(id)!;
    job.reject(job.signal!.reason);
    const worker = await this.#worker;
    if (!worker) return;
    post(worker, { kind: "cancel", id });
    this.#patience ??= setTimeout(() => this.#renew(worker), PATIENCE_MS);
  }

  async #begun(): Promise<Worker | undefined> {
    try {
      const { default: StackWorker } = await import("./stack-worker.ts?worker&inline");
      const worker = new StackWorker();
      await ready(worker, this.#an.wasm);
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(worker, data);
      worker.onerror = (event) => {
        event.preventDefault();
        const failed = new Error(event.message);
        for (const job of [...this.#jobs.values()]) job.reject(failed);
        this.#renew(worker);
      };
      return worker;
    } catch {
      return undefined;
    }
  }

  #hear(worker: Worker, message: FromWorker): void {
    this.#hasPatience();
    if (message.kind === "heavy") {
      if (this.#jobs.size === 0) this.#renew(worker);
    } else if ("id" in message) {
      const job = this.#jobs.get(message.id);
      if (message.kind === "progress") job?.onProgress?.(message.done, message.total);
      else if (message.kind === "trace") job?.resolve(message.trace);
      else job?.reject(message.error);
    }
  }

  #hasPatience(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  async #end(): Promise<void> {
    const worker = await this.#worker;
    if (!worker || this.#jobs.size > 0) return;
    this.#hasPatience();
    worker.terminate();
    this.#worker = undefined;
  }

  /** Ends the worker; another one takes what is left to do. */
  #renew(worker: Worker): void {
    this.#hasPatience();
    worker.terminate();
    this.#worker = undefined;
    for (const id of this.#jobs.keys()) void this.#assign(id);
  }
}

/** Rejects, and ends the worker, when the host, its content policy or the engine lets none compute. */
function ready(worker: Worker, wasm: WebAssembly.Module): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => {
      worker.terminate();
      reject();
    };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => (data.kind === "ready" ? resolve() : refuse());
    worker.onmessageerror = refuse;
    worker.onerror = (event) => {
      event.preventDefault();
      refuse();
    };
    post(worker, { kind: "wasm", wasm });
  });
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}
