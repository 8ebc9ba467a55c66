/** Lengths before and after a sum: of the chosen token, and of the whole matrix. */
import { css, html, type TemplateResult } from "lit";
import { formatNumber, fullPrecision } from "../parts/format.js";

export interface NormsTable {
  readonly label: string;
  /** Heads in symbols: old, delta, next. */
  readonly heads: readonly [string, string, string];
  readonly lines: readonly { readonly name: string; readonly values: readonly [number, number, number] }[];
}

export const normsTableStyles = css`
  .norms { border-collapse: separate; border-spacing: 0.75em 0; margin: 1em -0.75em 0; width: calc(100% + 1.5em); table-layout: fixed; }
  .norms th { padding: 0; font-size: 0.75em; font-weight: 400; text-align: start; color: var(--muted); vertical-align: bottom; }
  .norms thead th { padding-top: 0.5em; border-top: 2px solid var(--hairline); font-family: var(--mono); }
  .norms thead th.stream { border-color: var(--stream); color: var(--stream); }
  .norms thead th.branch { border-color: var(--branch); color: var(--branch); }
  .norms thead th.next { border-color: var(--ink); color: var(--ink); }
  .norms thead td { width: 22%; }
  .norms tbody :is(th, td) { vertical-align: baseline; }
  .norms td { padding: 0.05em 0; font-family: var(--mono); font-variant-numeric: tabular-nums; font-weight: 700; }
  .norms tr + tr td { font-size: 0.8em; font-weight: 400; color: var(--muted); }
`;

export function normsTable({ label, heads, lines }: NormsTable): TemplateResult {
  const roles = ["stream", "branch", "next"] as const;
  return html`<table class="norms" aria-label=${label}>
    <thead><tr><td></td>${heads.map((head, i) => html`<th scope="col" class=${roles[i]!}>${head}</th>`)}</tr></thead>
    <tbody>${lines.map(({ name, values }) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td title=${fullPrecision(Math.fround(value))}>${formatNumber(value, 4)}</td>`)}</tr>`)}</tbody>
  </table>`;
}
