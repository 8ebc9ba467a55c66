/** An opened node: what it is, its formula with one entry worked out, all its numbers and each token's statistics. */
import { css, html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Addnorm } from "../../lib/index.js";
import type { Messages } from "../../locales/index.js";
import type { ChainNode, ChainResult } from "../../state/compute.js";
import type { State } from "../../state/schema.js";
import { scaleOf } from "../parts/format.js";
import { formula } from "../parts/formula.js";
import type { HeatmapText, Place, StatColumn } from "../parts/heatmap.js";
import type { Theme } from "../parts/theme.js";
import { attentionWeights, attentionWeightsStyles } from "./attention-weights.js";
import { halfOf, nodeLabel, normName, wiringOf } from "./labels.js";
import { workedNode } from "./worked-node.js";
import type { Entry, Piece } from "./worked-pieces.js";

export interface Detail {
  readonly an: Addnorm;
  readonly node: ChainNode;
  readonly result: ChainResult;
  readonly state: State;
  readonly text: Messages;
  readonly theme: Theme;
  /** The entry that is worked out: the chosen one, or the one under the pointer. */
  readonly entry: Entry;
  /** The choice between the wirings, which shows the same step in another one. */
  readonly wirings: TemplateResult;
  onClose(): void;
  onOpen(id: string): void;
  onPreview(place: Place | null): void;
  onChoose(place: Place): void;
  /** The token whose weight was chosen last among those of the attention's row. */
  readonly seen: number;
  onHead(head: number): void;
  onLook(place: Place): void;
}

export const detailStyles = [attentionWeightsStyles, css`
  .detail { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.85em; align-content: start; border-left: 3px solid var(--role); }
  .detail.input, .detail.sum { --role: var(--stream); } .detail.sublayer, .detail.branches { --role: var(--branch); } .detail.norm { --role: var(--statistic); }
  .detail .card-head { margin: 0; align-items: center; flex-wrap: nowrap; }
  .detail h2 { font-size: 1em; }
  .detail h2:focus { outline: none; }
  .detail .counterpart { max-width: 19em; }
  .detail .code { font-size: 0.78em; color: var(--muted); overflow-wrap: anywhere; }
  .detail .about { font-size: 0.85em; max-width: 66ch; }
  .detail .reads-list { display: flex; flex-wrap: wrap; gap: 0.4em; align-items: baseline; font-size: 0.8em; color: var(--muted); }
  .detail .reads-list .button { min-height: 1.9em; padding: 0.1em 0.6em; font-size: 1em; }
  .worked { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.45em 1em; align-items: baseline; }
  .worked dt { font-size: 0.75em; color: var(--muted); }
  .worked .pieces { font-size: 0.8em; line-height: 1.7; overflow-wrap: anywhere; }
  .worked .result { font-weight: 700; }
  .worked .formula { overflow-x: auto; overflow-y: hidden; padding-block: 0.15em; }
  @container (max-width: 30em) {
    .worked { grid-template-columns: minmax(0, 1fr); row-gap: 0.15em; }
    .worked dd + dt { margin-top: 0.4em; }
  }
  .close { display: grid; place-items: center; flex: none; width: 2.1em; height: 2.1em; min-height: 0; padding: 0; }
`];

export function detail(context: Detail): TemplateResult {
  const { node, state, text: { chain, common }, theme, text, entry } = context;
  const { name, caption, code } = nodeLabel(node, state, text);
  const wiring = (state.norm === "layer" ? chain.title : chain.rmsTitle)[wiringOf(node.id)];
  return html`<section part="card" class="card detail ${node.op}" id="detail" aria-labelledby="detail-title">
    <div class="card-head">
      <h2 id="detail-title" tabindex="-1">${name} <span class="visually-hidden">${wiring}</span></h2>
      <span class="aside">${common.size(node.rows, node.cols)}</span>
      <button type="button" class="button close" aria-label=${chain.close} title=${chain.close} @click=${context.onClose}>
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="M1.5 1.5l9 9m0-9l-9 9" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg>
      </button>
    </div>
    <div class="counterpart">${context.wirings}</div>
    <p class="about">${about(context)}</p>
    <p class="code mono" title=${caption}>${code}</p>
    ${reads(context)}
    ${worked(context)}
    ${weights(context)}
    <addnorm-heatmap .data=${node.data} .rows=${node.rows} .cols=${node.cols} .theme=${theme} .readonly=${true} .locked=${entry.row === state.token && entry.col === state.feature}
      .chosen=${entry} .stats=${guard([node, text], () => statistics(node, text))} .text=${guard([name, text], () => heatmapText(name, text))}
      @cell-preview=${({ detail: place }: CustomEvent<Place | null>) => context.onPreview(place)}
      @cell-choose=${({ detail: place }: CustomEvent<Place>) => context.onChoose(place)}
      @cell-release=${context.onClose}></addnorm-heatmap>
  </section>`;
}

function about({ node, state, text }: Detail): string {
  const { about: texts } = text.chain;
  switch (node.op) {
    case "input": return texts.input;
    case "sublayer": return texts[state.sublayers](halfOf(node.id));
    case "branches": return texts.branches;
    case "sum": return texts.sum;
    case "norm": return (wiringOf(node.id) === "post" ? texts.post : texts.pre)(normName(state, text));
  }
}

function reads({ node, state, text, onOpen }: Detail): TemplateResult {
  const { chain } = text;
  const drawn = node.op === "sublayer" && state.sublayers === "simulated";
  const none = drawn ? chain.readsNothingDrawn : chain.readsNothing;
  return html`<div class="reads-list"><span>${chain.inputs}</span>
    ${drawn || node.inputs.length === 0 ? none : node.inputs.map((id) => html`<button type="button" class="button" @click=${() => onOpen(id)}>${nodeLabel({ id, cols: node.cols }, state, text).name}</button>`)}
  </div>`;
}

function worked({ node, result, state, text, entry }: Detail): TemplateResult | typeof nothing {
  const found = workedNode(node, result, state, entry);
  if (found.length === 0) return nothing;
  return html`<dl class="worked">
    ${found.map(({ tex, numbers }) => html`<dt>${text.chain.formula}</dt><dd class="formula">${formula(tex)}</dd>
    <dt>${text.chain.numbers}</dt><dd class="pieces mono">${numbers.map(piece)}</dd>`)}
  </dl>`;
}

function weights({ an, node, result: { real }, state, text, theme, entry, seen, onHead, onLook }: Detail): TemplateResult | typeof nothing {
  if (!real || node.op !== "sublayer" || halfOf(node.id) === 2) return nothing;
  return attentionWeights({ an, node, real, state, text, theme, looking: { row: entry.row, col: seen }, onHead, onLook });
}

const piece = ({ text, role }: Piece): TemplateResult | string => (role ? html`<span class=${role}>${text}</span>` : text);

/** A mean that only rounding keeps from 0 is written like the numbers beside it, not in powers of ten. */
function statistics({ mean, std, rms }: ChainNode, { common }: Messages): StatColumn[] {
  const scale = Math.max(scaleOf(mean), scaleOf(rms));
  return [
    { label: "μ", name: common.mean, values: mean, scale },
    { label: "σ", name: common.std, values: std, scale },
    { label: "rms", name: common.rms, values: rms, scale },
  ];
}

function heatmapText(name: string, { common, chain }: Messages): HeatmapText {
  return {
    grid: chain.grid(name),
    corner: chain.token,
    row: common.token,
    col: common.feature,
    overview: chain.overview,
    overviewNote: chain.overviewNote,
  };
}
