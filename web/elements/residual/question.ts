/** The question to answer with the slider, with a button that moves it and an answer that is folded away. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";

export const questionStyles = css`
  .question { display: flex; flex-wrap: wrap; gap: 0.4em 1em; align-items: center; }
  .question > p { flex: 1 1 100%; }
  .question summary { cursor: pointer; font-size: 0.9em; }
  .question details { font-size: 0.95em; }
  .question details[open] { flex: 1 1 100%; }
  .question .button { font-size: 0.85em; }
`;

interface Question {
  readonly scale: number;
  readonly text: Messages["residual"];
  onScale(scale: number): void;
}

export function question({ scale, text, onScale }: Question): TemplateResult {
  return html`<div class="question" part="question">
    <p>${text.question}</p>
    <details><summary>${text.answer}</summary><p>${text.answerText}</p></details>
    <button class="button" type="button" @click=${() => onScale(scale === 0 ? 1 : 0)}>${scale === 0 ? text.backToOne : text.setToZero}</button>
  </div>`;
}
