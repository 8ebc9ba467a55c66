/** Reads large files away from the page's own thread. */
import { read, type Given } from "./reading.js";

const worker = globalThis as unknown as { onmessage: (event: MessageEvent<Given>) => void; postMessage(message: unknown, transfer: Transferable[]): void };

worker.onmessage = async ({ data }) => {
  const reading = await read(data);
  const transfer = "tensors" in reading ? [...new Set(reading.tensors.map((tensor) => tensor.data.buffer))] : [];
  worker.postMessage(reading, transfer as ArrayBuffer[]);
};
