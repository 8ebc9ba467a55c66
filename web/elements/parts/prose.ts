/** A sentence of the catalogue with marks, "{stream|The stream} runs down": a role gives its colour, code its type. */
import { html, type TemplateResult } from "lit";

const MARK = /\{(stream|branch|statistic|parameter|code)\|([^}]*)\}/;

export function prose(sentence: string): TemplateResult {
  // split with two groups gives: text, role, words, text, role, words, ..., text
  const pieces = sentence.split(MARK);
  return html`${pieces.map((piece, i) => {
    if (i % 3 === 0) return piece;
    if (i % 3 === 1) return "";
    const role = pieces[i - 1]!;
    return role === "code" ? html`<code class="mono">${piece}</code>` : html`<strong class=${role}>${piece}</strong>`;
  })}`;
}
