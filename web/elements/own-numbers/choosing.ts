/** The part of the dialog below the input: which array, which slice, and how it begins. */
import { html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { integer } from "../../state/kinds.js";
import { formatTable, TABLE_TEXT_LIMIT } from "../../state/matrix.js";
import { formatFor, scaleOf } from "../parts/format.js";
import type { FieldChange } from "../parts/number-field.js";
import { cellOf, describeChoice, firstChoice, matrixOf, type Choice } from "./choice.js";

const PREVIEW_ROWS = 5;
const PREVIEW_COLS = 6;

export function choosing(choice: Choice, text: Messages["own"], onChoice: (choice: Choice) => void): TemplateResult {
  const { tensor, leading, rows, cols, usedRows } = describeChoice(choice);
  return html`
    ${choice.tensors.length > 1 ? html`<label class="which"><span>${text.which}</span>
      <select class="button" @change=${(event: Event) => onChoice(firstChoice(choice.tensors, (event.target as HTMLSelectElement).selectedIndex))}>
        ${choice.tensors.map(({ name, shape, dtype }, i) => html`<option .selected=${i === choice.chosen}>${name} · ${text.shape(shape)} · ${dtype}</option>`)}
      </select></label>` : nothing}
    ${leading.length ? slicing(choice, leading, text, onChoice) : nothing}
    ${usedRows === 0 ? html`<p class="problem" role="alert">${text.tooWide(cols)}</p>` : html`
      ${preview(choice, rows, cols, text)}
      ${usedRows < rows ? html`<p class="problem">${text.cut(usedRows, rows)}</p>` : nothing}
      ${tensor.warnings.map((warning) => html`<p class="note">${text.warning(warning)}</p>`)}
      <p class="note">${fitsLink(choice) ? text.inLink : text.inMemory}</p>`}`;
}

function slicing(choice: Choice, leading: readonly number[], text: Messages["own"], onChoice: (choice: Choice) => void): TemplateResult {
  return html`<fieldset><legend>${text.slice}</legend><div class="axes">
    ${leading.map((size, axis) => html`<addnorm-number-field stacked label=${text.axis(axis, size)} problem=${text.axisProblem(size)} .step=${1} .value=${choice.indices[axis]}
      .parse=${integer(0, 0, size - 1, "").parse}
      @field-change=${({ detail }: CustomEvent<FieldChange>) => onChoice({ ...choice, indices: choice.indices.with(axis, detail.value as number) })}></addnorm-number-field>`)}
  </div></fieldset>`;
}

function preview(choice: Choice, rows: number, cols: number, text: Messages["own"]): TemplateResult {
  const rowIndices = Array.from({ length: Math.min(rows, PREVIEW_ROWS) }, (_, row) => row);
  const colIndices = Array.from({ length: Math.min(cols, PREVIEW_COLS) }, (_, col) => col);
  const format = formatFor(scaleOf(rowIndices.flatMap((row) => colIndices.map((col) => cellOf(choice, row, col)))), 4);
  const more = cols > PREVIEW_COLS;
  return html`<p class="size"><strong>${text.preview(rows, cols)}</strong> <span class="muted">${choice.tensors[choice.chosen]!.name}</span></p>
    <div class="preview" tabindex="0" role="region" aria-label=${text.previewTable}><table class="mono">
      <thead><tr><td></td>${colIndices.map((col) => html`<th scope="col">${col}</th>`)}${more ? html`<td>…</td>` : nothing}</tr></thead>
      <tbody>${rowIndices.map((row) => html`<tr><th scope="row">${row}</th>
        ${colIndices.map((col) => html`<td>${format(cellOf(choice, row, col))}</td>`)}${more ? html`<td>…</td>` : nothing}</tr>`)}
        ${rows > PREVIEW_ROWS ? html`<tr><th scope="row">…</th>${colIndices.map(() => html`<td>…</td>`)}${more ? html`<td></td>` : nothing}</tr>` : nothing}
      </tbody>
    </table></div>`;
}

/** Each number takes at least two characters, so most large matrices need not be written out to know. */
function fitsLink(choice: Choice): boolean {
  const { usedRows, cols } = describeChoice(choice);
  return usedRows * cols * 2 <= TABLE_TEXT_LIMIT && formatTable(matrixOf(choice)) !== "";
}
