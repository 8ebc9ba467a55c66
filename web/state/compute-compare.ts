/** The compare view's numbers: one batch of sequences under six norms, and what a row becomes where it stands alone. */
import type { Addnorm } from "../lib/index.js";
import { perFeature } from "./compute.js";
import { drawn, drawScale, inputMatrix } from "./draw.js";
import type { Matrix } from "./matrix.js";
import { identityKey, Memo } from "./memo.js";
import { schema, type State } from "./schema.js";

export const normIds = schema.compareNorm.choices!;
export type NormId = State["compareNorm"];

/** Numbers that a batch may hold, so that dragging its size stays smooth. */
export const BATCH_LIMIT = 2 ** 19;

/** Sequences one below the other, each of as many rows; the first is x itself. */
export interface Batch {
  readonly sequences: number;
  /** Rows of a sequence, padding included. */
  readonly tokens: number;
  readonly cols: number;
  /** Padded rows at the end of each sequence but the first. They hold 0. */
  readonly padding: number;
  /** sequences * tokens rows. */
  readonly data: Float32Array;
  /** Not 0 where a row is padding. */
  readonly mask: Uint8Array;
  /** Rows that are not padding. */
  readonly counted: number;
  /** The most sequences that BATCH_LIMIT allows. */
  readonly most: number;
}

export interface CompareResult extends Batch {
  /** Groups of GroupNorm: a divisor of cols. */
  readonly groups: number;
  readonly gamma: Float32Array;
  readonly beta: Float32Array;
  /** ScaleNorm's g, sqrt(d) as its paper begins. */
  readonly gain: number;
  /** What each norm gives for the whole batch. */
  readonly outputs: Readonly<Record<NormId, Float32Array>>;
  /** What each norm gives for the first sequence where it is the whole batch. */
  readonly alone: Readonly<Record<NormId, Float32Array>>;
  /** BatchNorm of the batch where the mask is forgotten. */
  readonly unmasked: Float32Array;
}

/** The cells that a number's statistic comes from: some rows, and the features from first up to end. */
export interface Share {
  readonly rows: readonly number[];
  readonly first: number;
  readonly end: number;
}

/** One row of the first sequence under one norm: in the batch, alone, and in - alone. */
export interface RowChange {
  readonly now: Float32Array;
  readonly alone: Float32Array;
  readonly delta: Float32Array;
  /** How many numbers differ in any bit. */
  readonly changed: number;
}

const neighbours = new Memo<Float32Array>(2);
const batches = new Memo<Batch>(10);
const results = new Memo<CompareResult>(3);
const bySizes = new Memo<readonly Float32Array[]>(2);

/** The largest divisor of the number of features that is at most what was asked. */
export function groupsFor(wanted: number, cols: number): number {
  let groups = Math.min(wanted, cols);
  while (cols % groups !== 0) groups--;
  return groups;
}

export function computeCompare(an: Addnorm, state: State, own?: Matrix): CompareResult {
  const batch = batchOf(an, state, state.batch, own);
  const groups = groupsFor(state.groups, batch.cols);
  const key = `${identityKey(batch)}/${groups}/${state.dytAlpha}/${state.gammaOffset}/${conventionKey(state)}`;
  return results.get(key, () => {
    const { data, mask, tokens, cols } = batch;
    const parameters = { groups, gamma: perFeature(state.gamma, cols), beta: perFeature(state.beta, cols), gain: Math.fround(Math.sqrt(cols)) };
    const settings = { state, cols, ...parameters };
    const outputs = allNorms(an, data, mask, settings);
    return {
      ...batch, ...parameters, outputs,
      alone: batch.sequences === 1 ? outputs : allNorms(an, data.subarray(0, tokens * cols), new Uint8Array(tokens), settings),
      unmasked: batch.counted === data.length / cols ? outputs.batch : an.batchNorm(data, layerOptions(settings)).y,
    };
  });
}

const conventionKey = ({ eps, epsPlacement, variance, gamma, beta }: State): string => [eps, epsPlacement, variance, gamma.join(), beta.join()].join("/");

/** x and, below it, sequences drawn from the seed after x (own numbers take nothing from the seed). */
function batchOf(an: Addnorm, state: State, wanted: number, own?: Matrix): Batch {
  const x = inputMatrix(an, state, own);
  const { rows: tokens, cols } = x;
  const size = tokens * cols;
  const most = Math.max(1, Math.min(schema.batch.max!, Math.floor(BATCH_LIMIT / size)));
  const sequences = Math.min(wanted, most);
  const padding = sequences === 1 ? 0 : Math.min(state.padding, tokens - 1);
  const skip = state.source === "own" ? 0 : size;
  const source = `${state.seed}/${skip}/${size}/${most}/${drawScale(state)}`;
  return batches.get(`${identityKey(x.data)}/${tokens}/${source}/${sequences}/${padding}`, () => {
    const others = neighbours.get(source, () => drawn(an, state.seed, skip, (most - 1) * size, drawScale(state)));
    const data = new Float32Array(sequences * size);
    const mask = new Uint8Array(sequences * tokens);
    data.set(x.data);
    data.set(others.subarray(0, (sequences - 1) * size), size);
    for (let sequence = 1; sequence < sequences; sequence++) {
      const end = (sequence + 1) * tokens;
      data.fill(0, (end - padding) * cols, end * cols);
      mask.fill(1, end - padding, end);
    }
    return { sequences, tokens, cols, padding, data, mask, counted: sequences * tokens - (sequences - 1) * padding, most };
  });
}

