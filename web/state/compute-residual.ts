/** The residual view's numbers: x, F(x) and their sum at a scale of F, the gradient that comes back, and what unequal widths do. */
import type { Addnorm } from "../lib/index.js";
import { drawn, drawScale, inputMatrix } from "./draw.js";
import type { Matrix } from "./matrix.js";
import { identityKey, Memo } from "./memo.js";
import type { State } from "./schema.js";

/** Multiplications that F may cost; a wider F is drawn, so that a drag stays smooth. */
const WORK_LIMIT = 2 ** 26;

export interface LinearMap {
  /** outFeatures x inFeatures. */
  readonly weight: Float32Array;
  readonly inFeatures: number;
  readonly outFeatures: number;
}

/** F and what mends its width, before the scale of F comes in. */
export interface Branch extends Matrix {
  /** What F is: linear gives way to drawn where it would be too much work. */
  readonly kind: State["fKind"];
  /** Features of F(x) as F gives it. */
  readonly width: number;
  /** W of F(x) = x W^T, while F is linear. */
  readonly map: LinearMap | undefined;
  /** F(x) as F gives it, rows x width. */
  readonly output: Float32Array;
  /** "none" where the widths agree. */
  readonly projects: State["projection"];
  readonly projection: LinearMap | undefined;
  /** Both sides of the sum, each projected where that is asked. */
  readonly stream: Matrix;
  readonly branch: Matrix;
}

/** Lengths of vectors: one a row, and of all numbers together. */
export interface Norms {
  readonly rows: readonly number[];
  readonly whole: number;
}

/** old + scale * added = old + delta = next, each rows x cols. */
export interface Sum {
  readonly rows: number;
  readonly cols: number;
  readonly old: Float32Array;
  readonly added: Float32Array;
  readonly delta: Float32Array;
  readonly next: Float32Array;
  readonly norms: { readonly old: Norms; readonly delta: Norms; readonly next: Norms };
  /** How many numbers of next are those of old, to the last bit. */
  readonly unchanged: number;
}

/** What the package throws where the widths differ. */
export interface Refusal {
  readonly call: string;
  readonly name: string;
  readonly message: string;
}

export interface ResidualResult extends Branch {
  readonly sum: Sum | undefined;
  /** Empty where there is a sum. */
  readonly refusals: readonly Refusal[];
}

/** The gradient of one row: what comes over the skip, what comes through F, and both. F is linear, so it is the same for each token. */
export interface Gradient extends Sum {
  /** What arrives at the sum. */
  readonly arriving: Float32Array;
}

const branches = new Memo<Branch>(2);
const results = new Memo<ResidualResult>(2);
const known = new WeakMap<Float32Array, Norms>();

/** x, F(x) and their sum. */
export function computeResidual(an: Addnorm, state: State, own?: Matrix): ResidualResult {
  const x = inputMatrix(an, state, own);
  const { fKind, fWidth, projection, seed, fScale } = state;
  const key = `${identityKey(x.data)}/${x.cols}/${fKind}/${fWidth}/${projection}/${seed}/${drawScale(state)}/${state.source === "own"}`;
  const branch = branches.get(key, () => branchOf(an, state, x));
  return results.get(`${identityKey(branch)}/${fScale}`, () => ({ ...branch, ...sumOrRefusals(an, branch, fScale) }));
}

