/** Whether the row of interest moved, said the same way under each small multiple and beside each row. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { normIds, type NormId, type RowChange } from "../../state/compute-compare.js";
import { formatNumber, scaleOf } from "../parts/format.js";
import { NORM_NAMES } from "./norm-names.js";

export const verdictStyles = css`
  .verdict { display: flex; gap: 0.5em; font-size: 0.78em; line-height: 1.4; color: var(--muted); }
  .verdict b { flex: none; width: 1.2em; font-family: var(--mono); text-align: center; }
  .verdict.moved { color: var(--ink); font-weight: 650; }
`;

const inWords = ({ changed, now, delta }: RowChange, text: Messages["compare"]): string =>
  (changed === 0 ? text.unchanged : text.changed(changed, now.length, formatNumber(scaleOf(delta), 2)));

export function verdict(change: RowChange, text: Messages["compare"]): TemplateResult {
  const moved = change.changed > 0;
  return html`<p class="verdict ${moved ? "moved" : ""}"><b aria-hidden="true">${moved ? "Δ" : "="}</b><span>${inWords(change, text)}</span></p>`;
}

/** What a screen reader hears when the batch changes: the norms whose row moved. */
export const spokenVerdict = (changes: Readonly<Record<NormId, RowChange>>, text: Messages["compare"]): string =>
  normIds.filter((norm) => changes[norm].changed > 0).map((norm) => `${NORM_NAMES[norm]}: ${inWords(changes[norm], text)}`).join(". ");
