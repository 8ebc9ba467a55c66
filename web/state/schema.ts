/** The one table of state keys: it serves the URL, element attributes, controls, validation and docs. */
import { choice, choices, edits, integer, node, number, numbers, table, type Edit, type Key } from "./kinds.js";
import { depthVariants, MOST_VARIANTS } from "./depth-variants.js";

export type { Edit, Key };

/** tokens * features may not exceed this (4 Mi numbers). */
export const MATRIX_LIMIT = 4 * 1024 * 1024;

/** Attention and feed-forward are real up to this many tokens, and features: three blocks are then computed before a person notices. */
export const ATTENTION_LIMIT = 64;

/** The widest x for which real linear sublayers are drawn: two weight matrices of this square. */
export const LINEAR_LIMIT = 1024;

const languageAlias = (text: string): string => /^(en|zh)(?:[-_]|$)/i.exec(text)?.[1]?.toLowerCase() ?? text;

export const schema = {
  view: choice(["residual", "tokens", "chain", "depth", "compare"], "tokens", "the view that is open"),
  source: choice(["article", "random", "own"], "article", "where x comes from: the article's example, a draw from the seed, or a person's own table"),
  tokens: integer(7, 1, 4096, "rows of x that are drawn"),
  features: integer(8, 1, 4096, "columns of x that are drawn"),
  seed: integer(42, 0, 4294967295, "seed of NumPy's RandomState"),
  scale: number(10, -1e6, 1e6, "factor on the drawn numbers"),
  norm: choice(["layer", "rms"], "layer", "LayerNorm or RMSNorm"),
  eps: number(1e-5, 0, 1e6, "epsilon, which keeps the division finite"),
  epsPlacement: choice(["inside", "outside"], "outside", "sqrt(variance + eps) as PyTorch does, or sqrt(variance) + eps as many NumPy tutorials do"),
  variance: choice(["population", "sample"], "population", "divide the squared deviations by d or by d - 1"),
  gamma: numbers([1], "learned scale: one value for all features, or one a feature"),
  beta: numbers([0], "learned shift: one value for all features, or one a feature"),
  gammaOffset: choice([0, 1], 0, "RMSNorm multiplies by gammaOffset + gamma; 1 is Gemma's way"),
  token: integer(0, 0, MATRIX_LIMIT - 1, "the chosen row"),
  feature: integer(0, 0, MATRIX_LIMIT - 1, "the chosen column"),
  step: integer(0, 0, 3, "0 x, 1 x - mean, 2 divided by the spread, 3 scaled and shifted"),
  edits: edits("numbers of x that a person changed"),
  data: table("the own table, when it is short enough for a link"),
  sublayers: choice(["simulated", "linear", "attention"], "simulated", "F as drawn outputs, as a real linear map drawn from the seed, or as real attention and feed-forward"),
  wiring: choice(["post", "pre", "parallel"], "post", "the wiring that the chain shows where there is no room for all; parallel needs real attention"),
  heads: integer(2, 1, 16, "heads of the chain's attention; where it does not divide the features, the next smaller number that does"),
  head: integer(0, 0, 15, "the head whose weights the opened attention shows"),
  dFf: integer(0, 0, 512, "features within the chain's feed-forward; 0 is four times those of x"),
  causal: choice(["no", "yes"], "no", "whether a token of the chain's attention sees only itself and those before it"),
  node: node("the open node of the chain"),
  fScale: number(1, 0, 2, "scale of F in the residual view: x + fScale * F(x)"),
  fKind: choice(["linear", "drawn"], "linear", "F of the residual view: a linear map drawn from the seed, or an output drawn as in the article"),
  fWidth: integer(0, 0, 4096, "features of F(x) in the residual view; 0 is as wide as x"),
  projection: choice(["none", "branch", "stream"], "none", "what mends unequal widths: F(x) projected to the width of x, or x to that of F(x)"),
  dy: choice(["all", "one"], "all", "the gradient that arrives at the sum: 1 for every feature, or for the chosen one"),
  logBlocks: integer(3, 1, 16, "blocks of the stack whose stream the residual view shows as a log"),
  logPlacement: choice(["pre", "post"], "pre", "where the norm of that stack stands"),
  logOf: choice(["token", "all"], "token", "what the log measures: the chosen token, or all numbers as one vector"),
  commit: integer(1, 1, 64, "the open commit of the log"),
  layers: integer(24, 1, 128, "blocks of the stacks in the depth view"),
  depthVariants: choices(depthVariants, MOST_VARIANTS, ["plain"], "the wirings that the depth view draws"),
  direction: choice(["backward", "forward"], "backward", "the depth view draws the gradients on their way back, or the activations on their way out"),
  initGain: number(1, 0, 4, "the depth view's weights are drawn from N(0, (initGain / sqrt(fan in))^2)"),
  activation: choice(["relu", "gelu"], "relu", "activation of the feed-forward sublayers"),
  depthTokens: integer(8, 1, 64, "tokens of the depth view's x"),
  depthFeatures: integer(32, 2, 256, "features of the depth view's x"),
  depthWidening: integer(4, 1, 8, "how many times wider than x feed-forward is within, in the depth view"),
  depthLayer: integer(0, 0, 128, "the place in the stack whose values are read: before that block, or behind the last"),
  depthStep: integer(0, 0, 3, "0 no skip, 1 with the skip, 2 with a norm, 3 deeper"),
  batch: integer(1, 1, 8, "sequences in the batch of the compare view"),
  padding: integer(0, 0, 4096, "padded tokens at the end of each sequence of that batch but the first"),
  groups: integer(2, 1, 4096, "groups of GroupNorm; where it does not divide the features, the next smaller number that does"),
  dytAlpha: number(0.5, 0, 100, "alpha of DyT, gamma * tanh(alpha * x) + beta"),
  compareShow: choice(["shared", "numbers"], "shared", "the cells of the compare view: which share a statistic, or the resulting numbers"),
  compareNorm: choice(["layer", "rms", "batch", "group", "l2", "dyt"], "batch", "the norm that the compare view works out"),
  lang: choice(["auto", "en", "zh"], "auto", "language", languageAlias),
  theme: choice(["auto", "light", "dark"], "auto", "colours"),
} as const;

export type StateKey = keyof typeof schema;

type ValueOf<K> = K extends Key<infer T> ? T : never;

/** What the URL holds, and all that the page is drawn from. */
export type State = { readonly [K in StateKey]: ValueOf<(typeof schema)[K]> };

export const stateKeys = Object.keys(schema) as StateKey[];

export const initialState: State = Object.freeze(Object.fromEntries(stateKeys.map((key) => [key, schema[key].initial]))) as State;

/** The table's line of a key, with its value type forgotten: for code that walks over all keys. */
export const lineOf = (key: StateKey): Key<unknown> => schema[key] as unknown as Key<unknown>;

/** epsPlacement -> eps-placement: the key's name as an element attribute. */
export const attributeName = (key: StateKey): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const sameValue = (key: StateKey, a: unknown, b: unknown): boolean => a === b || lineOf(key).format(a) === lineOf(key).format(b);
