/** Whom each token looks at: one head's weights after softmax, as a heatmap. */
import { css, html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Addnorm } from "../../lib/index.js";
import type { Messages } from "../../locales/index.js";
import type { RealSublayers } from "../../state/compute-block.js";
import type { ChainNode } from "../../state/compute.js";
import type { State } from "../../state/schema.js";
import type { HeatmapText, Place, StatColumn } from "../parts/heatmap.js";
import { segmented } from "../parts/segmented.js";
import type { Theme } from "../parts/theme.js";
import { headOf, headWeights } from "./worked-real.js";

export interface AttentionWeights {
  readonly an: Addnorm;
  readonly node: ChainNode;
  readonly real: RealSublayers;
  readonly state: State;
  readonly text: Messages;
  readonly theme: Theme;
  /** The token that looks, whose row is strong, and the one that is looked at. */
  readonly looking: Place;
  onHead(head: number): void;
  onLook(place: Place): void;
}

export const attentionWeightsStyles = css`
  .looks { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5em; }
  .looks h3 { font-size: 0.85em; font-weight: 650; }
  .looks p { font-size: 0.8em; color: var(--muted); max-width: 66ch; }
  .looks .segmented { flex-wrap: wrap; }
`;

export function attentionWeights({ an, node, real, state, text, theme, looking, onHead, onLook }: AttentionWeights): TemplateResult {
  const { chain } = text;
  const head = headOf(state, real);
  const { rows } = node;
  const data = guard([real, node, head], () => headWeights(node, real, head));
  return html`<div class="looks">
    <h3>${chain.weightsTitle}</h3>
    ${real.heads > 1 ? segmented<number>({
      name: "head", label: chain.head, value: head, onSelect: onHead,
      segments: Array.from({ length: real.heads }, (_, value) => ({ value, text: real.heads > 4 ? `${value}` : chain.headName(value), title: chain.headName(value) })),
    }) : nothing}
    <addnorm-heatmap class="attention" .data=${data} .rows=${rows} .cols=${rows} .theme=${theme} .readonly=${true} .chosen=${{ row: looking.row, col: Math.min(looking.col, rows - 1) }}
      .stats=${guard([real, node, head, text], () => [rowSums(an, headWeights(node, real, head), rows, text)])} .text=${guard([head, text], () => heatmapText(head, text))}
      @cell-choose=${({ detail }: CustomEvent<Place>) => onLook(detail)}></addnorm-heatmap>
    <p>${chain.weightsNote}</p>
  </div>`;
}

/** By the package's own product with a column of ones. */
function rowSums(an: Addnorm, weights: Float32Array, tokens: number, { chain }: Messages): StatColumn {
  const values = an.linear(weights, { weight: new Float32Array(tokens).fill(1), inFeatures: tokens, outFeatures: 1 });
  return { label: "Σ", name: chain.rowSum, values };
}

function heatmapText(head: number, { chain }: Messages): HeatmapText {
  return {
    grid: chain.weightsGrid(head), corner: chain.token, row: chain.looks, col: chain.seen,
    overview: chain.overview, overviewNote: chain.overviewNote,
  };
}
