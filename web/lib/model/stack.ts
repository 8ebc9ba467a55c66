// Encoder blocks and stacks of them, as one call, in pieces, or without holding up what else the thread does.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { MatrixInput } from "../types.js";
import type { ModelConfig } from "./config.js";
import { readSettings } from "./settings.js";
import { StackRun } from "./stack-run.js";
import type { AnyTrace, Trace } from "./trace.js";

type FullConfig = ModelConfig & { keep?: "all" };

export interface StackAsyncOptions {
  /** Called after each slice of work. */
  onProgress?: (done: number, total: number) => void;
  /** Aborting ends the work and rejects with the signal's reason. */
  signal?: AbortSignal;
  /** How long to work before the thread does what else waits, in milliseconds; 10 when absent. */
  sliceMs?: number;
}

export interface Models {
  /**
   * One Transformer block, attention and feed-forward with their residual connections and norms, as
   * torch.nn.TransformerEncoderLayer computes it when the config says no other. Every matrix on the way is in the trace.
   *
   * @param x rows x dInput
   * @throws TypeError for an argument of the wrong kind, a key that no config has, one that the others have no use for,
   *   a matrix missing among the weights
   * @throws RangeError for lengths that do not fit, values out of bounds, widths that cannot be added without
   *   `projection`, and when memory ends
   * @example
   * const { steps, backward } = an.block(x, { dModel: 8, heads: 2, placement: "pre", backward: true });
   * const y = steps.at(-1).data, dx = backward[0].gradient;
   */
  block(x: MatrixInput, config: FullConfig): Trace;
  block(x: MatrixInput, config: ModelConfig): AnyTrace;

  /**
   * `layers` blocks, one after the other, each with weights of its own; see block.
   *
   * @param x rows x dInput
   * @throws TypeError, RangeError as block
   * @example an.stack(x, { dModel: 8, layers: 12, backward: true, keep: "statistics" }).backward.map((s) => s.gradientRms)
   */
  stack(x: MatrixInput, config: FullConfig): Trace;
  stack(x: MatrixInput, config: ModelConfig): AnyTrace;

  /**
   * The same as stack, not yet begun: for callers that do it in pieces.
   *
   * @throws TypeError, RangeError as block
   */
  stackRun(x: MatrixInput, config: FullConfig): StackRun;
  stackRun(x: MatrixInput, config: ModelConfig): StackRun<Float32Array | null>;

  /**
   * The same as stack, in slices between which the thread does what else waits. A single sublayer is not sliced, so that
   * a very wide one takes longer.
   *
   * @throws (rejects with) TypeError, RangeError as block, and the signal's reason
   */
  stackAsync(x: MatrixInput, config: FullConfig, options?: StackAsyncOptions): Promise<Trace>;
  stackAsync(x: MatrixInput, config: ModelConfig, options?: StackAsyncOptions): Promise<AnyTrace>;
}

export function models(wasm: WasmModule, heap: Heap): Models {
  function begun(call: string, x: MatrixInput, config: ModelConfig, single = false): StackRun<Float32Array | null> {
    return new StackRun(wasm, heap, call, readSettings(heap, call, x, config, single));
  }

  async function stackAsync(x: MatrixInput, config: ModelConfig, options: StackAsyncOptions = {}): Promise<AnyTrace> {
    const call = "stackAsync";
    const { onProgress, signal, sliceMs = 10 } = check.options(call, options, "onProgress, signal, sliceMs");
    check.number(call, "sliceMs", sliceMs);
    signal?.throwIfAborted();
    const run = begun(call, x, config);
    try {
      for (let units = 1; ;) {
        const began = performance.now();
        run.step(units);
        const took = performance.now() - began;
        if (2 * took < sliceMs) units *= 2;
        else if (took > sliceMs && units > 1) units /= 2;
        onProgress?.(run.done, run.total);
        if (run.done === run.total) return run.result();
        await pause();
        signal?.throwIfAborted();
      }
    } finally {
      run.free();
    }
  }

  return {
    block: ((x, config) => begun("block", x, config, true).result()) as Models["block"],
    stack: ((x, config) => begun("stack", x, config).result()) as Models["stack"],
    stackRun: ((x, config) => begun("stackRun", x, config)) as Models["stackRun"],
    stackAsync: stackAsync as Models["stackAsync"],
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
