/** Why Transformers do without BatchNorm, on the chosen number: small batches, unequal lengths, inference. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { formatFor, formatPlain, fullPrecision, scaleOf, type NumberFormat } from "../parts/format.js";
import { prose } from "../parts/prose.js";

export interface WhyCard {
  readonly token: number;
  readonly feature: number;
  /** BatchNorm's number in batches of 1, 2, ... sequences. */
  readonly bySize: readonly number[];
  readonly sequences: number;
  readonly layer: number;
  /** BatchNorm of the token as the whole batch. */
  readonly one: Float32Array;
  /** The features of it that are shown. */
  readonly first: number;
  readonly cols: number;
  /** What every feature's beta is, when it is one number. */
  readonly beta: number | undefined;
  readonly counted: number;
  readonly rows: number;
  readonly masked: number;
  readonly unmasked: number;
  readonly text: Messages["compare"];
}

export const whyCardStyles = css`
  .whys { display: grid; gap: 1.2em 2em; }
  @container (min-width: 52em) { .whys { grid-template-columns: minmax(0, 6fr) minmax(0, 3fr) minmax(0, 3fr); } }
  .whys section { display: grid; gap: 0.6em; align-content: start; }
  .whys h3 { font-size: 0.9em; font-weight: 650; }
  .whys p { font-size: 0.88em; max-width: 66ch; }
  .why-table { width: 100%; border-collapse: collapse; table-layout: fixed; font: 0.75em/1.3 var(--mono); font-variant-numeric: tabular-nums; }
  .why-table th { width: 6.2em; padding: 0.3em 0.6em 0.3em 0; font: 400 1.05em/1.3 var(--sans); text-align: start; color: var(--muted); }
  .why-table td { padding: 0.3em 0; text-align: center; white-space: pre; }
  .why-table thead td { color: var(--muted); border-bottom: 1px solid var(--hairline); }
  .why-table thead th { border-bottom: 1px solid var(--hairline); }
  .why-table td.here { background: var(--quiet); font-weight: 700; color: var(--ink); }
  .why-table td.each { font-family: var(--sans); color: var(--muted); }
  .why-table.two th { width: auto; }
  .why-table.two td { width: 4.8em; text-align: end; font-weight: 700; }
  @container (max-width: 30em) {
    .why-table:not(.two) { font-size: 0.62em; }
    .why-table:not(.two) th { width: 5.8em; font-size: 1.1em; }
  }
`;

const written = (value: number, format: NumberFormat): TemplateResult => html`<span title=${fullPrecision(value)}>${format(value)}</span>`;

export function whyCard(context: WhyCard): TemplateResult {
  const { text } = context;
  return html`<section part="card" class="card" aria-label=${text.whyTitle}>
    <div class="card-head"><h2>${text.whyTitle}</h2></div>
    <div class="whys">${small(context)}${lengths(context)}
      <section><h3>${text.inferenceTitle}</h3><p>${text.inference}</p></section>
    </div>
  </section>`;
}

function small({ token, feature, bySize, sequences, layer, one, first, cols, beta, text }: WhyCard): TemplateResult {
  const format = formatFor(Math.max(scaleOf(bySize), Math.abs(layer)), 3);
  const here = (size: number): string => (size === sequences ? "here" : "");
  return html`<section><h3>${text.smallTitle}</h3>
    <p>${text.small(token, feature)}</p>
    <table class="why-table" aria-label=${text.sizesTable}>
      <thead><tr><th scope="row">${text.sizes}</th>${bySize.map((_, i) => html`<td class=${here(i + 1)}>${i + 1}</td>`)}</tr></thead>
      <tbody>
        <tr><th scope="row">BatchNorm</th>${bySize.map((value, i) => html`<td class=${here(i + 1)}>${written(value, format)}</td>`)}</tr>
        <tr><th scope="row">LayerNorm</th><td class="each" colspan=${bySize.length}>${text.eachSize(format(layer))}</td></tr>
      </tbody>
    </table>
    <p>${prose(text.oneToken(beta === undefined ? "" : ` = ${formatPlain(beta)}`))}</p>
    <table class="why-table one" aria-label=${text.oneTokenRow}>
      <tbody><tr><th scope="row">${text.oneTokenRow}</th>${Array.from(one.subarray(first, first + cols), (value) => html`<td>${written(value, (number) => formatPlain(number, 3))}</td>`)}</tr></tbody>
    </table>
  </section>`;
}

function lengths({ counted, rows, masked, unmasked, text }: WhyCard): TemplateResult {
  const format = formatFor(Math.max(Math.abs(masked), Math.abs(unmasked)), 4);
  return html`<section><h3>${text.lengthsTitle}</h3>
    <p>${prose(text.lengths(counted, rows))}</p>
    <table class="why-table two" aria-label=${text.lengthsTable}><tbody>
      <tr><th scope="row">${text.masked}</th><td>${written(masked, format)}</td></tr>
      <tr><th scope="row">${text.unmasked}</th><td>${written(unmasked, format)}</td></tr>
    </tbody></table>
  </section>`;
}
