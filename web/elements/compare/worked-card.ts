/** The chosen number worked out under one of the norms. */
import { html, nothing, type TemplateResult } from "lit";
import type { Addnorm } from "../../lib/index.js";
import type { Messages } from "../../locales/index.js";
import { normIds, type CompareResult, type NormId } from "../../state/compute-compare.js";
import type { State } from "../../state/schema.js";
import { formula } from "../parts/formula.js";
import type { Place } from "../parts/grid-keys.js";
import { prose } from "../parts/prose.js";
import { segmented } from "../parts/segmented.js";
import { NORM_NAMES } from "./norm-names.js";
import { worked } from "./worked.js";

interface WorkedCard {
  readonly an: Addnorm;
  readonly result: CompareResult;
  readonly state: State;
  readonly norm: NormId;
  readonly place: Place;
  readonly held: boolean;
  readonly text: Messages["compare"];
  onNorm(norm: NormId): void;
  onRelease(): void;
}

export function workedCard({ an, result, state, norm, place, held, text, onNorm, onRelease }: WorkedCard): TemplateResult {
  const { tex, numbers, source } = worked(an, result, state, norm, place, text);
  return html`<section part="card" class="card" aria-label=${text.workedTitle(NORM_NAMES[norm])}>
    <div class="card-head"><h2>${text.workedTitle(NORM_NAMES[norm])}
      ${held ? html`<button class="chip" type="button" title=${text.lockedTitle} @click=${onRelease}>${text.locked} ×</button>` : nothing}</h2></div>
    <div class="which">${segmented<NormId>({
      name: "norm", label: text.workedNorm, value: norm, onSelect: onNorm, segments: normIds.map((id) => ({ value: id, text: NORM_NAMES[id] })),
    })}</div>
    <p class="place">${text.cell(Math.floor(place.row / result.tokens), place.row % result.tokens, place.col)}</p>
    <dl class="worked">
      <dt>${text.formula}</dt><dd class="symbols" lang="en">${formula(tex)}</dd>
      <dt>${text.numbers}</dt><dd class="line mono">${numbers.map(({ text: words, role }) => html`<span class=${role ?? ""}>${words}</span>`)}</dd>
      <dt>${text.source}</dt><dd class="from">${prose(source)}</dd>
    </dl>
  </section>`;
}
