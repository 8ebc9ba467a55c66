/** Whether the row of interest moved, said the same way under each small multiple and beside each row. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { RowChange } from "../../state/compute-compare.js";
import { formatNumber, scaleOf } from "../parts/format.js";

export const verdictStyles = css`
  .verdict { display: flex; gap: 0.5em; font-size: 0.78em; line-height: 1.4; color: var(--muted); }
  .verdict b { flex: none; width: 1.2em; font-family: var(--mono); text-align: center; }
  .verdict.moved { color: var(--ink); font-weight: 650; }
`;

export function verdict({ changed, now, delta }: RowChange, text: Messages["compare"]): TemplateResult {
  if (changed === 0) return html`<p class="verdict"><b aria-hidden="true">=</b><span>${text.unchanged}</span></p>`;
  return html`<p class="verdict moved"><b aria-hidden="true">Δ</b><span>${text.changed(changed, now.length, formatNumber(scaleOf(delta), 2))}</span></p>`;
}
