/** The residual stream of a stack as a history: what each sublayer adds to it, how much that is, and in which direction. */
import type { Addnorm } from "../lib/index.js";
import { inputMatrix } from "./draw.js";
import type { Matrix, Shape } from "./matrix.js";
import { identityKey, Memo } from "./memo.js";
import { schema, type State, type StateKey } from "./schema.js";

/** Multiplications that the stack may cost, so that a change of it is drawn at once. */
const WORK_LIMIT = 2 ** 26;

export type CommitKind = "attention" | "feedForward" | "norm";

/** One change of the stream, rows x cols: before + delta = after. */
export interface StreamStep {
  readonly kind: CommitKind;
  /** Counted from 1. */
  readonly block: number;
  /** 1 in the attention's half of the block, 2 in the feed-forward's. */
  readonly half: 1 | 2;
  /** Seven hex digits that depend on the change and on all that came before, as in git. */
  readonly id: string;
  readonly before: Float32Array;
  readonly delta: Float32Array;
  readonly after: Float32Array;
}

export interface Stream extends Matrix {
  readonly rootId: string;
  readonly steps: readonly StreamStep[];
}

/** A change with its measures, for one token or for all numbers as one vector. */
export interface Commit extends StreamStep {
  readonly beforeLength: number;
  readonly deltaLength: number;
  readonly afterLength: number;
  /** The dot product of delta and the stream before it. */
  readonly dot: number;
  /** Degrees between the two; undefined where one of them is 0 or no number. */
  readonly angle: number | undefined;
}

export interface Log {
  readonly rootLength: number;
  readonly commits: readonly Commit[];
}

const streams = new Memo<Stream>(2);
const logs = new Memo<Log>(2);
const keys = ["norm", "eps", "epsPlacement", "variance", "gamma", "beta", "gammaOffset", "logBlocks", "logPlacement"] as const satisfies readonly StateKey[];

export const headsOf = (cols: number): number => [4, 2].find((heads) => cols % heads === 0 && cols / heads >= 4) ?? 1;

export function tooLarge({ rows, cols }: Shape, { logBlocks }: Pick<State, "logBlocks">): boolean {
  return logBlocks * rows * cols * (12 * cols + 2 * rows) > WORK_LIMIT;
}

/** A stack of real blocks over x; undefined where it would take too long to be drawn at once. */
export function computeStream(an: Addnorm, state: State, own?: Matrix): Stream | undefined {
  const x = inputMatrix(an, state, own);
  if (tooLarge(x, state)) return undefined;
  const key = `${identityKey(x.data)}/${x.cols}/${state.seed}/${keys.map((name) => (schema[name].format as (value: unknown) => string)(state[name])).join("/")}`;
  return streams.get(key, () => streamOf(an, state, x));
}

function streamOf(an: Addnorm, state: State, x: Matrix): Stream {
  const { cols } = x;
  const { norm, eps, epsPlacement, variance, gammaOffset, logBlocks: layers, logPlacement: placement } = state;
  const spread = (values: readonly number[]): readonly number[] => (values.length === 1 ? new Array<number>(cols).fill(values[0]!) : values);
  const gain = { norm1Gamma: spread(state.gamma), norm2Gamma: spread(state.gamma) };
  const learned = norm === "layer" ? { ...gain, norm1Beta: spread(state.beta), norm2Beta: spread(state.beta) } : gain;
  const conventions = norm === "layer" ? { eps, epsPlacement, variance } : { eps, gammaOffset };
  const { steps } = an.stack(x.data, {
    dModel: cols, heads: headsOf(cols), layers, placement, norm, ...conventions, weights: new Array(layers).fill(learned),
    // x takes the seed's first numbers; weights drawn from the same ones would know x.
    seed: (state.seed + 1) % 2 ** 32,
  });
  const dataOf = new Map(steps.map((step) => [step.id, step]));
  const rootId = digest("", x.data);
  const changes: StreamStep[] = [];
  const commit = (change: Omit<StreamStep, "id">): void => void changes.push({ ...change, id: digest(changes.at(-1)?.id ?? rootId, change.delta) });
  for (const { id: name, op, block, inputs, data } of steps) {
    const half = name.endsWith("1") ? 1 : 2;
    const [stream, branch] = inputs.map((id) => dataOf.get(id)!);
    if (op === "sum") commit({ kind: branch!.op as CommitKind, block: block + 1, half, before: stream!.data, delta: branch!.data, after: data });
    // Before a sublayer the norm only makes what that reads; behind a sum it becomes the stream.
    else if (op === "norm" && stream!.op === "sum" && placement === "post") {
      commit({ kind: "norm", block: block + 1, half, before: stream!.data, delta: an.residualAdd(data, stream!.data, { beta: -1 }), after: data });
    }
  }
  return { ...x, rootId, steps: changes };
}

/** Measures the history for one token, or for all numbers as one vector. */
export function measureStream(an: Addnorm, stream: Stream, row: number | "all"): Log {
  return logs.get(`${identityKey(stream)}/${row}`, () => {
    const { cols } = stream;
    const part = (data: Float32Array): Float32Array => (row === "all" ? data : data.subarray(row * cols, (row + 1) * cols));
    const length = (data: Float32Array): number => an.rowStats(data, { cols: data.length }).rms[0]! * Math.sqrt(data.length);
    const commits = stream.steps.map((step): Commit => {
      const [before, delta, after] = [part(step.before), part(step.delta), part(step.after)];
      const [beforeLength, deltaLength, afterLength] = [length(before), length(delta), length(after)];
      const dot = an.linear(delta, { weight: before, inFeatures: delta.length, outFeatures: 1 })[0]!;
      const cosine = dot / (deltaLength * beforeLength);
      const angle = Number.isNaN(cosine) ? undefined : (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;
      return { ...step, beforeLength, deltaLength, afterLength, dot, angle };
    });
    return { rootLength: length(part(stream.data)), commits };
  });
}

/** FNV-1a over the parent's id and the bytes of the numbers. */
function digest(parent: string, { buffer, byteOffset, byteLength }: Float32Array): string {
  let hash = 0x811c9dc5;
  const take = (byte: number): void => void (hash = Math.imul(hash ^ byte, 0x01000193));
  for (let i = 0; i < parent.length; i++) take(parent.charCodeAt(i));
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) take(byte);
  return (hash >>> 0).toString(16).padStart(8, "0").slice(0, 7);
}
