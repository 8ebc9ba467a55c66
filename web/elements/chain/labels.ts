/** What the nodes of the chain are called: in formulas, in the article's code, and in a word. */
import type { Messages } from "../../locales/index.js";
import { dFfFor, headsFor, type BlockWiring } from "../../state/compute-block.js";
import { drawScale } from "../../state/draw.js";
import type { State } from "../../state/schema.js";

export type Wiring = BlockWiring;
type Name = "x" | "f1" | "f2" | "branches" | "sum1" | "sum2" | "norm1" | "norm2";

type ArticleName = Exclude<Name, "branches">;

export interface NodeLabel {
  /** As in a formula: x + F₁(x). */
  readonly name: string;
  /** Its place in the block, where the name does not tell. */
  readonly tag?: string;
  /** Its name in the article's code. */
  readonly caption: string;
  /** How the article's code gets it. */
  readonly code: string;
}

export const wiringOf = (id: string): Wiring => id.slice(0, id.indexOf(".")) as Wiring;
export const nameOf = (id: string): Name => id.slice(id.indexOf(".") + 1) as Name;
/** 1 or 2: which half of the block a node belongs to. */
export const halfOf = (id: string): 1 | 2 => (id.endsWith("2") ? 2 : 1);

export const normName = (state: State, text: Messages): string => (state.norm === "layer" ? text.common.layerNorm : text.common.rmsNorm);

/** `cols`: the features of x, which say how many heads there are. */
export function nodeLabel({ id, cols }: { id: string; cols: number }, state: State, text: Messages): NodeLabel {
  const real = state.sublayers === "attention" ? realLabels(wiringOf(id), cols, state, text) : undefined;
  return (real ?? (wiringOf(id) === "post" ? postLabels : preLabels)(state, text))[nameOf(id) as ArticleName];
}

/** The same step in another wiring, or the one that does its work there. */
export function counterpart(id: string, wiring: Wiring): string {
  const name = nameOf(id);
  const there = wiring === "parallel" ? ({ sum2: "sum1", norm2: "norm1" } as Partial<Record<Name, Name>>)[name] : name === "branches" ? "sum1" : undefined;
  return `${wiring}.${there ?? name}`;
}

/** The norm as a function's name, in formulas and in code. */
const short = (state: State): string => (state.norm === "layer" ? "LN" : "RMS");
const call = (state: State): string => (state.norm === "layer" ? "layer_norm" : "rms_norm");

function inputLabel(state: State, text: Messages): NodeLabel {
  if (state.source === "own") return { name: "x", tag: text.chain.input, caption: "", code: "x" };
  const scale = drawScale(state);
  const draw = `randn(${state.tokens}, ${state.features})${scale === 1 ? "" : ` * ${scale}`}`;
  return { name: "x", tag: text.chain.input, caption: draw, code: `np.random.seed(${state.seed}); x = np.random.${draw}` };
}

function sublayerLabel(half: 1 | 2, reads: string, name: string, state: State): NodeLabel {
  const output = half === 1 ? "attn_output" : "ffn_output";
  if (state.sublayers === "simulated") return { name: `F${half === 1 ? "₁" : "₂"}`, caption: output, code: `${output} = np.random.randn(L, d_model)` };
  return { name, caption: `${reads} @ W${half}.T`, code: `${output} = ${reads} @ W${half}.T` };
}

