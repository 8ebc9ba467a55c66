/** The question to answer with the gain's slider, with a button that clears the stage and an answer that is folded away. */
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

export function question(text: Messages["depth"], onTry: () => void): TemplateResult {
  return html`<div class="question" part="question">
    <p>${text.question}</p>
    <details><summary>${text.answer}</summary><p>${text.answerText}</p></details>
    <button class="button" type="button" @click=${onTry}>${text.tryIt}</button>
  </div>`;
}
