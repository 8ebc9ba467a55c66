/** Every value of the chart as a table, made when it is opened. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { State } from "../../state/schema.js";
import { fullPrecision } from "../parts/format.js";
import type { DepthSeries } from "./plot.js";

export const valuesTableStyles = css`
  .all > summary { padding: 0.2em 0; font-size: 0.9em; cursor: pointer; }
  .all .scroll { max-height: 26em; margin-top: 0.8em; overflow: auto; }
  .all table { border-collapse: separate; border-spacing: 0; font: 0.78em/1.5 var(--mono); font-variant-numeric: tabular-nums; }
  .all th, .all td { padding: 0.25em 0 0.25em 1.6em; text-align: end; white-space: nowrap; border-bottom: 1px solid var(--hairline); }
  .all thead th { position: sticky; top: 0; z-index: 1; font-family: var(--sans); font-weight: 600; background: var(--card); }
  .all th:first-child { position: sticky; left: 0; padding-inline: 0 0.5em; font-weight: 400; color: var(--muted); background: var(--card); }
  .all thead th:first-child { z-index: 2; }
`;

interface ValuesTable {
  readonly series: readonly DepthSeries[];
  readonly direction: State["direction"];
  readonly open: boolean;
  readonly text: Messages["depth"];
  onToggle(open: boolean): void;
}

export function valuesTable({ series, direction, open, text, onToggle }: ValuesTable): TemplateResult {
  return html`<details class="all" .open=${open} @toggle=${(event: Event) => onToggle((event.currentTarget as HTMLDetailsElement).open)}>
    <summary>${text.table}</summary>
    ${open ? html`<div class="scroll" role="region" tabindex="0" aria-label=${text.tableLabel[direction]}><table>
      <thead><tr><th scope="col">${text.place}</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${series[0]!.values.map((_, place) => html`<tr><th scope="row">${place}</th>${series.map(({ values }) => html`<td>${fullPrecision(values[place]!)}</td>`)}</tr>`)}</tbody>
    </table></div>` : nothing}
  </details>`;
}
