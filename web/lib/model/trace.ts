// What a run of a block or a stack computed, as plain records.
import type { BlockArrays, Op } from "./names.js";

/** Over all values of a matrix. */
export interface WholeStatistics {
  mean: number;
  /** Square root of the variance. */
  std: number;
  /** sqrt(mean(x^2)). */
  rms: number;
}

/** One matrix that was computed. `Data` is Float32Array, or with null where it was not kept. */
export interface TraceStep<Data = Float32Array> {
  /** "x", "block0.attn", "block0.sum1", "block0.norm1", ..., "finalNorm". */
  id: string;
  op: Op;
  /** 0 to layers - 1; layers for the final norm. */
  block: number;
  /** k where this is the residual stream before block k (layers: behind the last one), else null. */
  state: number | null;
  rows: number;
  cols: number;
  /** rows x cols. */
  data: Data;
  /** One a row, as an.rowStats gives them, with the config's variance. */
  mean: Float32Array;
  std: Float32Array;
  rms: Float32Array;
  whole: WholeStatistics;
  /** The ids of what it was computed from: of a sum the stream, then the branch, then the gate. */
  inputs: string[];
}

/** The gradient of the loss by one state of the residual stream. */
export interface StateGradient<Data = Float32Array> {
  /** k: the stream before block k; layers: behind the last one. */
  state: number;
  /** Of the step that holds it. */
  id: string;
  /** sqrt(mean(gradient^2)). */
  gradientRms: number;
  /** rows x cols of that step; of state 0 it is dx. */
  gradient: Data;
}

export interface Trace<Data = Float32Array> {
  /** In the order of computation; the last is the output, whose data is always there. */
  steps: TraceStep<Data>[];
  /** With `backward: true`: one a state, from state 0 on. */
  backward?: StateGradient<Data>[];
  /** The weights used, given or drawn, one record a block; with `keep: "all"`. */
  weights?: BlockArrays[];
  /** Their gradients, by the same names; with `backward: true` and `keep: "all"`. */
  grads?: BlockArrays[];
}

/** In full, or with null for what was not kept. */
export type AnyTrace = Trace<Float32Array | null>;