interface Settings extends Pick<CompareResult, "cols" | "groups" | "gamma" | "beta" | "gain"> {
  readonly state: State;
}

const layerOptions = ({ state: { eps, epsPlacement, variance }, cols, gamma, beta }: Settings) => ({ cols, gamma, beta, eps, epsPlacement, variance });

function allNorms(an: Addnorm, x: Float32Array, padding: Uint8Array, settings: Settings): Record<NormId, Float32Array> {
  const { state: { eps, gammaOffset, dytAlpha }, cols, groups, gamma, beta, gain } = settings;
  const layer = layerOptions(settings);
  return {
    layer: an.layerNorm(x, layer).y,
    rms: an.rmsNorm(x, { cols, gamma, gammaOffset, eps }).y,
    batch: an.batchNorm(x, { ...layer, padding }).y,
    group: an.groupNorm(x, { ...layer, groups }).y,
    l2: an.l2Norm(x, { cols, gain, eps }).y,
    dyt: an.dynamicTanh(x, { cols, alpha: dytAlpha, gamma, beta }).y,
  };
}

/** Where the statistic behind a number comes from; for DyT, which has none, the number itself. undefined for padding. */
export function shareOf({ mask, cols, groups }: Pick<CompareResult, "mask" | "cols" | "groups">, norm: NormId, row: number, col: number): Share | undefined {
  if (mask[row]) return undefined;
  const width = cols / groups;
  const group = Math.floor(col / width);
  switch (norm) {
    case "batch": return { rows: Array.from(mask.keys()).filter((index) => !mask[index]), first: col, end: col + 1 };
    case "group": return { rows: [row], first: group * width, end: (group + 1) * width };
    case "dyt": return { rows: [row], first: col, end: col + 1 };
    default: return { rows: [row], first: 0, end: cols };
  }
}

/** Numbers the statistics of a norm, so that each can have its colour; undefined where there is none. */
export function shareIndex({ mask, cols, groups }: Pick<CompareResult, "mask" | "cols" | "groups">, norm: NormId, row: number, col: number): number | undefined {
  if (mask[row] || norm === "dyt") return undefined;
  if (norm === "batch") return col;
  return norm === "group" ? row * groups + Math.floor(col / (cols / groups)) : row;
}

/** mean, std and rms of the cells that share a statistic, and their length, in the state's convention. */
export function statisticsOf(an: Addnorm, { data, cols }: Batch, { rows, first, end }: Share, variance: State["variance"]) {
  const values = new Float32Array(rows.length * (end - first));
  for (const [i, row] of rows.entries()) values.set(data.subarray(row * cols + first, row * cols + end), i * (end - first));
  const { mean, std, rms } = an.rowStats(values, { cols: values.length, variance });
  return { count: values.length, mean: mean[0]!, std: std[0]!, rms: rms[0]!, length: an.l2Norm(values, { cols: values.length }).norm[0]! };
}

export function rowChange(an: Addnorm, { outputs, alone, cols }: CompareResult, norm: NormId, token: number): RowChange {
  const rowOf = (data: Float32Array): Float32Array => data.subarray(token * cols, (token + 1) * cols);
  const [now, reference] = [rowOf(outputs[norm]), rowOf(alone[norm])];
  return {
    now, alone: reference,
    delta: an.residualAdd(now, reference, { beta: -1 }),
    changed: now.reduce((count, value, i) => count + Number(!Object.is(value, reference[i])), 0),
  };
}

/** BatchNorm of one token that is the whole batch: beta for every feature. */
export function batchNormOfOne(an: Addnorm, state: State, { data, cols, gamma, beta }: CompareResult, token: number): Float32Array {
  const { eps, epsPlacement, variance } = state;
  return an.batchNorm(data.subarray(token * cols, (token + 1) * cols), { cols, gamma, beta, eps, epsPlacement, variance }).y;
}

/** BatchNorm of the first sequence in batches of 1, 2, ... sequences, with the padding as it is. */
export function batchNormBySize(an: Addnorm, state: State, result: CompareResult, own?: Matrix): readonly Float32Array[] {
  const { most, tokens, cols, gamma, beta } = result;
  const sizes = Array.from({ length: most }, (_, i) => batchOf(an, state, i + 1, own));
  const { eps, epsPlacement, variance } = state;
  return bySizes.get(`${sizes.map(identityKey).join("/")}/${conventionKey(state)}`, () =>
    sizes.map(({ data, mask }) => an.batchNorm(data, { cols, gamma, beta, eps, epsPlacement, variance, padding: mask }).y.slice(0, tokens * cols)));
}
