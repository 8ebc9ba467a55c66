/** What the curves say, as sentences: what became of the number that came in at one end. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { State } from "../../state/schema.js";
import { formatNumber } from "../parts/format.js";
import { swatch } from "./line-styles.js";
import type { DepthSeries } from "./plot.js";

export const findingsStyles = css`
  .findings { display: grid; gap: 0.25em; min-height: 3.3em; margin-top: 0.9em; font-size: 0.9em; align-content: start; }
  .findings p { padding-inline-start: calc(26px + 0.6em); text-indent: calc(-26px - 0.6em); }
  .findings .swatch { margin-inline-end: 0.6em; vertical-align: -0.05em; }
  .findings strong { font-weight: 650; }
  @container (max-width: 30em) { .findings { min-height: 6.3em; } }
`;

export type Fate = keyof Messages["depth"]["findings"]["backward"];

/** `end` and `start` in the direction of the signal. */
export function fateOf(start: number, end: number): Fate {
  if (!(end < Infinity)) return "overflows";
  if (end === 0) return "zero";
  const ratio = end / start;
  if (ratio < 1e-3) return "dies";
  if (ratio < 1 / 3) return "fades";
  return ratio <= 3 ? "holds" : ratio <= 1e3 ? "grows" : "explodes";
}

function sentence(values: readonly number[], direction: State["direction"], text: Messages["depth"]): string {
  const layers = values.length - 1;
  const along = direction === "backward" ? [...values].reverse() : values;
  const [start, end] = [along[0]!, along[layers]!];
  const lost = along.findIndex((value) => !(value < Infinity));
  const place = text.places(direction === "backward" ? layers - lost : lost, layers);
  return text.findings[direction][fateOf(start, end)](formatNumber(end, 2), formatNumber(start, 2), place);
}

export function findings(series: readonly DepthSeries[], direction: State["direction"], text: Messages["depth"]): TemplateResult {
  return html`<div class="findings" role="status">${series.map(({ variant, name, values }) =>
    html`<p>${swatch(variant)}<strong>${name}</strong>${text.colon}${sentence(values, direction, text)}</p>`)}</div>`;
}
