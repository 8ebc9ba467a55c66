/** A slider with a field for the same number: while it moves all follows, and its end is one step of the history. */
import { css, html, type TemplateResult } from "lit";
import type { FieldChange } from "./number-field.js";

export interface Slider {
  /** Unique within the shadow root. */
  readonly id: string;
  readonly label: string;
  /** The field's own label. */
  readonly symbol: string;
  readonly hint: string;
  /** Said when the typed text is no value. */
  readonly problem: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** Nothing can be moved now; say why beside it. */
  readonly disabled?: boolean;
  parse(text: string): number | undefined;
  onMove(value: number, how: "push" | "preview"): void;
}

export const sliderStyles = css`
  .slider { display: grid; grid-template-columns: minmax(0, 1fr) 6em; gap: 0 0.9em; align-items: center; }
  .slider label { grid-column: 1; font-size: 0.9em; }
  .slider input[type="range"] { grid-column: 1; width: 100%; margin: 0; height: 1.6em; accent-color: var(--stream); cursor: pointer; }
  .slider input[type="range"]:disabled { cursor: default; }
  .slider .ends { grid-column: 1; display: flex; justify-content: space-between; font: 0.72em/1.2 var(--mono); color: var(--muted); padding-inline: 0.45em; }
  .slider addnorm-number-field { grid-column: 2; grid-row: 2; }
`;

export function slider({ id, label, symbol, hint, problem, min, max, step, value, disabled = false, parse, onMove }: Slider): TemplateResult {
  const bounded = (text: string): number | undefined => {
    const number = parse(text);
    return number === undefined || number < min || number > max ? undefined : number;
  };
  return html`<div class="slider">
    <label for=${id}>${label}</label>
    <input id=${id} type="range" min=${min} max=${max} step=${step} .value=${String(value)} ?disabled=${disabled}
      @keydown=${hold} @keyup=${(event: Event) => settle(event, onMove)} @blur=${(event: Event) => settle(event, onMove)}
      @input=${(event: Event) => onMove(valueOf(event), "preview")}
      @change=${(event: Event) => held.has(event.currentTarget!) || onMove(valueOf(event), "push")}>
    <addnorm-number-field .label=${symbol} .hint=${`${label}. ${hint}`} .problem=${problem} .step=${step} .parse=${bounded} .value=${value} ?disabled=${disabled}
      @field-change=${({ detail }: CustomEvent<FieldChange>) => onMove(detail.value as number, detail.how)}></addnorm-number-field>
    <div class="ends" aria-hidden="true"><span>${min}</span><span>${max}</span></div>
  </div>`;
}

/** Sliders on which a key is held: browsers tell a change at each repeat, the history wants one. */
const held = new WeakSet<EventTarget>();

const valueOf = (event: Event): number => Number((event.currentTarget as HTMLInputElement).value);

function hold({ key, currentTarget }: KeyboardEvent): void {
  if (/^(?:Arrow|Page|Home|End)/.test(key)) held.add(currentTarget!);
}

function settle(event: Event, onMove: Slider["onMove"]): void {
  if (held.delete(event.currentTarget!)) onMove(valueOf(event), "push");
}
