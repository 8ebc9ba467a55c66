// One run's memory, filled, and the kernels that work on it.
import type { Heap } from "../heap.js";
import type { Pointer, WasmModule } from "../load/wasm-module.js";
import { ResidentMatrix } from "../resident-matrix.js";
import type { Values } from "../types.js";
import type { BlockArrays } from "./names.js";
import { planOf, readParameters, readSteps, type Parameter, type Plan, type PlannedStep } from "./plan.js";
import { RunMemory } from "./run-memory.js";
import type { Settings } from "./settings.js";
import type { WholeStatistics } from "./trace.js";
import { blockArrays, blockPlaces, checkedWeights } from "./weights.js";

const FLOAT = 4;
const DOUBLE = 8;

/** The record "run" of bindings.cc: the addresses of these, in this order. */
const RUN = ["config", "steps", "parameters", "weights", "x", "given", "padding", "values"] as const;

type Part = (typeof RUN)[number] | "run" | "dy" | "gradients" | "dweights" | "statistics";

export class PreparedRun {
  readonly steps: readonly PlannedStep[];
  readonly #wasm: WasmModule;
  readonly #settings: Settings;
  readonly #parameters: readonly Parameter[];
  /** Where each block's weights begin. */
  readonly #blockStarts: readonly number[];
  readonly #memory: RunMemory<Part>;

