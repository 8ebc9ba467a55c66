/** Two rows of cells over each other, feature over feature: those without a partner are hatched. */
import { css, html, type TemplateResult } from "lit";
import { scaleOf } from "../parts/format.js";
import { heatColours } from "../parts/heat-colours.js";
import type { Theme } from "../parts/theme.js";

export interface CellRow {
  readonly name: string;
  readonly role: "stream" | "branch";
  readonly values: Float32Array;
}

/** Wider rows show their beginning. */
const MOST = 32;

export const cellsStyles = css`
  .cell-rows { display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content; gap: 0.3em 0.7em; align-items: center; font: 0.78em var(--mono); }
  .cell-row { display: grid; gap: 2px; grid-template-columns: repeat(var(--cells), minmax(0, 1.6em)); }
  .cell-row i { height: 1.5em; border-radius: 2px; border: 1px solid var(--hairline); background: var(--fill); }
  .cell-row i.alone { background: repeating-linear-gradient(45deg, transparent 0 3px, var(--warning) 3px 4px), var(--fill); border-color: var(--warning); }
  @media (forced-colors: active) { .cell-row i { forced-color-adjust: none; } }
`;

export function cellRows(rows: readonly CellRow[], theme: Theme): TemplateResult {
  const paired = Math.min(...rows.map(({ values }) => values.length));
  const cells = Math.min(MOST, Math.max(...rows.map(({ values }) => values.length)));
  const colours = heatColours(theme);
  return html`<div class="cell-rows" aria-hidden="true" .style=${`--cells: ${cells}`}>${rows.map(({ name, role, values }) => {
    const largest = scaleOf(values);
    return html`<span class=${role}>${name}</span>
      <span class="cell-row">${Array.from(values.subarray(0, cells), (value, i) =>
        html`<i class=${i < paired ? "" : "alone"} .style=${`--fill: ${colours.at(Number.isFinite(value) ? value : 0, largest).fill}`}></i>`)}</span>
      <span class="muted">${values.length > cells ? "… " : ""}${values.length}</span>`;
  })}</div>`;
}
