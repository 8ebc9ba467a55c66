/** What F is, and the slider for its scale: while it moves all follows, and its end is one step of the history. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { schema, type State } from "../../state/schema.js";
import type { FieldChange } from "../parts/number-field.js";
import { segmented } from "../parts/segmented.js";

export interface ScaleStrip {
  readonly state: State;
  readonly text: Messages["residual"];
  /** Says what this scale makes of the sum. */
  readonly meaning: string;
  change(patch: Partial<State>, how: "push" | "preview"): void;
}

/** What an arrow key and a pixel or two move. */
const STEP = 0.05;

export const scaleStripStyles = css`
  .strip { display: grid; grid-template-columns: minmax(0, 32em) minmax(0, 1fr); gap: 0.5em 2.5em; align-items: start; }
  .slider { display: grid; grid-template-columns: auto minmax(0, 1fr) 6em; gap: 0 0.9em; align-items: center; }
  .slider label { font-size: 0.9em; white-space: nowrap; }
  .slider input[type="range"] { width: 100%; margin: 0; height: 1.6em; accent-color: var(--parameter); cursor: pointer; }
  .slider .ends { grid-column: 2; display: flex; justify-content: space-between; font: 0.72em/1.2 var(--mono); color: var(--muted); padding-inline: 0.45em; }
  .kind { display: flex; align-items: center; gap: 0.7em; }
  .kind .segmented { flex: 0 1 16em; }
  .kind > span { font-size: 0.9em; white-space: nowrap; }
  .meaning { grid-column: 1 / -1; min-height: 1.5em; font-size: 0.9em; }
  .meaning strong { font-weight: 650; }
  @container (max-width: 44em) { .strip { grid-template-columns: minmax(0, 1fr); } .meaning { min-height: 3em; } }
`;

export function scaleStrip({ state, text, meaning, change }: ScaleStrip): TemplateResult {
  const { min, max, parse } = schema.fScale;
  return html`<div class="strip">
    <div class="slider">
      <label for="scale">${text.scale}</label>
      <input id="scale" type="range" min=${min!} max=${max!} step=${STEP} .value=${String(state.fScale)} aria-describedby="meaning"
        @keydown=${(event: KeyboardEvent) => hold(event)} @keyup=${(event: Event) => settle(event, change)} @blur=${(event: Event) => settle(event, change)}
        @input=${(event: Event) => change({ fScale: valueOf(event) }, "preview")}
        @change=${(event: Event) => held.has(event.currentTarget!) || change({ fScale: valueOf(event) }, "push")}>
      <addnorm-number-field .label=${"s"} .tone=${"parameter"} .hint=${text.scaleHint} .problem=${text.scaleProblem(min!, max!)} .step=${STEP} .parse=${parse} .value=${state.fScale}
        @field-change=${({ detail }: CustomEvent<FieldChange>) => change({ fScale: detail.value as number }, detail.how)}></addnorm-number-field>
      <div class="ends" aria-hidden="true"><span>0</span><span>1</span><span>2</span></div>
    </div>
    <div class="kind"><span class="branch mono" aria-hidden="true">F(x)</span>${segmented<State["fKind"]>({
      name: "kind", label: text.kind, value: state.fKind, onSelect: (fKind) => change({ fKind }, "push"),
      segments: [{ value: "linear", text: "xWᵀ", title: text.linearTitle }, { value: "drawn", text: text.drawn, title: text.drawnTitle }],
    })}</div>
    <p class="meaning" id="meaning" role="status">${meaning}</p>
  </div>`;
}

/** Sliders on which a key is held: browsers tell a change at each repeat, the history wants one. */
const held = new WeakSet<EventTarget>();

const valueOf = (event: Event): number => Number((event.currentTarget as HTMLInputElement).value);

function hold({ key, currentTarget }: KeyboardEvent): void {
  if (/^(?:Arrow|Page|Home|End)/.test(key)) held.add(currentTarget!);
}

function settle(event: Event, change: ScaleStrip["change"]): void {
  if (held.delete(event.currentTarget!)) change({ fScale: valueOf(event) }, "push");
}
