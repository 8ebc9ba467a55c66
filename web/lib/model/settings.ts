// A config of the caller's, checked, with the defaults filled in, in the form in which the kernels take it.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import { ResidentMatrix } from "../resident-matrix.js";
import type { MatrixInput, Values } from "../types.js";
import { CHOICES, KEYS, type Keep, type ModelConfig } from "./config.js";
import type { BlockWeights } from "./names.js";
import type { Shape } from "./refusal.js";

export interface Settings extends Shape {
  /** The table of bindings.cc, "config". */
  record: number[];
  x: Values;
  padding: Uint8Array | null;
  simulated: boolean;
  /** Simulated outputs of attention and of feed-forward; null where they are drawn. */
  given: [attention: Values | null, feedForward: Values | null];
  /** One record a block; null when all are drawn. */
  weights: readonly BlockWeights[] | null;
  seed: number;
  initGain: number;
  sampleVariance: boolean;
  backward: boolean;
  dy: Values | null;
  keep: Keep;
}

/** Where what a residual connection learns begins, as the papers have it for stacks that are not very deep. */
const SCALES = { reZero: 0, layerScale: 0.1 };
const GATE_BIAS = -1;

/** @param single whether the config is of one block */
export function readSettings(heap: Heap, call: string, input: MatrixInput, given: ModelConfig, single: boolean): Settings {
  const config = check.options(call, given, "dModel, ...");
  check.keys(call, "config has", config, KEYS);
  refuseStrayKeys(call, config);

  const dModel = check.number(call, "dModel", config.dModel);
  const dInput = check.number(call, "dInput", config.dInput ?? widthOf(input) ?? dModel);
  const heads = check.number(call, "heads", config.heads ?? 1);
  const dFf = check.number(call, "dFf", config.dFf ?? 4 * dModel);
  const weights = listOf(call, config.weights);
  const layers = layersOf(call, config, weights, single);
  const groups = check.number(call, "groups", config.groups ?? (dModel % 2 === 0 && dInput % 2 === 0 ? 2 : 1));

  const x = check.matrix(heap, call, "x", input, dInput, config.dInput ? "dInput" : "dModel");
  const rows = x.length / dInput;
  const sequences = check.number(call, "sequences", config.sequences ?? 1);
  if (rows === 0 || rows % sequences !== 0) {
    throw new RangeError(`${call}: x has ${rows} rows, expected a multiple of sequences, which is ${sequences}`);
  }

  const place = (name: keyof typeof CHOICES): number => check.choice(call, name, config[name] ?? CHOICES[name][0], CHOICES[name]);
  const flag = (name: "causal" | "projection" | "finalNorm" | "backward"): boolean =>
    check.boolean(call, name, config[name] ?? false);
  const sampleVariance = check.flag(call, "variance", config.variance ?? "population");
  const simulated = place("sublayers") === 1;
  const backward = flag("backward");
  const residual = residualOf(call, config, layers, place);
  const record = [
    sequences, rows / sequences, dInput, dModel, heads, dFf, layers, Number(simulated), place("activation"),
    Number(flag("causal")), place("placement"), place("branches"), residual.kind, residual.value,
    Number(flag("projection")), place("norm"), groups, check.number(call, "eps", config.eps ?? 1e-5),
    Number(check.flag(call, "epsPlacement", config.epsPlacement ?? "inside")), Number(sampleVariance),
    check.number(call, "gammaOffset", config.gammaOffset ?? 0), Number(flag("finalNorm")),
  ];

  const matrixOf = (name: "attnOutput" | "ffnOutput" | "dy", count: number, lengthName: string): Values | null => {
    const value = config[name] ?? null;
    if (value === null) return null;
    const values = check.matrix(heap, call, name, value, dModel, "dModel");
    check.length(call, name, values, count, lengthName);
    return values;
  };
  return {
    rows, layers, dInput, dModel, heads, dFf, groups, record, x, simulated, weights, sampleVariance, backward,
    padding: check.mask(call, "padding", config.padding, rows, "the number of rows of x"),
    given: [
      matrixOf("attnOutput", layers * rows * dModel, "layers * rows * dModel"),
      matrixOf("ffnOutput", layers * rows * dModel, "layers * rows * dModel"),
    ],
    seed: check.number(call, "seed", config.seed ?? 42),
    initGain: check.number(call, "initGain", config.initGain ?? 1),
    dy: matrixOf("dy", rows * dModel, "rows * dModel"),
    keep: CHOICES.keep[place("keep")]!,
  };
}