  /** @throws TypeError, RangeError for weights that do not fit, for what the model refuses, and when memory ends */
  constructor(wasm: WasmModule, heap: Heap, call: string, settings: Settings) {
    const plan = planOf(wasm, heap, call, settings);
    this.#wasm = wasm;
    this.#settings = settings;
    this.steps = readSteps(plan);
    this.#parameters = readParameters(plan, settings.layers);
    const given = settings.weights && checkedWeights(heap, call, settings.weights, this.#parameters);
    const { starts, most } = blockPlaces(settings.layers, this.#parameters);
    const dweights = settings.keep === "all" ? plan.weights : most;
    this.#blockStarts = starts;
    this.#memory = new RunMemory<Part>(heap, call, bytesOf(plan, settings, dweights));
    try {
      this.#putInputs(plan);
      this.#putWeights(given);
      this.#putGiven(heap, call);
      if (settings.backward) this.#floats("dweights", dweights).fill(0);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Computes the steps first to end - 1; those before are computed. */
  forward(first: number, end: number): void {
    this.#wasm.modelForward(this.#memory.at("run"), first, end);
  }

  /** Goes back through the steps end - 1 to first; through those behind it has gone. */
  backward(first: number, end: number): void {
    const memory = this.#memory;
    for (let to = end, from = end; to > first; to = from) {
      const start = this.#gradsStart(to - 1);
      while (from > first && this.#gradsStart(from - 1) === start) from -= 1;
      this.#wasm.modelBackward(memory.at("run"), memory.at("dy"), memory.at("gradients"), start, from, to);
    }
  }

  /**
   * Where the gradients of all weights would begin. When they are not kept there is room for one block's only, and the
   * block's place among all is made the place of that room.
   */
  #gradsStart(id: number): Pointer {
    const room = this.#memory.at("dweights");
    if (this.#settings.keep === "all") return room;
    return room - this.#blockStarts[Math.min(this.steps[id]!.block, this.#settings.layers - 1)]! * FLOAT;
  }

  valuesOf(step: PlannedStep): Pointer {
    return this.#memory.at("values") + step.place * FLOAT;
  }

  gradientOf(step: PlannedStep): Pointer {
    return this.#memory.at("gradients") + step.gradientPlace * FLOAT;
  }

  copy(at: Pointer, count: number): Float32Array {
    return this.#memory.copy(at, count);
  }

  /** One value a row. */
  statistics(at: Pointer, rows: number, cols: number): { mean: Float32Array; std: Float32Array; rms: Float32Array } {
    const mean = this.#memory.at("statistics");
    const std = mean + rows * FLOAT;
    const rms = std + rows * FLOAT;
    this.#wasm.rowStats(at, rows, cols, this.#settings.sampleVariance, mean, std, rms);
    return { mean: this.copy(mean, rows), std: this.copy(std, rows), rms: this.copy(rms, rows) };
  }

  wholeStatistics(at: Pointer, count: number): WholeStatistics {
    const { mean, std, rms } = this.statistics(at, 1, count);
    return { mean: mean[0]!, std: std[0]!, rms: rms[0]! };
  }

  weights(): BlockArrays[] {
    return this.#blockArrays("weights");
  }

  /** With `keep: "all"`, after the backward pass. */
  grads(): BlockArrays[] {
    return this.#blockArrays("dweights");
  }

  free(): void {
    this.#memory.free();
  }

  #blockArrays(part: "weights" | "dweights"): BlockArrays[] {
    const start = this.#memory.at(part);
    return blockArrays(this.#settings.layers, this.#parameters, (place, count) => this.copy(start + place * FLOAT, count));
  }

  #floats(part: Part, count: number, place = 0): Float32Array {
    return this.#memory.view(Float32Array, this.#memory.at(part) + place * FLOAT, count);
  }

  #putInputs({ stepRecords, parameterRecords }: Plan): void {
    const memory = this.#memory;
    const { record, x, padding, dy } = this.#settings;
    memory.view(Float64Array, memory.at("config"), record.length).set(record);
    memory.view(Uint32Array, memory.at("run"), RUN.length).set(RUN.map((part) => memory.at(part)));
    memory.view(Int32Array, memory.at("steps"), stepRecords.length).set(stepRecords);
    memory.view(Int32Array, memory.at("parameters"), parameterRecords.length).set(parameterRecords);
    this.#floats("x", x.length).set(flat(x));
    if (padding !== null) memory.view(Uint8Array, memory.at("padding"), padding.length).set(padding);
    if (dy !== null) this.#floats("dy", dy.length).set(flat(dy));
  }

  #putWeights(given: (Values | null)[] | null): void {
    const memory = this.#memory;
    if (given === null || given.includes(null)) {
      const { seed, initGain } = this.#settings;
      this.#wasm.modelDraw(memory.at("config"), memory.at("steps"), memory.at("parameters"), seed, initGain, memory.at("weights"));
    }
    given?.forEach((values, i) => {
      if (values !== null) this.#floats("weights", values.length, this.#parameters[i]!.place).set(flat(values));
    });
  }

  /** For each block attention's output, then feed-forward's; what is not given is drawn in its place. */
  #putGiven(heap: Heap, call: string): void {
    const { simulated, given, layers, rows, dModel, seed, initGain } = this.#settings;
    if (!simulated) return;
    const size = rows * dModel;
    const count = 2 * layers * size;
    if (given.includes(null)) {
      heap.open(call, 2 * count, 1);
      const drawn = heap.room(2 * count);
      this.#wasm.randn(seed, count, drawn);
      const normal = this.#memory.view(Float64Array, drawn, count);
      this.#floats("given", count).set(normal.map((value) => value * initGain));
      heap.close();
    }
    given.forEach((values, sublayer) => {
      if (values === null) return;
      for (let block = 0; block < layers; block++) {
        this.#floats("given", size, (2 * block + sublayer) * size).set(flat(values).subarray(block * size, (block + 1) * size));
      }
    });
  }
}

function bytesOf(plan: Plan, settings: Settings, dweights: number): Record<Part, number> {
  const { record, x, rows, dModel, heads, layers, simulated, padding, dy, backward } = settings;
  return {
    config: record.length * DOUBLE,
    run: RUN.length * FLOAT,
    steps: plan.stepRecords.byteLength,
    parameters: plan.parameterRecords.byteLength,
    weights: plan.weights * FLOAT,
    x: x.length * FLOAT,
    given: simulated ? 2 * layers * rows * dModel * FLOAT : 0,
    padding: padding === null ? 0 : rows,
    values: plan.values * FLOAT,
    dy: dy === null ? 0 : rows * dModel * FLOAT,
    gradients: backward ? plan.gradients * FLOAT : 0,
    // Behind the weights, so that no block's place among them is larger than this one's address.
    dweights: backward ? dweights * FLOAT : 0,
    statistics: 3 * rows * heads * FLOAT,
  };
}

function flat(values: Values): Float32Array | Float64Array {
  return values instanceof ResidentMatrix ? values.data : values;
}
