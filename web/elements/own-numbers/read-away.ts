/** Decides where something is read: small things at once, large ones in a worker where the page may have one. */
import ReaderWorker from "./worker.ts?worker&inline";
import { read, type Given, type Reading } from "./reading.js";

/** Bytes or characters that are read in a few milliseconds. */
const SMALL = 256 * 1024;

/** Aborting ends the work and rejects with the signal's reason. */
export async function readAway(given: Given, signal: AbortSignal): Promise<Reading> {
  const size = "text" in given ? given.text.length : given.bytes.length;
  if (size <= SMALL) return read(given);
  try {
    return await readInWorker(given, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NoWorker)) throw error;
    return read(given);
  }
}

/** The page's content policy, or the host, allows no worker. */
class NoWorker extends Error {}

function readInWorker(given: Given, signal: AbortSignal): Promise<Reading> {
  return new Promise((resolve, reject) => {
    let worker: Worker;
    try {
      worker = new ReaderWorker();
    } catch {
      reject(new NoWorker());
      return;
    }
    const end = (settle: () => void) => (): void => {
      worker.terminate();
      settle();
    };
    worker.onmessage = ({ data }: MessageEvent<Reading>) => end(() => resolve(data))();
    worker.onerror = (event) => {
      event.preventDefault();
      end(() => reject(new NoWorker()))();
    };
    signal.addEventListener("abort", end(() => reject(signal.reason)), { once: true });
    // Copied, not transferred: where no worker starts, the bytes are still needed here.
    worker.postMessage(given);
  });
}