/** What the config cannot honour is refused: leaving it out silently would give other numbers than the caller meant. */
function refuseStrayKeys(call: string, config: ModelConfig): void {
  const { residual = "identity", norm = "layer", sublayers = "computed", backward = false } = config;
  const needs = (name: keyof ModelConfig, stray: boolean, of: string, is: string): void => {
    if (stray && config[name] !== undefined && config[name] !== null) {
      throw new TypeError(`${call}: ${name} belongs to ${of}, but ${is}`);
    }
  };
  needs("scaling", residual !== "scaled", 'residual "scaled"', `residual is "${residual}"`);
  needs("scale", residual !== "scaled", 'residual "scaled"', `residual is "${residual}"`);
  needs("gateBias", residual !== "gated", 'residual "gated"', `residual is "${residual}"`);
  needs("groups", norm !== "group", 'norm "group"', `norm is "${norm}"`);
  needs("attnOutput", sublayers !== "simulated", 'sublayers "simulated"', `sublayers is "${sublayers}"`);
  needs("ffnOutput", sublayers !== "simulated", 'sublayers "simulated"', `sublayers is "${sublayers}"`);
  needs("dy", !backward, "backward: true", `backward is ${backward}`);
  if (config.gammaOffset === 1) needs("gammaOffset", norm !== "rms", 'norm "rms"', `norm is "${norm}"`);
  if (config.epsPlacement === "outside") {
    needs("epsPlacement", norm === "rms" || norm === "l2" || norm === "dyt", 'norm "layer", "batch" or "group"', `norm is "${norm}"`);
  }
}

/** The width of a matrix that has one. */
function widthOf(x: MatrixInput): number | undefined {
  if (x instanceof ResidentMatrix) return x.cols;
  const row: unknown = Array.isArray(x) ? x[0] : undefined;
  return typeof row === "object" && row !== null && "length" in row ? Number(row.length) : undefined;
}

function listOf(call: string, weights: ModelConfig["weights"]): readonly BlockWeights[] | null {
  if (weights === undefined || weights === null) return null;
  const list: readonly unknown[] = Array.isArray(weights) ? weights : [weights];
  list.forEach((record, block) => {
    if (typeof record === "object" && record !== null && !ArrayBuffer.isView(record)) return;
    throw new TypeError(`${call}: weights[${block}] is ${check.describe(record)}, expected { attnInWeight, ... }`);
  });
  return list as readonly BlockWeights[];
}

function layersOf(call: string, config: ModelConfig, weights: readonly BlockWeights[] | null, single: boolean): number {
  const layers = check.number(call, "layers", config.layers ?? (single ? 1 : (weights?.length ?? 6)));
  if (single && layers !== 1) throw new RangeError(`${call}: layers is ${layers}, expected 1; an.stack makes more`);
  if (weights !== null && weights.length !== layers) {
    throw new RangeError(`${call}: weights has ${weights.length} records, layers is ${layers}`);
  }
  return layers;
}

/** The kernels count: identity, none, reZero, layerScale, deepNorm, gated. */
function residualOf(call: string, config: ModelConfig, layers: number, place: (name: "residual" | "scaling") => number) {
  const residual = CHOICES.residual[place("residual")]!;
  if (residual === "identity") return { kind: 0, value: 1 };
  if (residual === "none") return { kind: 1, value: 1 };
  if (residual === "gated") return { kind: 5, value: check.number(call, "gateBias", config.gateBias ?? GATE_BIAS) };
  const scaling = CHOICES.scaling[place("scaling")]!;
  const initial = scaling === "deepNorm" ? (2 * layers) ** 0.25 : SCALES[scaling];
  return { kind: 2 + CHOICES.scaling.indexOf(scaling), value: check.number(call, "scale", config.scale ?? initial) };
}
