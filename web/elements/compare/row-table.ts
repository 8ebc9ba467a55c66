/** The row of interest: before, and under each norm after, with what changed against a batch of its sequence alone. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { normIds, type NormId, type RowChange } from "../../state/compute-compare.js";
import { formatFor, formatNumber, fullPrecision, scaleOf, type NumberFormat } from "../parts/format.js";
import { heatColours } from "../parts/heat-colours.js";
import type { Theme } from "../parts/theme.js";
import { NORM_NAMES } from "./norm-names.js";

export interface RowTable {
  readonly token: number;
  /** x of the row. */
  readonly before: Float32Array;
  readonly changes: Readonly<Record<NormId, RowChange>>;
  /** The features that are shown. */
  readonly first: number;
  readonly cols: number;
  readonly chosen: number;
  /** The number that gets the full colour. */
  readonly largest: number;
  readonly theme: Theme;
  readonly text: Messages["compare"];
}

export const rowTableStyles = css`
  .row-table { display: grid; font: 0.72em/1.3 var(--mono); font-variant-numeric: tabular-nums; }
  .row-table .tr { display: grid; grid-template-columns: 7.8em repeat(var(--cols), minmax(0, 1fr)); align-items: stretch; }
  .row-table .th { padding-inline-end: 0.8em; font: 1.1em/1.4 var(--sans); align-self: center; }
  .row-table .th.change { font-size: 1em; color: var(--muted); padding-inline-start: 0.9em; }
  .row-table .td { min-height: 1.95em; display: flex; align-items: center; justify-content: center; white-space: pre; }
  .row-table .heads .td { min-height: 1.6em; color: var(--muted); }
  .row-table .heads .td.chosen { color: var(--ink); font-weight: 700; }
  .row-table .value { margin: 0 1px 1px 0; border-radius: 3px; background: var(--fill); }
  .row-table .value.wrong { background: repeating-linear-gradient(45deg, transparent 0 4px, var(--hairline) 4px 6px); color: var(--ink); }
  .row-table .all { grid-column: 2 / -1; justify-content: start; padding-inline-start: 0.4em; color: var(--muted); font-family: var(--sans); font-size: 1.05em; }
  .row-table .moved { font-weight: 700; }
  .row-table .group { padding-block: 0.4em 0.15em; border-top: 1px solid var(--hairline); }
  @container (max-width: 27em) {
    .row-table { font-size: 0.62em; }
    .row-table .tr { grid-template-columns: repeat(var(--cols), minmax(0, 1fr)); }
    .row-table .th { grid-column: 1 / -1; font-size: 1.3em; }
    .row-table .th.change { padding-inline-start: 0; font-size: 1.15em; }
    .row-table .tr.same { display: flex; gap: 0.4em; }
    .row-table .all { padding-inline-start: 0; font-size: 1.15em; }
  }
  @media (forced-colors: active) { .row-table .value { forced-color-adjust: none; } }
`;

const DIGITS = 3;

export function rowTable(context: RowTable): TemplateResult {
  const { token, before, first, cols, chosen, text } = context;
  const shown = before.subarray(first, first + cols);
  return html`<div class="row-table" role="table" aria-label=${text.rowTable(token)} .style=${`--cols: ${cols}`}>
    <div role="rowgroup"><div class="tr heads" role="row">
      <div class="th muted" role="columnheader">${text.feature}</div>
      ${Array.from(shown, (_, i) => html`<div class="td ${first + i === chosen ? "chosen" : ""}" role="columnheader">${first + i}</div>`)}
    </div></div>
    <div class="group" role="rowgroup"><div class="tr" role="row">
      <div class="th" role="rowheader"><span class="stream">x</span> <span class="muted">${text.before}</span></div>
      ${values(shown, scaleOf(before), formatFor(scaleOf(before), DIGITS), context)}
    </div></div>
    ${normIds.map((norm) => normRows(norm, context))}
  </div>`;
}

function normRows(norm: NormId, context: RowTable): TemplateResult {
  const { changes, first, cols, largest, text } = context;
  const { now, alone, delta, changed } = changes[norm];
  const page = <T extends Float32Array>(data: T): Float32Array => data.subarray(first, first + cols);
  const format = formatFor(largest, DIGITS);
  return html`<div class="group" role="rowgroup">
    <div class="tr" role="row"><div class="th" role="rowheader"><b>${NORM_NAMES[norm]}</b></div>${values(page(now), largest, format, context, page(alone))}</div>
    <div class="tr ${changed === 0 ? "same" : ""}" role="row"><div class="th change" role="rowheader">${text.change}</div>
      ${changed === 0
        ? html`<div class="td all" role="cell" aria-colspan=${cols}>${text.bitEqual}</div>`
        : Array.from(page(delta), (value, i) => (Object.is(page(now)[i], page(alone)[i])
          ? html`<div class="td muted" role="cell" aria-label=${text.same}>=</div>`
          : html`<div class="td moved" role="cell" title=${signed(value, fullPrecision)}>${moved(value, formatFor(scaleOf(delta), 2))}</div>`))}
    </div>
  </div>`;
}

function values(numbers: Float32Array, largest: number, format: NumberFormat, { theme, text }: RowTable, alone?: Float32Array): TemplateResult[] {
  const colours = heatColours(theme);
  return Array.from(numbers, (value, i) => {
    const { fill, text: ink } = colours.at(Number.isFinite(value) ? value : 0, largest);
    const title = alone ? text.nowAgainst(fullPrecision(value), fullPrecision(alone[i]!)) : fullPrecision(value);
    return html`<div class="td" role="cell" title=${title} data-value=${fullPrecision(value)}><span class="value td ${Number.isFinite(value) ? "" : "wrong"}"
      .style=${`flex: 1; ${Number.isFinite(value) ? `--fill: ${fill}; color: ${ink}` : ""}`}>${format(value)}</span></div>`;
  });
}

/** A change that the common format would round to nothing is written at its own scale. */
const moved = (value: number, format: NumberFormat): string => signed(value, /[1-9∞N]/.test(format(value)) ? format : (small) => formatNumber(small, 1));

/** "+0.12" and "−0.12". */
const signed = (value: number, format: NumberFormat): string => {
  const text = format(value);
  return value > 0 ? `+${text}` : text;
};
