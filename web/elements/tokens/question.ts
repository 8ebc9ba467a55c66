/** The question to think about before a bar is dragged, with a button that does it and an answer that is folded away. */
import { html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { formatPlain } from "../parts/format.js";

interface Question {
  readonly token: number;
  readonly feature: number;
  readonly features: number;
  readonly rms: boolean;
  readonly text: Messages["tokens"];
  /** Adds to the number that the question is about. */
  onTry(amount: number): void;
}

const AMOUNT = 10;

export function question({ token, feature, features, rms, text, onTry }: Question): TemplateResult {
  const alone = features === 1;
  const answer = alone ? (rms ? text.answerAloneRms : text.answerAlone) : rms ? text.answerRms : text.answerLayer(features, formatPlain(AMOUNT / features, 3));
  return html`<div class="question" part="question">
    <p>${alone ? text.questionAlone : text.question(token, feature, features - 1)}</p>
    <details>
      <summary>${text.answer}</summary>
      <p>${answer}</p>
    </details>
    ${alone ? nothing : html`<button class="button" type="button" @click=${() => onTry(AMOUNT)}>${text.tryIt}</button>`}
  </div>`;
}
