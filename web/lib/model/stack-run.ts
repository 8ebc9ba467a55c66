// A block or a stack under way: computed in pieces, and the trace that is written on the way.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import { WITHIN_SUBLAYER } from "./names.js";
import type { PlannedStep } from "./plan.js";
import { PreparedRun } from "./prepared-run.js";
import type { Settings } from "./settings.js";
import type { StateGradient, Trace, TraceStep } from "./trace.js";

type Kept = Float32Array | null;

/**
 * A stack under way, made by `an.stackRun`, for callers that show progress or may want to stop. It holds wasm memory
 * until `result` or `free`, or until the garbage collector finds it.
 *
 * @example
 * const run = an.stackRun(x, { dModel: 64, layers: 128, backward: true, keep: "statistics" });
 * while (run.step(10) < run.total) show(run.done / run.total);
 * const trace = run.result();
 */
export class StackRun<Data extends Kept = Float32Array> {
  /** Units of work: the matrices to compute, and with `backward: true` as many once more. */
  readonly total: number;
  readonly #settings: Settings;
  readonly #run: PreparedRun;
  readonly #steps: TraceStep<Kept>[] = [];
  readonly #backward: StateGradient<Kept>[] = [];
  #done = 0;
  #trace: Trace<Data> | undefined;
  #freed = false;

  /** @internal Made by `an.stackRun`. */
  constructor(wasm: WasmModule, heap: Heap, call: string, settings: Settings) {
    this.#settings = settings;
    this.#run = new PreparedRun(wasm, heap, call, settings);
    this.total = this.#run.steps.length * (settings.backward ? 2 : 1);
  }

  /** Units that are done. */
  get done(): number {
    return this.#done;
  }

  /**
   * Does so many units of what is left; 1 when absent.
   *
   * @returns done
   * @throws TypeError after `free` while units are left
   * @throws RangeError for what is no count, and, giving the memory back, when memory ends
   */
  step(units = 1): number {
    const end = Math.min(this.total, this.#done + check.number("step", "units", units));
    if (end > this.#done) this.#freeing("step", () => this.#advance(end));
    return this.#done;
  }

  /**
   * The trace, after what is left is done; gives the memory back.
   *
   * @throws TypeError after `free`
   * @throws RangeError when memory ends
   */
  result(): Trace<Data> {
    if (this.#trace === undefined) {
      this.#trace = this.#freeing("result", () => {
        this.#advance(this.total);
        return this.#written() as Trace<Data>;
      });
      this.free();
    }
    return this.#trace;
  }

  /** Gives the memory back without a result. A second call does nothing. */
  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    this.#run.free();
  }

  /** Half of a piece that failed cannot be done again. */
  #freeing<T>(call: string, use: () => T): T {
    if (this.#freed) throw new TypeError(`${call}: the run was used after free()`);
    try {
      return use();
    } catch (error) {
      this.free();
      throw error;
    }
  }

  #advance(end: number): void {
    const count = this.#run.steps.length;
    if (this.#done < count) this.#forward(this.#done, Math.min(end, count));
    if (end > count) this.#back(2 * count - end, 2 * count - Math.max(this.#done, count));
    this.#done = end;
  }

  /** What lies within a sublayer is there once the sublayer's own step is done. */
  #forward(first: number, end: number): void {
    const { steps } = this.#run;
    this.#run.forward(first, end);
    let written = end;
    while (written > 0 && WITHIN_SUBLAYER.has(steps[written - 1]!.op)) written -= 1;
    for (let id = this.#steps.length; id < written; id++) this.#steps.push(this.#stepOf(steps[id]!, id));
  }

  #stepOf(step: PlannedStep, id: number): TraceStep<Kept> {
    const { rows, cols } = step;
    const at = this.#run.valuesOf(step);
    const { keep } = this.#settings;
    const kept = keep === "all" || (keep === "states" && step.state >= 0) || id === this.#run.steps.length - 1;
    return {
      id: step.id, op: step.op, block: step.block, state: step.state >= 0 ? step.state : null, rows, cols,
      data: kept ? this.#run.copy(at, rows * cols) : null,
      ...this.#run.statistics(at, rows, cols),
      whole: this.#run.wholeStatistics(at, rows * cols),
      inputs: step.inputs,
    };
  }

  #back(first: number, end: number): void {
    this.#run.backward(first, end);
    for (let id = end - 1; id >= first; id--) {
      const step = this.#run.steps[id]!;
      if (step.state >= 0) this.#backward.unshift(this.#gradientOf(step));
    }
  }

  #gradientOf(step: PlannedStep): StateGradient<Kept> {
    const at = this.#run.gradientOf(step);
    const count = step.rows * step.cols;
    return {
      state: step.state,
      id: step.id,
      gradientRms: this.#run.wholeStatistics(at, count).rms,
      gradient: this.#settings.keep === "statistics" ? null : this.#run.copy(at, count),
    };
  }

  #written(): Trace<Kept> {
    const { keep, backward } = this.#settings;
    return {
      steps: this.#steps,
      ...(backward ? { backward: this.#backward } : {}),
      ...(keep === "all" ? { weights: this.#run.weights() } : {}),
      ...(keep === "all" && backward ? { grads: this.#run.grads() } : {}),
    };
  }
}
