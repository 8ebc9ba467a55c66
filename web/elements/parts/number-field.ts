/** <addnorm-number-field>: a label and a value that is typed, or stepped with the arrow keys; wrong text is said, not taken. */
import { css, html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { parseNumber } from "../../state/number-text.js";
import { formatParameter } from "./format.js";
import { partStyles } from "./theme.js";

export interface FieldChange {
  readonly value: unknown;
  /** "preview" while an arrow key is held, "push" when the value is settled. */
  readonly how: "push" | "preview";
}

export class NumberField extends LitElement {
  static override properties: PropertyDeclarations = {
    label: {}, hint: {}, value: { attribute: false }, step: { type: Number }, tone: {},
    parse: { attribute: false }, format: { attribute: false }, problem: {}, stacked: { type: Boolean }, disabled: { type: Boolean }, long: { type: Boolean },
    wrong: { state: true },
  };

  declare label: string;
  /** What a screen reader hears after the name. */
  declare hint: string;
  declare value: unknown;
  /** What an arrow key adds; 0 when the value is not one number. Shift makes it ten times larger. */
  declare step: number;
  /** Colour role of the label: "statistic", "parameter" or "". */
  declare tone: string;
  /** undefined for text that is not a value; a line of the state table brings its own. */
  declare parse: (text: string) => unknown;
  declare format: (value: never) => string;
  /** Said when the text is not a value. */
  declare problem: string;
  /** The label above the field instead of before it. */
  declare stacked: boolean;
  declare disabled: boolean;
  /** The text may be long, so the field takes the room that there is. */
  declare long: boolean;
  declare private wrong: boolean;
  #stepped = false;

  static override styles = [partStyles, css`
    label { display: flex; align-items: center; justify-content: space-between; gap: 0.75em; font-size: 0.9em; min-height: 1.95em; }
    :host([stacked]) label { display: block; }
    .name { white-space: nowrap; }
    input {
      flex: 0 1 7em; width: 7em; min-width: 4em; padding: 0.2em 0.4em; text-align: end; font-size: 0.92em;
      border: 1px solid transparent; border-bottom-color: var(--hairline); border-radius: 4px; background: transparent;
    }
    :host([long]) input { flex: 1 1 11em; max-width: 11em; }
    :host([stacked]) input { width: 100%; text-align: start; border-color: var(--hairline); }
    input:disabled { color: var(--muted); border-bottom-style: dashed; }
    input:hover:enabled { border-color: var(--outline); }
    input:focus { border-color: var(--focus); outline: 1px solid var(--focus); outline-offset: 0; background: var(--card); }
    input[aria-invalid="true"] { border-color: var(--warning); }
    .problem { display: block; font-size: 0.8em; margin: 0.15em 0 0.4em; }
  `];

  constructor() {
    super();
    this.label = this.hint = this.problem = this.tone = "";
    this.value = 0;
    this.step = 0;
    this.parse = parseNumber;
    this.format = formatParameter;
    this.stacked = this.disabled = this.long = this.wrong = false;
  }

  protected override render(): TemplateResult {
    return html`<label>
        <span class="name ${this.tone}">${this.label}</span>
        <input class="mono" type="text" autocomplete="off" spellcheck="false"
          .value=${this.#text} ?disabled=${this.disabled} aria-invalid=${this.wrong} aria-describedby="more"
          @change=${this.#take} @keydown=${this.#onKey} @keyup=${this.#onKeyUp} @blur=${this.#settle}>
      </label>
      <span id="more" class=${this.wrong ? "problem" : "visually-hidden"} role=${this.wrong ? "alert" : nothing}>${this.wrong ? this.problem : this.hint}</span>
    `;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("value")) this.wrong = false;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("value") || changed.has("format")) this.#input.value = this.#text;
  }

  override focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  get #input(): HTMLInputElement {
    return this.renderRoot.querySelector("input")!;
  }

  get #text(): string {
    return (this.format as (value: unknown) => string)(this.value);
  }

  #emit(detail: FieldChange): void {
    this.dispatchEvent(new CustomEvent<FieldChange>("field-change", { detail }));
  }

  #take(): void {
    const value = this.parse(this.#input.value.replaceAll("\u2212", "-"));
    this.wrong = value === undefined;
    if (!this.wrong) this.#emit({ value, how: "push" });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.#input.value = this.#text;
      this.wrong = false;
    }
    const direction = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const current = this.parse(this.#input.value.replaceAll("\u2212", "-"));
    if (!direction || !this.step || typeof current !== "number") return;
    event.preventDefault();
    const moved = this.parse(String(Number((current + direction * this.step * (event.shiftKey ? 10 : 1)).toPrecision(12))));
    if (moved === undefined) return;
    this.#stepped = true;
    this.#emit({ value: moved, how: "preview" });
  }

  #onKeyUp(event: KeyboardEvent): void {
    if (event.key.startsWith("Arrow")) this.#settle();
  }

  #settle(): void {
    if (!this.#stepped) return;
    this.#stepped = false;
    this.#emit({ value: this.value, how: "push" });
  }
}