function branchOf(an: Addnorm, state: State, x: Matrix): Branch {
  const { rows, cols } = x;
  const width = state.fWidth || cols;
  const kind = state.fKind === "linear" && rows * cols * width > WORK_LIMIT ? "drawn" : state.fKind;
  let taken = state.source === "own" ? 0 : rows * cols;
  const draw = (count: number, factor: number): Float32Array => {
    const numbers = drawn(an, state.seed, taken, count, factor);
    taken += count;
    return numbers;
  };
  /** The spread of 1/sqrt(inFeatures) keeps y about as large as x. */
  const drawMap = (inFeatures: number, outFeatures: number): LinearMap =>
    ({ weight: draw(outFeatures * inFeatures, 1 / Math.sqrt(inFeatures)), inFeatures, outFeatures });

  const map = kind === "linear" ? drawMap(cols, width) : undefined;
  const output = map ? an.linear(x.data, map) : draw(rows * width, drawScale(state));
  const projects = width === cols ? "none" : state.projection;
  const projection = projects === "stream" ? drawMap(cols, width) : projects === "branch" ? drawMap(width, cols) : undefined;
  const project = (data: Float32Array, to: LinearMap): Matrix => ({ rows, cols: to.outFeatures, data: an.linear(data, to) });
  return {
    ...x, kind, width, map, output, projects, projection,
    stream: projects === "stream" ? project(x.data, projection!) : x,
    branch: projects === "branch" ? project(output, projection!) : { rows, cols: width, data: output },
  };
}

function sumOrRefusals(an: Addnorm, { rows, cols, data, width, output, stream, branch }: Branch, scale: number): Pick<ResidualResult, "sum" | "refusals"> {
  if (stream.cols === branch.cols) return { sum: sumOf(an, stream.data, branch.data, rows, stream.cols, scale), refusals: [] };
  const F = (): Float32Array => output;
  return {
    sum: undefined,
    refusals: [
      refusal("an.residualAdd(x, fx)", () => an.residualAdd(data, output)),
      refusal("an.postNorm(x, F, layerNorm)", () => an.postNorm(data, F, new an.LayerNorm(cols))),
    ],
  };

  function refusal(call: string, attempt: () => unknown): Refusal {
    try {
      attempt();
    } catch (error) {
      if (error instanceof RangeError) return { call, name: error.name, message: error.message };
      throw error;
    }
    throw new Error(`${call} took widths ${cols} and ${width}`);
  }
}

function sumOf(an: Addnorm, old: Float32Array, added: Float32Array, rows: number, cols: number, scale: number): Sum {
  const delta = an.residualAdd(added, added, { alpha: scale, beta: 0 });
  const next = an.residualAdd(old, added, { beta: scale });
  let unchanged = 0;
  for (let i = 0; i < next.length; i++) if (next[i] === old[i]) unchanged++;
  return {
    rows, cols, old, added, delta, next, unchanged,
    norms: { old: normsOf(an, old, cols), delta: normsOf(an, delta, cols), next: normsOf(an, next, cols) },
  };
}

/** ||x|| = rms(x) * sqrt(n). Remembered, since x stays while the scale of F is dragged. */
function normsOf(an: Addnorm, data: Float32Array, cols: number): Norms {
  const length = (n: number): number[] => Array.from(an.rowStats(data, { cols: n }).rms, (rms) => rms * Math.sqrt(n));
  const norms = known.get(data) ?? { rows: length(cols), whole: length(data.length)[0]! };
  known.set(data, norms);
  return norms;
}

/**
 * dx for a given dy at the sum: dy over the skip (through W_s^T where x is projected) plus s W^T dy through F.
 * dy is 1 for every feature, or for the chosen feature alone.
 */
export function computeGradient(an: Addnorm, result: ResidualResult, { fScale, dy }: Pick<State, "fScale" | "dy">, feature: number): Gradient | undefined {
  const { sum, map, projection, projects, cols } = result;
  if (!sum) return undefined;
  const arriving = new Float32Array(sum.cols);
  if (dy === "all") arriving.fill(1);
  else arriving[feature] = 1;
  // Of a linear map, dx = dy W whatever x is.
  const back = (gradient: Float32Array, through: LinearMap): Float32Array => an.linearBackward(new Float32Array(through.inFeatures), gradient, through).dx;
  const skip = projects === "stream" ? back(arriving, projection!) : arriving;
  // A drawn F does not read x, so nothing comes back through it.
  const through = map ? back(projects === "branch" ? back(arriving, projection!) : arriving, map) : new Float32Array(cols);
  return { arriving, ...sumOf(an, skip, through, 1, cols, fScale) };
}
