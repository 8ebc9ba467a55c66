/** The question to answer with the slider, with a button that moves it and an answer that is folded away. */
import { html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";

/** What the button makes of a batch of one. */
const LARGER = 4;

interface Question {
  readonly token: number;
  readonly sequences: number;
  readonly text: Messages["compare"];
  onBatch(batch: number): void;
}

export function question({ token, sequences, text, onBatch }: Question): TemplateResult {
  const alone = sequences === 1;
  return html`<div class="question" part="question">
    <p>${text.question(token)}</p>
    <details><summary>${text.answer}</summary><p>${text.answerText}</p></details>
    <button class="button" type="button" @click=${() => onBatch(alone ? LARGER : 1)}>${alone ? text.enlarge(LARGER) : text.alone}</button>
  </div>`;
}
