/** Computes stacks away from the page's own thread, one after the other. */
import type { Addnorm, AnyTrace } from "../lib/index.js";
import { load } from "../lib/load/given.js";
import type { FromWorker, ToWorker } from "./stack-messages.js";

/** Longer than slices on the page: here only a cancellation waits. */
const SLICE_MS = 40;
/** Bytes from which an array is handed over; smaller ones are copied faster. */
const LARGE = 64 * 1024;
/** wasm memory never shrinks: a worker with more bytes is better begun anew. */
const HEAVY = 256 * 1024 * 1024;

const worker = globalThis as unknown as {
  onmessage: (event: MessageEvent<ToWorker>) => void;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
};
const waiting = new Map<number, AbortController>();
let loaded: Promise<Addnorm>;
let last: Promise<void> = Promise.resolve();

worker.onmessage = ({ data }) => {
  if (data.kind === "wasm") {
    loaded = load({ wasm: data.wasm });
    loaded.then(() => worker.postMessage({ kind: "ready" }), () => worker.postMessage({ kind: "unusable" }));
  } else if (data.kind === "cancel") {
    waiting.get(data.id)?.abort();
    worker.postMessage({ kind: "cancelled" });
  } else {
    waiting.set(data.id, new AbortController());
    last = last.then(() => compute(data));
  }
};

async function compute({ id, x, config }: ToWorker & { kind: "job" }): Promise<void> {
  const an = await loaded;
  try {
    const onProgress = (done: number, total: number): void => worker.postMessage({ kind: "progress", id, done, total });
    const trace = await an.stackAsync(x, config, { signal: waiting.get(id)!.signal, onProgress, sliceMs: SLICE_MS });
    worker.postMessage({ kind: "trace", id, trace }, largeBuffers(trace));
  } catch (error) {
    worker.postMessage({ kind: "error", id, error });
  }
  waiting.delete(id);
  if (waiting.size === 0 && memoryOf(an) > HEAVY) worker.postMessage({ kind: "heavy" });
}

function largeBuffers({ steps, backward = [], weights = [], grads = [] }: AnyTrace): ArrayBufferLike[] & Transferable[] {
  const arrays = [
    ...steps.map(({ data }) => data),
    ...backward.map(({ gradient }) => gradient),
    ...[...weights, ...grads].flatMap((block) => Object.values(block)),
  ];
  const buffers = arrays.filter((array) => array !== null && array.byteLength > LARGE).map((array) => array!.buffer);
  return buffers as ArrayBuffer[];
}

function memoryOf(an: Addnorm): number {
  const probe = an.matrix(1, 1);
  const bytes = probe.data.buffer.byteLength;
  probe.free();
  return bytes;
}
