/** <addnorm-own-numbers>: the dialog in which a person pastes a table or opens a file, chooses a matrix and sees how it begins. */
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Matrix } from "../state/matrix.js";
import { describeChoice, firstChoice, matrixOf, type Choice } from "./own-numbers/choice.js";
import { choosing } from "./own-numbers/choosing.js";
import { readAway } from "./own-numbers/read-away.js";
import type { Fault, Given, Reading } from "./own-numbers/reading.js";
import { dialogStyles } from "./own-numbers/styles.js";
import { define } from "./parts/define.js";
import "./parts/number-field.js";
import { StoreElement } from "./parts/store-element.js";
import { baseStyles } from "./parts/theme.js";

type Phase =
  | { readonly kind: "empty" }
  | { readonly kind: "reading"; readonly name: string; readonly bytes: number }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "read"; readonly choice: Choice; readonly refused: readonly Fault[] };

const FORMATS = ".npy,.npz,.safetensors,.csv,.tsv,.txt,.json";
/** After the last key, so that a table that is being typed is not called wrong at every comma. */
const TYPING_PAUSE_MS = 400;

/** Fires "own-numbers" with the Matrix that was chosen. */
export class AddnormOwnNumbers extends StoreElement {
  static override properties: PropertyDeclarations = {
    ...StoreElement.properties,
    phase: { state: true },
    over: { state: true },
  };

  declare private phase: Phase;
  /** A file is dragged over the drop zone. */
  declare private over: boolean;
  #work = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;

  static override styles = [baseStyles, dialogStyles, css`:host { display: contents !important; }`];

  constructor() {
    super();
    this.phase = { kind: "empty" };
    this.over = false;
  }

  /** Shows the dialog, and reads the file when one is given. */
  open(file?: File): void {
    if (!this.#dialog.open) {
      this.#pasteBox.value = "";
      this.#dialog.showModal();
    }
    if (file) void this.#readFile(file);
  }

  protected override content(): TemplateResult {
    const { own } = this.text;
    const ready = this.phase.kind === "read" && describeChoice(this.phase.choice).usedRows > 0;
    return html`<dialog aria-labelledby="title" @close=${this.#forget} @dragover=${this.#onDrag} @dragleave=${() => (this.over = false)} @drop=${this.#onDrop}>
      <form method="dialog" @submit=${this.#use}>
        <h2 id="title">${own.title}</h2>
        <p class="lead">${own.lead}</p>
        <label for="paste">${own.paste}</label>
        <textarea id="paste" class="mono" rows="5" spellcheck="false" autocomplete="off" aria-describedby="paste-hint" @input=${this.#onType}></textarea>
        <p class="note" id="paste-hint">${own.pasteHint}</p>
        <div class="zone ${this.over ? "over" : ""}">
          <button type="button" class="button" @click=${() => this.renderRoot.querySelector<HTMLInputElement>('input[type="file"]')!.click()}>${own.choose}</button>
          <span class="note">${own.drop}</span>
          <input type="file" hidden accept=${FORMATS} aria-label=${own.choose} @change=${this.#onFile}>
        </div>
        <div class="outcome" role="status">${this.#outcome()}</div>
        <div class="actions">
          <button type="button" class="button" @click=${() => this.#dialog.close()}>${own.cancel}</button>
          <button class="button primary" ?disabled=${!ready}>${own.use}</button>
        </div>
      </form>
    </dialog>`;
  }

  #outcome(): TemplateResult | typeof nothing {
    const { phase, text: { own } } = this;
    const kept = html`<p class="note">${own.kept}</p>`;
    switch (phase.kind) {
      case "empty": return nothing;
      case "reading": return html`<p class="size">${own.reading(phase.name, phase.bytes)}</p><progress aria-label=${own.reading(phase.name, phase.bytes)}></progress>`;
      case "fault": return html`<p class="problem">${own.fault(phase.fault)}</p>${kept}`;
      case "unreadable": return html`<p class="problem">${own.unreadable(phase.reason)}</p>${kept}`;
      case "read": return html`
        ${choosing(phase.choice, own, (choice) => (this.phase = { ...phase, choice }))}
        ${phase.refused.map((fault) => html`<p class="note">${own.refused} · ${own.fault(fault)}</p>`)}`;
    }
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }

  get #pasteBox(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  /** A closed dialog reads nothing and holds no arrays. */
  #forget(): void {
    this.#begin();
    this.phase = { kind: "empty" };
  }

  /** Calls off what is being read, and gives the signal for what comes next. */
  #begin(): AbortSignal {
    clearTimeout(this.#typing);
    this.#work.abort();
    this.#work = new AbortController();
    return this.#work.signal;
  }

  async #readFile(file: File): Promise<void> {
    const signal = this.#begin();
    this.#pasteBox.value = "";
    this.phase = { kind: "reading", name: file.name, bytes: file.size };
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch (error) {
      if (!signal.aborted) this.phase = { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
      return;
    }
    await this.#read({ bytes, name: file.name }, signal);
  }

  async #read(given: Given, signal: AbortSignal): Promise<void> {
    let reading: Reading;
    try {
      reading = await readAway(given, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (signal.aborted) return;
    this.phase = "fault" in reading
      ? { kind: "fault", fault: reading.fault }
      : { kind: "read", choice: firstChoice(reading.tensors), refused: reading.refused };
  }

  #onType(): void {
    const signal = this.#begin();
    const text = this.#pasteBox.value;
    if (text.trim() === "") {
      this.phase = { kind: "empty" };
      return;
    }
    this.#typing = setTimeout(() => void this.#read({ text, name: this.text.own.pasted }, signal), TYPING_PAUSE_MS);
  }

  #onFile(event: Event): void {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.#readFile(file);
    // The same file, mended in the meantime, may be chosen again.
    input.value = "";
  }

  #onDrag(event: DragEvent): void {
    event.preventDefault();
    this.over = true;
  }

  #onDrop(event: DragEvent): void {
    // Tells the page, which takes drops too, that this one is taken.
    event.preventDefault();
    this.over = false;
    const file = event.dataTransfer?.files[0];
    if (file) void this.#readFile(file);
  }

  #use(event: Event): void {
    if (this.phase.kind !== "read") {
      event.preventDefault();
      return;
    }
    this.dispatchEvent(new CustomEvent<Matrix>("own-numbers", { detail: matrixOf(this.phase.choice) }));
  }
}

define("addnorm-own-numbers", AddnormOwnNumbers);
