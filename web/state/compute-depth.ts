/** RMS of the activations and of the gradients along a stack of blocks, for several wirings on the same numbers. */
import type { Addnorm, AnyTrace, ModelConfig } from "../lib/index.js";
import { headsOf } from "./compute-residual-stream.js";
import { wirings, type DepthVariant } from "./depth-variants.js";
import { drawn } from "./draw.js";
import { schema, type State, type StateKey } from "./schema.js";

/** Over all values of the stream before block k, k = 0 (x) to layers (behind the last block). */
export interface DepthCurve {
  readonly variant: DepthVariant;
  readonly activation: readonly number[];
  readonly gradient: readonly number[];
}

export interface DepthResult {
  readonly layers: number;
  /** In the order of the state's list. */
  readonly curves: readonly DepthCurve[];
}

/** Computes a stack somewhere: at once, in slices, or in a worker. */
export type RunStack = (x: Float32Array, config: ModelConfig, options: RunOptions) => AnyTrace | Promise<AnyTrace>;

export interface RunOptions {
  readonly signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

export interface DepthProgress {
  readonly variant: DepthVariant;
  /** Of all wirings that have to be computed, 0 to 1. */
  readonly part: number;
}

/** What a curve depends on besides its wiring. */
const keys = ["seed", "layers", "depthTokens", "depthFeatures", "depthWidening", "initGain", "activation", "eps", "epsPlacement", "variance"] as const satisfies readonly StateKey[];

/** Curves that are kept, so that a wiring, once computed, is back at once. */
const KEPT = 96;
const curves = new Map<string, DepthCurve>();

const keyOf = (variant: DepthVariant, state: State): string =>
  [variant, ...keys.map((key) => (schema[key].format as (value: unknown) => string)(state[key]))].join("/");

function remember(key: string, curve: DepthCurve): void {
  curves.delete(key);
  curves.set(key, curve);
  if (curves.size > KEPT) curves.delete(curves.keys().next().value!);
}

/** x, and the stack that goes over it. The same x, dy and weights for every wiring. */
export function depthRun(an: Addnorm, state: State, variant: DepthVariant): { x: Float32Array; config: ModelConfig } {
  const { seed, layers, depthTokens: rows, depthFeatures: dModel, depthWidening, initGain, activation, eps, epsPlacement, variance } = state;
  const wiring = wirings[variant];
  const conventions = wiring.norm === "layer" ? { eps, epsPlacement, variance } : wiring.norm === "rms" ? { eps } : {};
  const count = rows * dModel;
  return {
    x: drawn(an, seed, 0, count, 1),
    config: {
      ...wiring, ...conventions, dModel, heads: headsOf(dModel), dFf: depthWidening * dModel, layers, activation, initGain,
      // x and dy take the seed's first numbers; weights drawn from the same ones would know them.
      seed: (seed + 1) % 2 ** 32,
      backward: true, dy: drawn(an, seed, count, count, 1), keep: "statistics",
    },
  };
}

function curveOf(variant: DepthVariant, { steps, backward }: AnyTrace): DepthCurve {
  const states = steps.filter(({ state }) => state !== null);
  return { variant, activation: states.map(({ whole }) => whole.rms), gradient: backward!.map(({ gradientRms }) => gradientRms) };
}

/** What is known without computing; undefined while a curve is missing. */
export function knownDepth(state: State): DepthResult | undefined {
  const known = state.depthVariants.map((variant) => curves.get(keyOf(variant, state)));
  return known.every((curve) => curve !== undefined) ? { layers: state.layers, curves: known } : undefined;
}

/**
 * Computes the curves that are missing, one wiring after the other.
 *
 * @throws (rejects with) the signal's reason, and RangeError when memory ends
 */
export async function computeDepth(
  an: Addnorm, state: State, run: RunStack, signal: AbortSignal, onProgress: (progress: DepthProgress) => void,
): Promise<DepthResult> {
  const missing = state.depthVariants.filter((variant) => !curves.has(keyOf(variant, state)));
  for (const [i, variant] of missing.entries()) {
    signal.throwIfAborted();
    const tell = (done: number, total: number): void => onProgress({ variant, part: (i + done / total) / missing.length });
    tell(0, 1);
    const { x, config } = depthRun(an, state, variant);
    remember(keyOf(variant, state), curveOf(variant, await run(x, config, { signal, onProgress: tell })));
  }
  signal.throwIfAborted();
  return knownDepth(state)!;
}