/** Real sublayers, in the words of a PyTorch module. */
function realLabels(wiring: Wiring, cols: number, state: State, text: Messages): Record<Name, NodeLabel> {
  const norm = normName(state, text);
  const [ln, post, parallel] = [short(state), wiring === "post", wiring === "parallel"];
  const [first, second] = post ? ["x", "h"] : parallel ? ["n", "n"] : ["n", "m"];
  const read = (half: 1 | 2): string => (post ? (half === 1 ? "x" : "h") : `${ln} ${half === 1 ? "x" : "h"}`);
  return {
    x: inputLabel(state, text),
    norm1: { name: norm, caption: "norm1", code: post ? "h = norm1(s)" : "n = norm1(x)" },
    f1: { name: parallel ? "Attn" : `Attn(${read(1)})`, caption: text.chain.headsCaption(headsFor(state.heads, cols), state.causal === "yes"), code: `attn = self_attn(${first}, ${first}, ${first})` },
    f2: { name: parallel ? "FFN" : `FFN(${read(2)})`, caption: `${state.activation === "relu" ? "ReLU" : "GELU"}, d_ff ${dFfFor(state.dFf, cols)}`, code: `ffn = linear2(${state.activation}(linear1(${second})))` },
    branches: { name: "Attn + FFN", tag: text.chain.both, caption: "", code: "b = attn + ffn" },
    sum1: parallel
      ? { name: "x + Attn + FFN", tag: text.chain.output, caption: "", code: "y = x + b" }
      : { name: "x + Attn", caption: "", code: `${post ? "s" : "h"} = x + attn` },
    norm2: { name: norm, tag: post ? text.chain.output : "", caption: "norm2", code: post ? "y = norm2(t)" : "m = norm2(h)" },
    sum2: { name: "h + FFN", tag: post ? "" : text.chain.output, caption: "", code: `${post ? "t" : "y"} = h + ffn` },
  };
}

function postLabels(state: State, text: Messages): Record<ArticleName, NodeLabel> {
  const norm = normName(state, text);
  return {
    x: inputLabel(state, text),
    f1: sublayerLabel(1, "x", "F₁(x)", state),
    sum1: { name: state.sublayers === "simulated" ? "x + F₁" : "x + F₁(x)", caption: "residual_connection", code: "sum1 = residual_connection(x, attn_output)" },
    norm1: { name: norm, caption: "add_and_norm", code: "h = add_and_norm(x, attn_output)" },
    f2: sublayerLabel(2, "h", "F₂(h)", state),
    sum2: { name: state.sublayers === "simulated" ? "h + F₂" : "h + F₂(h)", caption: "residual_connection", code: "sum2 = residual_connection(h, ffn_output)" },
    norm2: { name: norm, tag: text.chain.output, caption: "add_and_norm", code: "y = add_and_norm(h, ffn_output)" },
  };
}

function preLabels(state: State, text: Messages): Record<ArticleName, NodeLabel> {
  const norm = normName(state, text);
  const f = (half: "₁" | "₂", of: string): string => (state.sublayers === "simulated" ? `F${half}` : `F${half}(${short(state)} ${of})`);
  return {
    x: inputLabel(state, text),
    norm1: { name: norm, tag: text.chain.before(1), caption: call(state), code: `norm1 = ${call(state)}(x)` },
    f1: sublayerLabel(1, "norm1", f("₁", "x"), state),
    sum1: { name: "x + F₁", caption: "residual_connection", code: "h = residual_connection(x, attn_output)" },
    norm2: { name: norm, tag: text.chain.before(2), caption: call(state), code: `norm2 = ${call(state)}(h)` },
    f2: sublayerLabel(2, "norm2", f("₂", "h"), state),
    sum2: { name: "h + F₂", tag: text.chain.output, caption: "residual_connection", code: "y = residual_connection(h, ffn_output)" },
  };
}

/** The whole wiring, as a formula and as the article's function. */
export function wiringLabel(wiring: Wiring, state: State): { formula: string; code: string } {
  const norm = short(state);
  if (wiring === "parallel") return { formula: `x + Attn(n) + FFN(n), n = ${norm} x`, code: "" };
  if (state.sublayers === "attention") return { formula: wiring === "post" ? `${norm}(x + F(x))` : `x + F(${norm}(x))`, code: "" };
  return wiring === "post" ? { formula: `${norm}(x + F(x))`, code: "post_norm(x, F)" } : { formula: `x + F(${norm}(x))`, code: "pre_norm(x, F) · PreNormResidual" };
}
