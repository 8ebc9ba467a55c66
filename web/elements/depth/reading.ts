/** The card of one place in the stack: what each line has there, of the gradient and of the stream. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { DepthResult } from "../../state/compute-depth.js";
import type { State } from "../../state/schema.js";
import { formatNumber, fullPrecision } from "../parts/format.js";
import { swatch } from "./line-styles.js";
import { formulas } from "./variant-list.js";

export const readingStyles = css`
  .reading table { width: 100%; border-collapse: collapse; font-size: 0.85em; }
  .reading th { font-weight: 400; text-align: start; }
  .reading thead > tr > * { padding: 0 0 0.5em; font-size: 0.88em; color: var(--muted); }
  .reading thead th, .reading td { text-align: end; }
  .reading tbody tr { border-top: 1px solid var(--hairline); }
  .reading tbody th, .reading td { padding: 0.5em 0; vertical-align: baseline; }
  .reading td { padding-inline-start: 0.9em; font-family: var(--mono); font-variant-numeric: tabular-nums; white-space: nowrap; }
  .reading td.shown { font-weight: 700; color: var(--statistic); }
  .reading tbody th > span { display: flex; align-items: center; gap: 0.55em; }
  .reading .wiring { display: block; padding-inline-start: calc(26px + 0.55em); font: 0.86em/1.4 var(--mono); color: var(--muted); }
  .reading .note { margin-top: 0.9em; font-size: 0.78em; line-height: 1.45; color: var(--muted); }
  .chip { padding: 0.1em 0.6em; font-size: 0.75em; color: var(--ink); background: var(--quiet); border: 1px solid var(--hairline); border-radius: 1em; cursor: pointer; }
`;

interface Reading {
  readonly result: DepthResult;
  readonly place: number;
  readonly direction: State["direction"];
  readonly held: boolean;
  readonly text: Messages["depth"];
  onRelease(): void;
}

export function reading({ result: { layers, curves }, place, direction, held, text, onRelease }: Reading): TemplateResult {
  const title = text.places(place, layers);
  const cell = (values: readonly number[], shown: boolean): TemplateResult =>
    html`<td class=${shown ? "shown" : ""} title=${fullPrecision(values[place]!)}>${formatNumber(values[place]!, 3)}</td>`;
  return html`<section part="card" class="card reading" aria-label=${title}>
    <div class="card-head"><h2>${title} ${held ? html`<button class="chip" type="button" title=${text.lockedTitle} @click=${onRelease}>${text.locked} ×</button>` : nothing}</h2></div>
    <table>
      <thead><tr><td></td><th scope="col">${text.gradient}</th><th scope="col">${text.stream}</th></tr></thead>
      <tbody>${curves.map(({ variant, gradient, activation }) => html`<tr>
        <th scope="row"><span>${swatch(variant)}${text.short[variant]}</span><span class="wiring">${formulas[variant]}</span></th>
        ${cell(gradient, direction === "backward")}${cell(activation, direction === "forward")}
      </tr>`)}</tbody>
    </table>
    <p class="note">${text.readingNote}</p>
  </section>`;
}
