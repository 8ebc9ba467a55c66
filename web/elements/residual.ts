/** <addnorm-residual>: the residual connection read as a diff, its scale and its gradient, unequal widths, and the stream as a log. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Addnorm } from "../lib/index.js";
import { computeGradient, computeResidual, type Norms, type ResidualResult, type Sum } from "../state/compute-residual.js";
import { computeStream, measureStream } from "../state/compute-residual-stream.js";
import type { Shape } from "../state/matrix.js";
import { AddnormElement } from "./parts/addnorm-element.js";
import { formatParameter, scaleOf } from "./parts/format.js";
import type { Place, StatColumn } from "./parts/heatmap.js";
import { prose } from "./parts/prose.js";
import { commitDetail, commitMatrix } from "./residual/commit-detail.js";
import { diffRows } from "./residual/diff-rows.js";
import { gradientCard } from "./residual/gradient-card.js";
import { logCard } from "./residual/log-card.js";
import { normsTable } from "./residual/norms-table.js";
import { question } from "./residual/question.js";
import { scaleStrip } from "./residual/scale-strip.js";
import { residualStyles } from "./residual/styles.js";
import { addButton, sumHeads, sumText, widthCard } from "./residual/width-card.js";
import { workedBranch, workedLines, workedStream, workedSum } from "./residual/worked.js";
import "./controls.js";
import "./parts/heatmap.js";
import "./parts/number-field.js";

/** The largest scale of F: how far its bars can reach. */
const FARTHEST = 2;

export class AddnormResidual extends AddnormElement {
  static override properties: PropertyDeclarations = {
    ...AddnormElement.properties,
    preview: { state: true },
    held: { state: true },
  };

  static override initial = { view: "residual" } as const;
  static override styles = residualStyles;

  /** The token and feature under the pointer or the focus. */
  declare private preview: Place | null;
  /** The clicked one: hovering no longer changes what is shown. It may lie beyond x's features, where F(x) is wider. */
  declare private held: Place | null;

  #stats: { sum: Sum; text: object; columns: readonly StatColumn[] } | undefined;

  constructor() {
    super();
    this.preview = this.held = null;
  }

  protected override draw(an: Addnorm): TemplateResult {
    const { state } = this;
    const result = computeResidual(an, state, this.store.own);
    const place = this.#place(result);
    const text = this.text.residual;
    const change = this.change.bind(this);
    return html`<div class="view" @keydown=${(event: KeyboardEvent) => event.key === "Escape" && (this.held = null)}>
      ${this.ownControls()}
      <p class="lead" part="lead">${prose(text.lead(place.row))}</p>
      ${question({ scale: state.fScale, text, onScale: (fScale) => this.change({ fScale }) })}
      ${scaleStrip({ state, text, meaning: this.#meaning(result), change })}
      <div class="cards sum">
        ${this.#matrixCard(result, place)}
        ${this.#diffCard(an, result, place)}
      </div>
      <div class="cards">
        ${widthCard({ result, row: place.row, text, theme: this.shownTheme, change })}
        ${this.#gradientCard(an, result, place)}
      </div>
      ${this.#logCard(an, place)}
    </div>`;
  }

