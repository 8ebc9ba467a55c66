/** Rules between the keys of the state: a patch comes in, a whole and consistent state goes out. */
import type { Shape } from "./matrix.js";
import { ATTENTION_LIMIT, initialState, LINEAR_LIMIT, lineOf, MATRIX_LIMIT, sameValue, stateKeys, type State, type StateKey } from "./schema.js";

/** Why a value was not taken; the locales turn it into a sentence. */
export interface Notice {
  readonly reason: "value" | "unknown" | "size" | "length" | "range" | "lost" | "wide" | "large";
  readonly key: string;
  /** What came, shortened. */
  readonly given: string;
  /** What is used instead. */
  readonly used: string;
}

const GIVEN_LIMIT = 40;
export const shorten = (text: string): string => (text.length > GIVEN_LIMIT ? `${text.slice(0, GIVEN_LIMIT)}…` : text);

/** The keys that decide which numbers are drawn, and their values in the article. */
const drawn = ["tokens", "features", "seed", "scale"] as const;
const isArticle = (state: State): boolean => drawn.every((key) => state[key] === initialState[key]);

type Draft = { -readonly [K in StateKey]: State[K] };

/** rows and cols of x. `own` is the shape of the person's own table, needed while source is "own". */
export function shapeOf(state: State, own?: Shape): Shape {
  return state.source === "own" && own ? { rows: own.rows, cols: own.cols } : { rows: state.tokens, cols: state.features };
}

/** Applies a patch. `ownShape` tells the shape of the own table for a given data text, undefined when there is none. */
export function reconcile(previous: State, patch: Partial<State>, ownShape: (data: string) => Shape | undefined): { state: State; notices: Notice[] } {
  const notices: Notice[] = [];
  const next: Draft = { ...previous };
  const fallBack = <K extends StateKey>(key: K, reason: Notice["reason"], used: State[K], given: unknown = next[key]): void => {
    const { format, accepts } = lineOf(key);
    notices.push({ reason, key, given: shorten(accepts(given) ? format(given) : String(given)), used: format(used) });
    next[key] = used;
  };
  for (const key of stateKeys) {
    if (patch[key] === undefined) continue;
    if (lineOf(key).accepts(patch[key])) (next as Record<StateKey, unknown>)[key] = patch[key];
    else fallBack(key, "value", previous[key], patch[key]);
  }
  settleSource(previous, patch, next);
  const own = next.source === "own" ? ownShape(next.data) : undefined;
  if (next.source === "own" && !own) {
    fallBack("source", "lost", "article");
    for (const key of drawn) next[key] = initialState[key];
  }
  if (next.tokens * next.features > MATRIX_LIMIT) {
    fallBack("tokens", "size", initialState.tokens);
    fallBack("features", "size", initialState.features);
  }
  const baseMoved = next.source !== previous.source || next.data !== previous.data || drawn.some((key) => next[key] !== previous[key]);
  if (baseMoved && patch.edits === undefined) next.edits = [];
  fit(next, patch, shapeOf(next, own), fallBack);
  if (next.sublayers === "linear" && shapeOf(next, own).cols > LINEAR_LIMIT) fallBack("sublayers", "wide", "simulated");
  const { rows, cols } = shapeOf(next, own);
  if (next.sublayers === "attention" && Math.max(rows, cols) > ATTENTION_LIMIT) fallBack("sublayers", "large", "simulated");
  if (next.norm === "rms" && next.step === 1) next.step = 2;
  return { state: Object.freeze(next), notices };
}

/** The article's numbers hold only at the article's size, seed and scale; elsewhere they are a random draw. */
function settleSource(previous: State, patch: Partial<State>, next: Draft): void {
  if (next.source !== "article") return;
  if (patch.source === "article" && previous.source !== "article") {
    for (const key of drawn) if (patch[key] === undefined) next[key] = initialState[key];
  }
  if (isArticle(next)) return;
  next.source = "random";
  // The article draws only its LayerNorm example at scale 10; a new seed elsewhere must not make the numbers ten times larger.
  if (next.view !== "tokens" && patch.scale === undefined) next.scale = 1;
}

function fit(next: Draft, patch: Partial<State>, shape: Shape, fallBack: <K extends StateKey>(key: K, reason: Notice["reason"], used: State[K]) => void): void {
  for (const key of ["gamma", "beta"] as const) {
    const { length } = next[key];
    if (length !== 1 && length !== shape.cols) fallBack(key, "length", initialState[key]);
  }
  const inside = next.edits.filter(({ row, col }) => row < shape.rows && col < shape.cols);
  if (inside.length !== next.edits.length) fallBack("edits", "range", inside);
  for (const [key, count] of [["token", shape.rows], ["feature", shape.cols]] as const) {
    if (next[key] < count) continue;
    if (patch[key] === undefined) next[key] = count - 1;
    else fallBack(key, "range", 0);
  }
}

/** The part of `next` that differs from `previous`. */
export function difference(previous: State, next: State): Partial<State> {
  return Object.fromEntries(stateKeys.filter((key) => !sameValue(key, previous[key], next[key])).map((key) => [key, next[key]]));
}
