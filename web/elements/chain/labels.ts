/** What the nodes of the chain are called: in formulas, in the article's code, and in a word. */
import type { Messages } from "../../locales/index.js";
import { drawScale } from "../../state/draw.js";
import type { State } from "../../state/schema.js";

export type Wiring = "post" | "pre";
type Name = "x" | "f1" | "f2" | "sum1" | "sum2" | "norm1" | "norm2";

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

export const wiringOf = (id: string): Wiring => (id.startsWith("pre.") ? "pre" : "post");
export const nameOf = (id: string): Name => id.slice(id.indexOf(".") + 1) as Name;
/** 1 or 2: which half of the block a node belongs to. */
export const halfOf = (id: string): 1 | 2 => (id.endsWith("2") ? 2 : 1);

export const normName = (state: State, text: Messages): string => (state.norm === "layer" ? text.common.layerNorm : text.common.rmsNorm);

export function nodeLabel(id: string, state: State, text: Messages): NodeLabel {
  return (wiringOf(id) === "post" ? postLabels : preLabels)(state, text)[nameOf(id)];
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

function postLabels(state: State, text: Messages): Record<Name, NodeLabel> {
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

function preLabels(state: State, text: Messages): Record<Name, NodeLabel> {
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
  return wiring === "post" ? { formula: `${norm}(x + F(x))`, code: "post_norm(x, F)" } : { formula: `x + F(${norm}(x))`, code: "pre_norm(x, F) · PreNormResidual" };
}
