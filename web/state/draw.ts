/** The numbers that everything starts from: x, drawn or a person's own, with the edits put in. */
import type { Addnorm } from "../lib/index.js";
import type { Matrix, Shape } from "./matrix.js";
import { identityKey, Memo } from "./memo.js";
import { shapeOf } from "./reconcile.js";
import { schema, type State } from "./schema.js";

const draws = new Memo<Float64Array>(3);
const inputs = new Memo<Float32Array>(3);
const edited = new Memo<Float32Array>(2);

/** `count` float32 numbers from RandomState(seed).randn, after the first `skip`, times `factor`. */
export function drawn(an: Addnorm, seed: number, skip: number, count: number, factor: number): Float32Array {
  const all = draws.get(`${seed}/${skip + count}`, () => an.randn(seed, skip + count));
  // A plain loop: Float32Array.from with a function is ten times slower, and these are millions.
  const numbers = new Float32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = all[skip + i]! * factor;
  return numbers;
}

/** The factor on drawn numbers: the article draws its LayerNorm example at 10 and its chain at 1; own numbers meet draws at 1. */
export function drawScale(state: State): number {
  if (state.source === "random") return state.scale;
  return state.source === "article" && state.view === "tokens" ? state.scale : 1;
}

/** x before any edit; the same array for the same numbers. */
function baseInput(an: Addnorm, state: State, own: Matrix | undefined, { rows, cols }: Shape): Float32Array {
  if (state.source === "own" && own) return own.data;
  const scale = drawScale(state);
  return inputs.get(`${state.seed}/${rows}/${cols}/${scale}`, () => drawn(an, state.seed, 0, rows * cols, scale));
}

/** x, tokens x features. The array is shared: callers do not change it. */
export function inputMatrix(an: Addnorm, state: State, own?: Matrix): Matrix {
  const shape = shapeOf(state, own);
  const base = baseInput(an, state, own, shape);
  if (state.edits.length === 0) return { ...shape, data: base };
  const data = edited.get(`${identityKey(base)}/${schema.edits.format(state.edits)}`, () => {
    const copy = base.slice();
    for (const { row, col, value } of state.edits) copy[row * shape.cols + col] = value;
    return copy;
  });
  return { ...shape, data };
}
