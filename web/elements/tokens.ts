/** <addnorm-tokens>: one token normalized step by step beside the whole matrix, with every number open to its formula. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Addnorm } from "../lib/index.js";
import { computeTokens, type TokensResult, type TokensStep } from "../state/compute.js";
import { withEdit } from "../state/edits.js";
import { parseFloat32 } from "../state/number-text.js";
import type { Edit } from "../state/schema.js";
import { AddnormElement } from "./parts/addnorm-element.js";
import type { BarChange } from "./parts/bars.js";
import type { BarsData } from "./parts/bars-plot.js";
import { fullPrecision } from "./parts/format.js";
import { formula } from "./parts/formula.js";
import type { Heatmap, Place, StatColumn } from "./parts/heatmap.js";
import type { FieldChange, NumberField } from "./parts/number-field.js";
import { prose } from "./parts/prose.js";
import { stepper } from "./parts/stepper.js";
import { reducedMotion } from "./parts/theme.js";
import { poison } from "./tokens/poison.js";
import { question } from "./tokens/question.js";
import { statisticsTable } from "./tokens/statistics-table.js";
import { stepTexts } from "./tokens/step-texts.js";
import { tokensStyles } from "./tokens/styles.js";
import { workedEntry, type Piece, type Subject } from "./tokens/worked-entry.js";
import "./controls.js";
import "./parts/bars.js";
import "./parts/heatmap.js";
import "./parts/number-field.js";

const MOTION_MS = 320;

export class AddnormTokens extends AddnormElement {
  static override properties: PropertyDeclarations = {
    ...AddnormElement.properties,
    preview: { state: true },
    locked: { state: true },
    opened: { state: true },
    moving: { state: true },
    said: { state: true },
  };

  static override styles = tokensStyles;

  /** The heatmap cell under the pointer or the focus. */
  declare private preview: Place | null;
  /** A cell was clicked: hovering no longer changes what is shown. */
  declare private locked: boolean;
  /** A statistic that was opened instead of the chosen cell. */
  declare private opened: Subject | undefined;
  /** Colours slide for a moment after Previous or Next. */
  declare private moving: boolean;
  /** What a screen reader is told. */
  declare private said: string;

  /** The edits before a drag or a held key, to go back to. */
  #before: readonly Edit[] | undefined;
  #stats: { result: TokensResult; subject: object; columns: readonly StatColumn[] } | undefined;

  constructor() {
    super();
    this.preview = null;
    this.locked = this.moving = false;
    this.said = "";
  }

  protected override draw(an: Addnorm): TemplateResult {
    const { state } = this;
    const result = computeTokens(an, state, this.store.own);
    const place = this.#place(result);
    const subject = this.#subject(result, place);
    const text = this.text.tokens;
    const pills = stepTexts(state, result);
    const lead = state.norm === "rms" ? text.leadRms : text.lead;
    return html`<div class="view">
      ${this.ownControls()}
      <p class="lead" part="lead">${prose(lead(place.row))}</p>
      ${stepper({ steps: pills, step: state.step, label: text.steps, previous: text.previous, next: text.next, onStep: (step, walked) => this.#goTo(step, walked) })}
      <div class="cards">
        ${this.#matrixCard(result, place)}
        ${this.#tokenCard(an, result, place, subject)}
      </div>
      ${question({
        token: place.row, feature: place.col, features: result.cols, rms: state.norm === "rms", text,
        onTry: (amount) => this.#set(place, result.x[place.row * result.cols + place.col]! + amount, "push"),
      })}
      <p class="visually-hidden" role="status">${this.said}</p>
    </div>`;
  }

  #matrixCard(result: TokensResult, place: Place): TemplateResult {
    const { rows, cols } = result;
    const { tokens: text, common } = this.text;
    const step = this.#step(result);
    const title = text.stepTitle(result.steps.indexOf(step) + 1);
    const warning = poison(result, text);
    const { edits } = this.state;
    return html`<section part="card" class="card" aria-label=${title}>
      <div class="card-head"><h2>${title}</h2><span class="aside">${common.size(rows, cols)}</span></div>
      <addnorm-heatmap ?moving=${this.moving} .data=${step.data} .rows=${rows} .cols=${cols} .stats=${this.#statColumns(result)} .theme=${this.shownTheme}
        .chosen=${this.#chosen(result, place)} .locked=${this.locked} .edited=${new Set(edits.map(({ row, col }) => row * cols + col))}
        .text=${{ grid: text.grid(title), corner: text.corner, row: common.token, col: common.feature, overview: text.overview(rows, cols), overviewNote: text.overviewNote }}
        @cell-preview=${(event: CustomEvent<Place | null>) => (this.preview = event.detail)}
        @cell-choose=${(event: CustomEvent<Place>) => this.#choose(event.detail, result)}
        @cell-edit=${(event: CustomEvent<Place>) => this.#startTyping(event.detail, result)}
        @cell-release=${() => this.#release()}></addnorm-heatmap>
      ${warning ? html`<p class="problem" role="status">${warning}</p>` : nothing}
      ${edits.length ? html`<div class="card-foot"><button class="button" type="button" @click=${() => this.change({ edits: [] })}>${text.reset(edits.length)}</button></div>` : nothing}
    </section>`;
  }

  #tokenCard(an: Addnorm, result: TokensResult, place: Place, subject: Subject): TemplateResult {
    const { cols, x, before, spread } = result;
    const { row, col } = place;
    const { tokens: text, common } = this.text;
    const rms = this.state.norm === "rms";
    const step = this.#step(result);
    const rowOf = (data: Float32Array): Float32Array => data.subarray(row * cols, (row + 1) * cols);
    return html`<section part="card" class="card" aria-label=${common.token(row)} @keydown=${(event: KeyboardEvent) => event.key === "Escape" && this.#release()}>
      <div class="card-head">
        <h2>${common.token(row)} ${this.locked ? html`<button class="chip" type="button" title=${text.lockedTitle} @click=${() => this.#release()}>${text.locked} ×</button>` : nothing}</h2>
        <div class="aside">${this.#field(result, place)}</div>
      </div>
      <addnorm-bars .data=${{ values: rowOf(x), mean: rms ? undefined : before.mean[row]!, spread: spread[row]!, spreadName: this.#spreadName }} .chosen=${col}
        .text=${{ chart: text.bars(row), handle: text.handle(col, row), keys: text.handleKeys }}
        @bar-choose=${(event: CustomEvent<number>) => this.#choose({ row, col: event.detail }, result, false)}
        @bar-change=${(event: CustomEvent<BarChange>) => this.#drag({ row, col: this.state.feature }, event.detail)}></addnorm-bars>
      ${step.step === 0 ? nothing : this.#resultBars(an, rowOf(step.data), place)}
      ${this.#worked(result, subject)}
      ${statisticsTable({ result, row, rms, text, subject, onOpen: (opened) => this.#open(opened) })}
    </section>`;
  }

  #worked(result: TokensResult, subject: Subject): TemplateResult {
    const text = this.text.tokens;
    const entry = workedEntry(result, this.state, subject);
    return html`<dl class="worked">
      <dt>${text.formula}</dt><dd lang="en">${formula(entry.tex)}</dd>
      <dt>${text.numbers}</dt><dd class="line mono">${entry.numbers.map((piece) => this.#piece(piece))} ${this.#origin(subject)}</dd>
    </dl>`;
  }

  /** Says of an x that was not drawn where it comes from. */
  #origin(subject: Subject): TemplateResult | typeof nothing {
    if (subject.kind !== "cell" || this.state.step !== 0) return nothing;
    const { changed, yours } = this.text.tokens;
    if (this.state.edits.some(({ row, col }) => row === subject.row && col === subject.col)) return html`<span class="origin">${changed}</span>`;
    return this.state.source === "own" ? html`<span class="origin">${yours}</span>` : nothing;
  }

  #field({ x, cols }: TokensResult, { row, col }: Place): TemplateResult {
    const text = this.text.tokens;
    return html`<addnorm-number-field class="set" .label=${text.dragHint(subscript(col))} .hint=${`${text.setLabel(col, row)}. ${text.setHint}`} .problem=${text.setProblem}
      .value=${x[row * cols + col]!} .step=${1} .parse=${parseFloat32} .format=${fullPrecision}
      @keydown=${this.#onFieldKey}
      @field-change=${(event: CustomEvent<FieldChange>) => this.#set({ row, col }, event.detail.value as number, event.detail.how)}></addnorm-number-field>`;
  }

  #piece({ text, role, opens }: Piece): TemplateResult {
    if (!opens) return html`<span class=${role ?? ""}>${text}</span>`;
    const { subject, open } = this.text.tokens;
    const name = opens.kind === "mean" ? subject.mean : this.state.norm === "rms" ? subject.rms : subject.spread;
    return html`<button type="button" class=${role ?? ""} aria-label=${open(`${name} ${text}`)} @click=${() => this.#open(opens)}>${text}</button>`;
  }

  /** What the step makes of the token, under the numbers that it starts from. */
  #resultBars(an: Addnorm, values: Float32Array, { row, col }: Place): TemplateResult {
    const { variance, norm, step } = this.state;
    const { mean, std, rms } = an.rowStats(values, { cols: values.length, variance });
    const data: BarsData = norm === "rms"
      ? { values, mean: undefined, spread: rms[0]!, spreadName: this.#spreadName }
      : { values, mean: mean[0]!, spread: std[0]!, spreadName: this.#spreadName };
    return html`<div class="result"><span class="muted mono" aria-hidden="true">${this.#symbol(step)}</span>
      <addnorm-bars slim .data=${data} .chosen=${col}
        .text=${{ chart: this.text.tokens.resultBars(row, this.#symbol(step)), handle: "", keys: "" }}></addnorm-bars></div>`;
  }

  #symbol(step: number): string {
    return ["x", "x−μ", "x̂", "y"][step]!;
  }

  get #spreadName(): string {
    return this.state.norm === "rms" ? "RMS" : "σ";
  }

  #step({ steps }: TokensResult): TokensStep {
    return steps.find(({ step }) => step === this.state.step)!;
  }

  /** The cell that is shown: under the pointer while nothing is held, else the chosen one. */
  #place({ cols }: TokensResult): Place {
    const { token, feature } = this.state;
    if (!this.preview || this.locked) return { row: token, col: feature };
    return { row: this.preview.row, col: this.preview.col < cols ? this.preview.col : feature };
  }

  #subject(result: TokensResult, place: Place): Subject {
    if (this.preview && !this.locked) return this.#subjectOf(this.preview, result);
    if (this.opened && (this.opened.row === "whole" || this.opened.row < result.rows)) return this.opened;
    return { kind: "cell", ...place };
  }

  #subjectOf({ row, col }: Place, { cols }: TokensResult): Subject {
    if (col < cols) return { kind: "cell", row, col };
    const kind = col === cols && this.state.norm === "layer" ? "mean" : "spread";
    return { kind, of: "before", row };
  }

  /** The heatmap's outlined cell: a statistics cell when that is what is open. */
  #chosen({ cols }: TokensResult, place: Place): Place {
    const { opened } = this;
    if (!opened || opened.kind === "cell" || opened.of === "after" || opened.row !== place.row) return place;
    const offset = opened.kind === "mean" || this.state.norm === "rms" ? 0 : 1;
    return { row: place.row, col: cols + offset };
  }

  /** The same list for the same numbers, so that the heatmap does not measure itself anew. */
  #statColumns(result: TokensResult): readonly StatColumn[] {
    const { subject } = this.text.tokens;
    if (this.#stats?.result === result && this.#stats.subject === subject) return this.#stats.columns;
    const { before, spread } = result;
    const columns = this.state.norm === "rms"
      ? [{ label: "RMS", name: subject.rms, values: spread }]
      : [{ label: "μ", name: subject.mean, values: before.mean }, { label: "σ", name: subject.spread, values: spread }];
    this.#stats = { result, subject, columns };
    return columns;
  }

  #goTo(step: number, walked: boolean): void {
    this.opened = undefined;
    this.change({ step });
    if (walked && !reducedMotion()) {
      this.moving = true;
      setTimeout(() => (this.moving = false), MOTION_MS);
    }
    this.#say((result) => {
      const pills = stepTexts(this.state, result);
      const at = pills.findIndex((pill) => pill.step === step);
      return this.text.tokens.stepName(at + 1, pills.length, pills[at]!.text);
    });
  }

  #choose(place: Place, result: TokensResult, hold = true): void {
    const subject = this.#subjectOf(place, result);
    this.opened = subject.kind === "cell" ? undefined : subject;
    this.locked = hold;
    this.change(subject.kind === "cell" ? { token: place.row, feature: place.col } : { token: place.row }, "replace");
  }

  #open(subject: Subject): void {
    this.opened = subject;
    this.locked = true;
  }

  #release(): void {
    this.locked = false;
    this.opened = undefined;
  }

  /** Typing on the heatmap goes to the field beside the bars, and comes back from there. */
  #startTyping(place: Place, result: TokensResult): void {
    this.#choose({ row: place.row, col: Math.min(place.col, result.cols - 1) }, result);
    void this.updateComplete.then(() => this.renderRoot.querySelector<NumberField>(".set")!.focus());
  }

  #backToGrid(): void {
    const { token, feature } = this.state;
    this.renderRoot.querySelector<Heatmap>("addnorm-heatmap")!.focusCell({ row: token, col: feature });
  }

  #onFieldKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Esc leaves the field only; what is held stays held.
    event.stopPropagation();
    this.#backToGrid();
  }

  #drag(place: Place, { value, how }: BarChange): void {
    if (how !== "cancel") return this.#set(place, value, how);
    if (this.#before) this.change({ edits: this.#before }, "preview");
    this.#before = undefined;
  }

  #set({ row, col }: Place, value: number, how: "preview" | "push"): void {
    this.#before = how === "preview" ? this.#before ?? this.state.edits : undefined;
    this.change({ token: row, feature: col, edits: withEdit(this.state.edits, { row, col, value: Math.fround(value) }) }, how);
    if (how === "push") this.#say(({ x, cols }) => this.text.tokens.took(this.text.tokens.cell(row, col), fullPrecision(x[row * cols + col]!)));
  }

  #say(sentence: (result: TokensResult) => string): void {
    if (this.an) this.said = sentence(computeTokens(this.an, this.state, this.store.own));
  }
}

const subscript = (index: number): string => String(index).replace(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit)));
