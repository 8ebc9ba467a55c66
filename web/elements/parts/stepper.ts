/** Steps in a row: pills as a radio group, between Previous and Next. */
import { css, html, type TemplateResult } from "lit";

export interface StepPill {
  readonly step: number;
  readonly text: string;
}

export interface Stepper {
  readonly steps: readonly StepPill[];
  readonly step: number;
  readonly label: string;
  readonly previous: string;
  readonly next: string;
  /** `walked`: by Previous or Next, which may be shown as a movement. */
  onStep(step: number, walked: boolean): void;
}

export const stepperStyles = css`
  .stepper { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5em; }
  .steps { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5em; }
  .pill {
    position: relative; display: flex; align-items: center; min-height: 2.1em; padding: 0.2em 0.9em; font: 0.88em/1.4 var(--mono);
    color: var(--ink); background: var(--card); border: 1px solid var(--hairline); border-radius: 1.1em; cursor: pointer; white-space: nowrap;
  }
  .pill.ahead { color: var(--muted); }
  .pill:hover { background: var(--quiet); }
  .pill:has(:checked) { border-color: var(--statistic); box-shadow: inset 0 0 0 1px var(--statistic); color: var(--ink); }
  .pill:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 2px; }
  .pill input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
  .arrow { color: var(--muted); }
  .button[aria-disabled="true"] { color: var(--muted); cursor: default; background: none; }
  @container (max-width: 36em) {
    .stepper { justify-content: space-between; }
    .steps { order: 1; flex: 1 0 100%; gap: 0.25em; }
    .pill { font-size: 0.78em; padding-inline: 0.6em; min-height: 2.4em; }
    .arrow { font-size: 0.8em; }
  }
  @media (forced-colors: active) { .pill:has(:checked) { outline: 2px solid Highlight; } }
`;

export function stepper({ steps, step, label, previous, next, onStep }: Stepper): TemplateResult {
  const at = steps.findIndex((pill) => pill.step === step);
  const walk = (by: number) => (): void => {
    const target = steps[at + by];
    if (target) onStep(target.step, true);
  };
  // aria-disabled keeps the focus where it is when the last step is reached.
  return html`<div class="stepper">
    <button class="button" type="button" aria-disabled=${at <= 0} @click=${walk(-1)}>‹ ${previous}</button>
    <div class="steps" role="radiogroup" aria-label=${label}>
      ${steps.map((pill, i) => html`${i ? html`<span class="arrow" aria-hidden="true">→</span>` : ""}
        <label class="pill ${i > at ? "ahead" : ""}"><input type="radio" name="step" .checked=${pill.step === step} @change=${() => onStep(pill.step, false)}><span>${pill.text}</span></label>`)}
    </div>
    <button class="button" type="button" aria-disabled=${at >= steps.length - 1} @click=${walk(1)}>${next} ›</button>
  </div>`;
}
