/** What the page and its worker for stacks say to each other. */
import type { AnyTrace, ModelConfig } from "../lib/index.js";

export type ToWorker =
  /** First of all: the module to compute with. */
  | { kind: "wasm"; wasm: WebAssembly.Module }
  | { kind: "job"; id: number; x: Float32Array; config: ModelConfig }
  | { kind: "cancel"; id: number };

export type FromWorker =
  /** The module computes here, or it does not. */
  | { kind: "ready" | "unusable" }
  | { kind: "progress"; id: number; done: number; total: number }
  | { kind: "trace"; id: number; trace: AnyTrace }
  | { kind: "error"; id: number; error: unknown }
  /** A cancellation has arrived. */
  | { kind: "cancelled" }
  /** Nothing is left to do, and the worker holds much memory. */
  | { kind: "heavy" };
