/** How wide F(x) is: the error that unequal widths give, the projection that mends it, and every shape written out. */
import { css, html, nothing, type TemplateResult } from "lit";
import { grouped } from "../../locales/grouped.js";
import type { Messages } from "../../locales/index.js";
import type { ResidualResult } from "../../state/compute-residual.js";
import type { Matrix } from "../../state/matrix.js";
import { schema, type State } from "../../state/schema.js";
import type { FieldChange } from "../parts/number-field.js";
import { segmented } from "../parts/segmented.js";
import type { Theme } from "../parts/theme.js";
import { cellRows, type CellRow } from "./cells.js";

export interface WidthCard {
  readonly result: ResidualResult;
  readonly row: number;
  readonly text: Messages["residual"];
  readonly theme: Theme;
  change(patch: Partial<State>, how?: "push" | "preview"): void;
}

export const widthCardStyles = css`
  .width-card { display: grid; gap: 0.85em; grid-template-columns: minmax(0, 1fr); align-content: start; }
  .width-card .card-head { margin: 0; }
  .width-card .about { font-size: 0.85em; max-width: 66ch; }
  .width-choice { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 11em); gap: 0.5em 1.2em; align-items: center; }
  .mend { display: grid; gap: 0.4em; }
  .mend > span { font-size: 0.85em; }
  .shapes { display: grid; grid-template-columns: max-content max-content minmax(0, 1fr); gap: 0.2em 1.2em; font: 0.78em/1.5 var(--mono); align-items: baseline; }
  .shapes .size { text-align: end; font-variant-numeric: tabular-nums; white-space: pre; }
  .shapes .how { color: var(--muted); overflow-wrap: anywhere; }
  .shapes .total { font-weight: 700; }
  .thrown { display: grid; gap: 0.35em; padding: 0.6em 0.8em; border: 1px solid var(--warning); border-radius: 6px; font: 0.76em/1.5 var(--mono); overflow-wrap: anywhere; }
  .thrown .call { color: var(--muted); }
  .thrown .message { color: var(--warning); }
  .thrown div + div { padding-top: 0.35em; border-top: 1px solid var(--hairline); }
`;

export function widthCard(context: WidthCard): TemplateResult {
  const { result, row, text, theme, change } = context;
  const { cols, width } = result;
  const { parse, min, max } = schema.fWidth;
  const half = Math.ceil(cols / 2);
  return html`<section part="card" class="card width-card" aria-label=${text.widthTitle}>
    <div class="card-head"><h2>${text.widthTitle}</h2></div>
    <p class="about">${text.widthAbout}</p>
    <div class="width-choice">
      ${segmented<number>({
        name: "width", label: text.width, mono: true, value: width, onSelect: (chosen) => change({ fWidth: chosen === cols ? 0 : chosen }),
        segments: [...new Set([half, cols, 2 * cols])].filter((value) => value <= max!).map((value) => ({ value, text: String(value), title: text.widthTo(value) })),
      })}
      <addnorm-number-field .label=${text.width} .problem=${text.widthProblem(max!)} .step=${1} .value=${width} .parse=${(typed: string) => parse(typed) || undefined}
        @field-change=${({ detail }: CustomEvent<FieldChange>) => change({ fWidth: detail.value === cols ? min! : detail.value as number }, detail.how)}></addnorm-number-field>
    </div>
    ${projectionChoice(context)}
    ${cellRows(sidesOf(result, row), theme)}
    ${result.refusals.length ? thrown(context) : nothing}
    ${shapes(result, text)}
    ${result.projects === "stream" ? html`<p class="about">${text.streamProjected}</p>` : nothing}
  </section>`;
}

/** What is to be added: with a projection, what it made of one side. */
function sidesOf({ stream, branch, projects }: ResidualResult, row: number): CellRow[] {
  const rowOf = ({ data, cols }: Matrix): Float32Array => data.subarray(row * cols, (row + 1) * cols);
  return [
    { name: sumHeads(projects).old, role: "stream", values: rowOf(stream) },
    { name: projects === "branch" ? "F(x)Pᵀ" : "F(x)", role: "branch", values: rowOf(branch) },
  ];
}

/** Above all that it changes, so that it stays where it is when it is used. */
function projectionChoice({ result: { cols, width, projects }, text, change }: WidthCard): TemplateResult {
  const agree = width === cols;
  return html`<div class="mend"><span>${text.projection}${agree ? html`<span class="muted"> · ${text.widthsAgree}</span>` : nothing}</span>${segmented<State["projection"]>({
    name: "projection", label: text.projection, value: projects, disabled: agree, onSelect: (projection) => change({ projection }),
    segments: [
      { value: "none", text: text.projections.none },
      { value: "branch", text: text.projections.branch, title: text.projectionTitles.branch(width, cols) },
      { value: "stream", text: text.projections.stream, title: text.projectionTitles.stream(cols, width) },
    ],
  })}</div>`;
}

/** The button that mends unequal widths; the diff has one, too. */
export function addButton(text: Messages["residual"], onAdd: () => void): TemplateResult {
  return html`<div><button class="button add-projection" type="button" @click=${onAdd}>${text.addProjection}</button></div>`;
}

/** The package's own words, so in English. */
function thrown({ result: { refusals, cols, width }, text, change }: WidthCard): TemplateResult {
  return html`<p class="problem">${text.refused(cols, width)}</p>
    <div class="thrown" lang="en">${refusals.map(({ call, name, message }) => html`<div><span class="call">${call}</span><br><span class="message">${name}: ${message}</span></div>`)}</div>
    ${addButton(text, () => change({ projection: "branch" }))}`;
}

function shapes({ rows, cols, width, map, projects, sum }: ResidualResult, text: Messages["residual"]): TemplateResult {
  const size = (a: number, b: number): string => `${grouped(a)} × ${grouped(b)}`;
  const lines: [symbol: string, size: string, how: string, role: string][] = [
    ["x", size(rows, cols), text.shapeNotes.x, "stream"],
    ...(map ? [["W", size(width, cols), text.shapeNotes.weight, "branch"] as [string, string, string, string]] : []),
    ["F(x)", size(rows, width), map ? "x Wᵀ" : "attn_output", "branch"],
    ...(projects === "branch" ? [["P", size(cols, width), text.shapeNotes.weight, "branch"], ["F(x)Pᵀ", size(rows, cols), text.shapeNotes.back, "branch"]] as [string, string, string, string][] : []),
    ...(projects === "stream" ? [["Wₛ", size(width, cols), text.shapeNotes.weight, "stream"], ["xWₛᵀ", size(rows, width), text.shapeNotes.shortcut, "stream"]] as [string, string, string, string][] : []),
    ["y", sum ? size(rows, sum.cols) : "—", sum ? sumText(projects) : text.shapeNotes.noSum, "total"],
  ];
  return html`<div class="shapes" role="group" aria-label=${text.shapes}>${lines.map(([symbol, dimensions, how, role]) =>
    html`<span class=${role}>${symbol}</span><span class="size">${dimensions}</span><span class="how">${how}</span>`)}</div>`;
}

/** What stands on both sides of the sum, and the sum. */
export const sumHeads = (projects: State["projection"]) =>
  ({ old: projects === "stream" ? "xWₛᵀ" : "x", delta: projects === "branch" ? "s·F(x)Pᵀ" : "s·F(x)", next: "y" });

/** The sum as the projection has it. */
export function sumText(projects: State["projection"]): string {
  const { old, delta } = sumHeads(projects);
  return `${old} + ${delta}`;
}
