/** The sliders for the batch and its padding, and what the small multiples show. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { CompareResult } from "../../state/compute-compare.js";
import { schema, type State } from "../../state/schema.js";
import type { FieldChange } from "../parts/number-field.js";
import { segmented } from "../parts/segmented.js";
import { slider } from "../parts/slider.js";

export interface Strip {
  readonly state: State;
  readonly result: CompareResult;
  readonly text: Messages["compare"];
  change(patch: Partial<State>, how: "push" | "preview"): void;
}

export const stripStyles = css`
  .strip { display: grid; gap: 0.7em 2.2em; grid-template-columns: minmax(0, 1fr); align-items: end; }
  .strip .about { display: flex; flex-wrap: wrap; gap: 0 0.5em; min-height: 1.5em; font-size: 0.85em; color: var(--muted); }
  .strip .choices { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5em 1.6em; }
  .strip .choices .segmented { flex: 0 1 26em; }
  .strip .settings { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em 1.6em; }
  .strip .settings label { display: flex; align-items: center; gap: 0.6em; font-size: 0.9em; }
  .strip select { min-height: 1.9em; padding: 0.1em 0.4em; font-family: var(--mono); font-size: 0.92em; color: var(--ink); background: var(--card); border: 1px solid var(--outline); border-radius: 4px; }
  @container (max-width: 26em) { .strip .about { min-height: 4.5em; align-content: start; } }
  @container (min-width: 40em) { .strip { grid-template-columns: repeat(2, minmax(0, 1fr)); } .strip > :is(.about, .choices) { grid-column: 1 / -1; } }
`;

export function strip({ state, result, text, change }: Strip): TemplateResult {
  const { sequences, tokens, cols, counted, padding, most, groups } = result;
  const longest = Math.max(1, tokens - 1);
  const [batch, alpha] = [schema.batch, schema.dytAlpha];
  return html`<div class="strip">
    ${slider({
      id: "batch", label: text.batch, symbol: "B", hint: text.batchHint, problem: text.sliderProblem(1, most), min: 1, max: most, step: 1, value: sequences, disabled: most === 1,
      parse: batch.parse, onMove: (value, how) => change({ batch: value }, how),
    })}
    ${slider({
      id: "padding", label: text.padding, symbol: "P", hint: text.paddingHint, problem: text.sliderProblem(0, tokens - 1), min: 0, max: longest, step: 1, value: padding,
      disabled: sequences === 1 || tokens === 1, parse: schema.padding.parse, onMove: (value, how) => change({ padding: value }, how),
    })}
    <p class="about" role="status"><span>${text.batchOf(sequences, tokens, counted, sequences * tokens - counted)}</span>
      <span>${most < batch.max! ? text.limited(most) : sequences === 1 ? text.noPadding : ""}</span></p>
    <div class="choices">
      ${segmented<State["compareShow"]>({
        name: "show", label: text.show, value: state.compareShow, onSelect: (compareShow) => change({ compareShow }, "push"),
        segments: [{ value: "shared", text: text.shows.shared }, { value: "numbers", text: text.shows.numbers }],
      })}
      <div class="settings">
        <label><span>${text.groups}</span><select @change=${(event: Event) => change({ groups: Number((event.target as HTMLSelectElement).value) }, "push")}>
          ${divisorsOf(cols).map((divisor) => html`<option value=${divisor} .selected=${divisor === groups}>${divisor}</option>`)}
        </select></label>
        <addnorm-number-field .label=${text.alpha} .tone=${"parameter"} .hint=${text.alphaHint} .problem=${text.alphaProblem(alpha.min!, alpha.max!)} .step=${0.1}
          .parse=${alpha.parse} .value=${state.dytAlpha} @field-change=${({ detail }: CustomEvent<FieldChange>) => change({ dytAlpha: detail.value as number }, detail.how)}></addnorm-number-field>
      </div>
    </div>
  </div>`;
}

const divisorsOf = (cols: number): number[] => Array.from({ length: cols }, (_, i) => i + 1).filter((divisor) => cols % divisor === 0);