  #meaning({ kind, sum }: ResidualResult): string {
    const { meaning } = this.text.residual;
    const { fScale, fKind } = this.state;
    if (kind !== fKind) return meaning.tooLarge;
    if (fScale === 0 && sum) return meaning.zero(sum.unchanged, sum.next.length);
    return fScale === 1 ? meaning.one : meaning.other(formatParameter(fScale));
  }

  #matrixCard(result: ResidualResult, place: Place): TemplateResult {
    const { residual: text, common } = this.text;
    const { sum } = result;
    const { rows, cols } = sum ?? result;
    const title = sum ? text.matrixTitle(sumText(result.projects)) : text.streamTitle;
    return html`<section part="card" class="card" aria-label=${title}>
      <div class="card-head"><h2>${title}</h2><span class="aside">${common.size(rows, cols)}</span></div>
      <addnorm-heatmap .data=${sum?.next ?? result.data} .rows=${rows} .cols=${cols} .stats=${sum ? this.#statColumns(sum) : []} .theme=${this.shownTheme} .readonly=${true}
        .chosen=${place} .locked=${this.held !== null}
        .text=${{ grid: text.grid(title), corner: text.corner, row: common.token, col: common.feature, overview: text.overview(rows, cols), overviewNote: text.overviewNote }}
        @cell-preview=${({ detail }: CustomEvent<Place | null>) => (this.preview = detail && { row: detail.row, col: Math.min(detail.col, cols - 1) })}
        @cell-choose=${({ detail }: CustomEvent<Place>) => this.#choose({ row: detail.row, col: Math.min(detail.col, cols - 1) }, result)}
        @cell-release=${() => (this.held = null)}></addnorm-heatmap>
      ${sum ? this.#norms(result, sum, place.row) : nothing}
    </section>`;
  }

  #diffCard(an: Addnorm, result: ResidualResult, place: Place): TemplateResult {
    const { residual: text } = this.text;
    const { sum } = result;
    const title = text.diffTitle(place.row);
    return html`<section part="card" class="card diff-card" aria-label=${title}>
      <div class="card-head"><h2>${title}
        ${this.held ? html`<button class="chip" type="button" title=${text.lockedTitle} @click=${() => (this.held = null)}>${text.locked} ×</button>` : nothing}</h2>
        <span class="aside mono">${sumText(result.projects)}</span></div>
      ${sum ? this.#diff(an, result, sum, place) : this.#noDiff(result, place)}
    </section>`;
  }

  #diff(an: Addnorm, result: ResidualResult, sum: Sum, place: Place): TemplateResult {
    const { residual: text } = this.text;
    const { state } = this;
    const { row, col: feature } = place;
    const rowOf = (data: Float32Array): Float32Array => data.subarray(row * sum.cols, (row + 1) * sum.cols);
    const [old, next] = [rowOf(sum.old), rowOf(sum.next)];
    const changed = next.filter((value, i) => value !== old[i]).length;
    const names = { formulaName: text.formula, numbersName: text.numbers };
    const entry = { row, feature };
    return html`
      <p class="hunk">@@ s = ${formatParameter(state.fScale)} @@ ${changed ? text.changed(changed, sum.cols) : text.clean}</p>
      ${diffRows({
        old, delta: rowOf(sum.delta), next, chosen: feature, reach: an.residualAdd(old, rowOf(sum.added), { beta: FARTHEST }),
        text: { ...text.rows, label: text.diffLabel(row), ...sumHeads(result.projects) },
        ...this.#rowEvents(place, result),
      })}
      ${workedLines([
        { ...workedSum(result, sum, entry, state.fScale), ...names },
        { ...workedBranch(result, state, entry), ...names },
        ...(result.projects === "stream" ? [{ ...workedStream(result, entry), ...names }] : []),
      ])}`;
  }

  /** Both sides as they are, and that they cannot be added. */
  #noDiff(result: ResidualResult, place: Place): TemplateResult {
    const { residual: text } = this.text;
    const { data, cols, output, width } = result;
    const { row, col: feature } = place;
    return html`<p class="hunk problem">${text.noSum(cols, width)}</p>
      ${diffRows({
        old: data.subarray(row * cols, (row + 1) * cols), delta: output.subarray(row * width, (row + 1) * width), next: undefined, chosen: feature,
        text: { ...text.rows, label: text.diffLabel(row), old: "x", delta: "F(x)", next: "y" },
        ...this.#rowEvents(place, result),
      })}
      <div class="mend-here">${addButton(text, () => this.change({ projection: "branch" }))}</div>`;
  }

  #norms({ projects }: ResidualResult, { norms, rows }: Sum, row: number): TemplateResult {
    const { residual: text } = this.text;
    const heads = sumHeads(projects);
    const values = (pick: (norm: Norms) => number): readonly [number, number, number] => [pick(norms.old), pick(norms.delta), pick(norms.next)];
    return normsTable({
      label: text.norms, heads: [`‖${heads.old}‖`, `‖${heads.delta}‖`, `‖${heads.next}‖`],
      lines: [{ name: text.thisToken(row), values: values((norm) => norm.rows[row]!) }, { name: text.allTokens(rows), values: values((norm) => norm.whole) }],
    });
  }

  #gradientCard(an: Addnorm, result: ResidualResult, place: Place): TemplateResult {
    const { state } = this;
    // dy stays with the chosen feature while others are looked at.
    const chosen = Math.min(this.held?.col ?? state.feature, (result.sum?.cols ?? 1) - 1);
    const gradient = computeGradient(an, result, state, chosen);
    return gradientCard({
      result, gradient, feature: place.col, chosen, state, text: this.text.residual,
      reach: gradient && an.residualAdd(gradient.old, gradient.added, { beta: FARTHEST }),
      change: (patch) => this.change(patch),
      ...this.#rowEvents(place, result),
    });
  }

  #logCard(an: Addnorm, place: Place): TemplateResult {
    const { state, text } = this;
    const stream = computeStream(an, state, this.store.own);
    const log = stream && measureStream(an, stream, state.logOf === "all" ? "all" : place.row);
    const open = Math.min(state.commit, log?.commits.length ?? 1);
    const opened = stream && log && {
      commit: log.commits[open - 1]!, stream, place, locked: this.held !== null, text, theme: this.shownTheme,
      onPreview: (preview: Place | null) => void (this.preview = preview),
      onChoose: (chosen: Place) => this.#choose(chosen, stream),
      onRelease: () => void (this.held = null),
    };
    return logCard({
      stream, log, open, row: place.row, state, text: text.residual, norm: state.norm === "layer" ? "LN" : "RMS",
      change: (patch, how) => this.change(patch, how),
      matrix: opened ? commitMatrix(opened) : nothing, detail: opened ? commitDetail(opened) : nothing,
    });
  }

  #rowEvents({ row }: Place, result: ResidualResult) {
    return {
      onPoint: (col: number | undefined) => void (this.preview = col === undefined ? null : { row, col }),
      onChoose: (col: number) => this.#choose({ row, col }, result),
    };
  }

  #place({ rows, cols, width, sum }: ResidualResult): Place {
    const { token, feature } = this.state;
    const wanted = this.held ?? this.preview ?? { row: token, col: feature };
    return { row: Math.min(wanted.row, rows - 1), col: Math.min(wanted.col, (sum?.cols ?? Math.max(cols, width)) - 1) };
  }

  #choose(place: Place, { cols }: Shape): void {
    this.held = place;
    this.change({ token: place.row, ...(place.col < cols ? { feature: place.col } : {}) }, "replace");
  }

  /** The same list for the same sum, so that the heatmap does not measure itself anew. */
  #statColumns(sum: Sum): readonly StatColumn[] {
    const { residual: text } = this.text;
    if (this.#stats?.sum === sum && this.#stats.text === text) return this.#stats.columns;
    const { old, next } = sum.norms;
    const columns = [["‖x‖", text.oldLength, old], ["‖y‖", text.nextLength, next]] as const;
    const scale = Math.max(...[old, next].map(({ rows }) => scaleOf(rows)));
    this.#stats = { sum, text, columns: columns.map(([label, name, { rows }]) => ({ label, name, values: Float32Array.from(rows), scale })) };
    return this.#stats.columns;
  }
}
