/** <addnorm-heatmap>: a matrix as an ARIA grid of coloured numbers, only the visible part in the DOM, with an overview map. */
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { define } from "./define.js";
import { fullPrecision, scaleOf } from "./format.js";
import { placeAfterKey, type Place } from "./grid-keys.js";
import { heatColours, type HeatColours } from "./heat-colours.js";
import { layoutHeatmap, type HeatmapLayout } from "./heatmap-layout.js";
import { heatmapStyles } from "./heatmap-styles.js";
import type { HeatmapText, StatColumn } from "./heatmap-types.js";
import { legend } from "./legend.js";
import type { ImageSource } from "./matrix-image.js";
import { Overview, type VisibleWindow } from "./overview.js";
import type { Theme } from "./theme.js";
import { lines, linesWith, type LineWindow, type ScrollView } from "./virtual-axis.js";

export type { HeatmapText, Place, StatColumn };

/** Rows and columns kept ready beyond the visible ones. */
const EXTRA = 2;

/**
 * Fires "cell-preview" (a Place, or null), "cell-choose", "cell-edit" (Place) and "cell-release". A Place whose col
 * is not below `cols` is a statistics cell.
 */
export class Heatmap extends LitElement {
  static override properties: PropertyDeclarations = {
    data: { attribute: false }, rows: { attribute: false }, cols: { attribute: false }, stats: { attribute: false },
    chosen: { attribute: false }, locked: { attribute: false }, readonly: { attribute: false }, edited: { attribute: false }, theme: { attribute: false },
    text: { attribute: false }, maxRows: { attribute: false }, width: { state: true }, unit: { state: true }, active: { state: true },
  };

  declare data: Float32Array;
  declare rows: number;
  declare cols: number;
  declare stats: readonly StatColumn[];
  /** Its row is strong, the others are dimmed. */
  declare chosen: Place | undefined;
  declare locked: boolean;
  /** Its numbers cannot be changed. */
  declare readonly: boolean;
  /** Indices (row * cols + col) of changed numbers. */
  declare edited: ReadonlySet<number>;
  declare theme: Theme;
  declare text: HeatmapText;
  /** More rows than this scroll. */
  declare maxRows: number;
  declare private width: number;
  /** Pixels of the reader's font size. */
  declare private unit: number;
  /** The cell that Tab reaches. */
  declare private active: Place;

  #layout!: HeatmapLayout;
  #image!: ImageSource;
  #resize: ResizeObserver | undefined;
  #revealed = false;
  #pointed: Place | undefined;

  static override styles = heatmapStyles;

  constructor() {
    super();
    this.stats = [];
    this.edited = new Set();
    this.locked = this.readonly = false;
    this.maxRows = 12;
    this.width = this.unit = 0;
    this.active = { row: 0, col: 0 };
  }

  /** Moves focus to a cell. */
  focusCell(place: Place): void {
    this.active = place;
    this.#reveal(place);
    this.requestUpdate();
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => ({ width: this.width, height: this.unit } = entry!.contentRect));
    if (this.hasUpdated) this.#watchSize();
  }

  protected override firstUpdated(): void {
    this.#watchSize();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  protected override willUpdate(changed: PropertyValues): void {
    // The observer's first word comes a frame later, and rows of another height would move all that stands below.
    if (!this.hasUpdated) [this.width, this.unit] = [this.clientWidth, Number.parseFloat(getComputedStyle(this).fontSize) || 16];
    if (changed.has("chosen") && this.chosen && !this.#hasFocus) this.active = this.chosen;
    if (changed.has("data")) this.#image = { data: this.data, rows: this.rows, cols: this.cols, largest: scaleOf(this.data) };
    if (["data", "stats", "width", "unit", "rows", "cols"].some((name) => changed.has(name))) this.#measure();
    const { row, col } = this.active;
    if (row >= this.rows || col >= this.#columns) this.active = { row: Math.min(row, this.rows - 1), col: Math.min(col, this.#columns - 1) };
  }

  protected override updated(): void {
    if (this.#revealed || this.width === 0 || !this.chosen) return;
    this.#revealed = true;
    this.#reveal(this.chosen);
  }

  protected override render(): TemplateResult {
    const { rows, cols, headWidth, headHeight, statWidths } = this.#layout;
    const statsWidth = statWidths.reduce((sum, width) => sum + width, 0);
    const view = this.#view;
    const { top, left, height, width } = view;
    const rowWindow = linesWith(rows.window(top, height, EXTRA), this.active.row);
    const colWindow = cols.window(left, width, EXTRA);
    const scrolls = rows.space > height + 1 || cols.space > width + 1;
    return html`
      <div class="gauge"></div>
      <div class="scroller ${scrolls ? "scrolls" : ""} ${this.#layout.tight ? "tight" : ""}" role="grid" aria-label=${this.text.grid}
        aria-rowcount=${this.rows + 1} aria-colcount=${this.#columns + 1} aria-readonly=${this.readonly}
        .style=${`max-height: ${headHeight + rows.size * this.maxRows}px`}
        @scroll=${() => this.requestUpdate()} @keydown=${this.#onKey} @click=${this.#onClick} @dblclick=${this.#onDoubleClick}
        @pointermove=${this.#onPointer} @pointerleave=${this.#onLeave} @focusin=${this.#onFocus} @focusout=${this.#onBlur}>
        <div class="row heads" role="row" aria-rowindex="1" .style=${`height: ${headHeight}px`}>
          <div class="corner" role="columnheader" aria-colindex="1" .style=${`width: ${headWidth}px`}><span class="visually-hidden">${this.text.corner}</span></div>
          <div class="cells" role="presentation" .style=${`width: ${cols.space}px`}>${lines(colWindow).map((col) => this.#columnHead(col, left, width))}</div>
          ${this.stats.map((stat, i) => html`<div class="stat" role="columnheader" aria-colindex=${this.cols + i + 2} aria-label=${stat.name} .style=${this.#statStyle(i)}>${stat.label}</div>`)}
        </div>
        <div class="body" role="presentation" .style=${`height: ${rows.space}px; width: ${headWidth + cols.space + statsWidth}px`}>
          ${repeat(rowWindow, (row) => row, (row) => this.#row(row, colWindow, view))}
        </div>
      </div>
      ${legend(this.#image.largest, this.theme)}
      ${scrolls && this.width > 0 ? this.#overview(rows.window(top, height), cols.window(left, width)) : nothing}`;
  }

  #row(row: number, colWindow: LineWindow, { top, left, height, width }: ScrollView): TemplateResult {
    const { rows, cols, headWidth } = this.#layout;
    const strong = !this.chosen || this.chosen.row === row;
    const colours = heatColours(this.theme);
    const columns = row === this.active.row && this.active.col < this.cols ? linesWith(colWindow, this.active.col) : lines(colWindow);
    return html`<div class="row ${strong ? "strong" : ""}" role="row" aria-rowindex=${row + 2} .style=${`top: ${rows.position(row, top, height)}px; height: ${rows.size}px`}>
      <div class="head" role="rowheader" aria-colindex="1" aria-label=${this.text.row(row)} .style=${`width: ${headWidth}px`}>${row}</div>
      <div class="cells" role="presentation" .style=${`width: ${cols.space}px`}>
        ${columns.map((col) => this.#cell(row, col, cols.position(col, left, width), colours, strong))}
      </div>
      ${this.stats.map((stat, i) => this.#gridCell(row, this.cols + i, "stat", this.#statStyle(i), stat.values[row]!, this.#layout.statFormats[i]!))}
    </div>`;
  }

  #cell(row: number, col: number, position: number, colours: HeatColours, strong: boolean): TemplateResult {
    const value = this.data[row * this.cols + col]!;
    const { cols, format } = this.#layout;
    const finite = Number.isFinite(value);
    const { fill, text } = colours.at(finite ? value : 0, this.#image.largest, !strong);
    const classes = `cell${finite ? "" : " hatched"}${this.edited.has(row * this.cols + col) ? " edited" : ""}`;
    return this.#gridCell(row, col, classes, `left: ${position}px; width: ${cols.size}px;${finite ? ` --fill: ${fill}; color: ${text}` : ""}`, value, format);
  }

  #gridCell(row: number, col: number, classes: string, style: string, value: number, format: (value: number) => string): TemplateResult {
    const active = row === this.active.row && col === this.active.col;
    const chosen = row === this.chosen?.row && col === this.chosen.col;
    return html`<div class="${classes}${chosen ? " chosen" : ""}" role="gridcell" tabindex=${active ? 0 : nothing} aria-label=${fullPrecision(value)}
      aria-colindex=${col + 2} aria-selected=${chosen && this.locked ? "true" : nothing} .style=${style} .place=${{ row, col }}>${format(value)}</div>`;
  }

  #columnHead(col: number, left: number, width: number): TemplateResult {
    const { cols } = this.#layout;
    return html`<div class="col-head ${this.chosen?.col === col ? "strong" : ""}" role="columnheader" aria-colindex=${col + 2} aria-label=${this.text.col(col)}
      .style=${`left: ${cols.position(col, left, width)}px; width: ${cols.size}px`}>${col}</div>`;
  }

  #statStyle(index: number): string {
    const { statWidths } = this.#layout;
    const right = statWidths.slice(index + 1).reduce((sum, width) => sum + width, 0);
    return `width: ${statWidths[index]}px; right: ${right}px`;
  }

  #overview(rows: LineWindow, cols: LineWindow): TemplateResult {
    const visible: VisibleWindow = {
      left: cols.first / this.cols, width: (cols.end - cols.first) / this.cols,
      top: rows.first / this.rows, height: (rows.end - rows.first) / this.rows,
    };
    return html`<addnorm-overview .source=${this.#image} .theme=${this.theme} .visible=${visible} .label=${this.text.overview}
      @overview-move=${(event: CustomEvent<{ x: number; y: number }>) => this.#center(event.detail)}></addnorm-overview>
      <p class="note">${this.text.overviewNote}</p>`;
  }

  get #columns(): number {
    return this.cols + this.stats.length;
  }

  get #hasFocus(): boolean {
    return (this.renderRoot as ShadowRoot | undefined)?.activeElement != null;
  }

  get #scroller(): HTMLElement | null {
    return this.renderRoot.querySelector(".scroller");
  }

  /** The scroll offsets, and the pixels that the matrix itself has for showing. */
  get #view(): ScrollView {
    const { rows, headWidth, statWidths } = this.#layout;
    const scroller = this.#scroller;
    const beside = headWidth + statWidths.reduce((sum, width) => sum + width, 0);
    // From the layout, not from the box, which may still have the size of an earlier one; only scroll bars are asked for.
    const bars = { across: scroller ? scroller.offsetHeight - scroller.clientHeight : 0, down: scroller ? scroller.offsetWidth - scroller.clientWidth : 0 };
    return {
      top: scroller?.scrollTop ?? 0, left: scroller?.scrollLeft ?? 0,
      height: Math.min(rows.space, this.maxRows * rows.size - bars.across), width: Math.max(1, this.width - bars.down - beside),
    };
  }

  /** By a line of text without room: drawing for a width changes the element's own height, which would set the observer off again. */
  #watchSize(): void {
    this.#resize!.observe(this.renderRoot.querySelector(".gauge")!);
  }

  #measure(): void {
    this.#layout = layoutHeatmap({
      rows: this.rows, cols: this.cols, scale: this.#image.largest, width: this.width, unit: this.unit,
      statScales: this.stats.map(({ values, scale }) => scale ?? scaleOf(values)),
    });
  }

  #reveal({ row, col }: Place): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { top, left, height, width } = this.#view;
    scroller.scrollTop = this.#layout.rows.reveal(row, top, height);
    if (col < this.cols) scroller.scrollLeft = this.#layout.cols.reveal(col, left, width);
  }

  #center({ x, y }: { x: number; y: number }): void {
    const { height, width } = this.#view;
    this.#scroller?.scrollTo(this.#layout.cols.center(x, width), this.#layout.rows.center(y, height));
  }

  #cellOf(event: Event): (HTMLElement & { place?: Place }) | null {
    return (event.target as Element).closest<HTMLElement>('[role="gridcell"]');
  }

  #placeOf(event: Event): Place | undefined {
    return this.#cellOf(event)?.place;
  }

  #valueAt({ row, col }: Place): number {
    return col < this.cols ? this.data[row * this.cols + col]! : this.stats[col - this.cols]!.values[row]!;
  }

  #emit(type: "cell-preview" | "cell-choose" | "cell-edit" | "cell-release", detail: Place | null): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    const page = Math.max(1, Math.floor(this.#view.height / this.#layout.rows.size) - 1);
    const next = placeAfterKey(event, this.active, this.rows, this.#columns, page);
    if (next) this.focusCell(next);
    else if (event.key === "Enter" || event.key === " ") this.#emit(event.key === "Enter" && this.#isLocked(this.active) ? "cell-edit" : "cell-choose", this.active);
    else if (event.key === "F2") this.#emit("cell-edit", this.active);
    else if (event.key === "Escape") return this.#emit("cell-release", null);
    else return;
    event.preventDefault();
  }

  #isLocked({ row, col }: Place): boolean {
    return this.locked && this.chosen?.row === row && this.chosen.col === col;
  }

  #onClick(event: Event): void {
    const place = this.#placeOf(event);
    if (!place) return;
    this.focusCell(place);
    this.#emit("cell-choose", place);
  }

  #onDoubleClick(event: Event): void {
    const place = this.#placeOf(event);
    if (place) this.#emit("cell-edit", place);
  }

  /** Moves only: a matrix that scrolls under a resting pointer previews nothing. */
  #onPointer(event: PointerEvent): void {
    const place = event.pointerType === "touch" ? undefined : this.#placeOf(event);
    if (place?.row === this.#pointed?.row && place?.col === this.#pointed?.col) return;
    this.#pointed = place;
    if (place) this.#cellOf(event)!.title = fullPrecision(this.#valueAt(place));
    this.#emit("cell-preview", place ?? null);
  }

  #onLeave(): void {
    this.#pointed = undefined;
    this.#emit("cell-preview", null);
  }

  #onFocus(event: Event): void {
    const place = this.#placeOf(event);
    if (!place) return;
    this.active = place;
    this.#emit("cell-preview", place);
  }

  #onBlur(event: FocusEvent): void {
    if (!(event.relatedTarget instanceof Node && this.renderRoot.contains(event.relatedTarget))) this.#emit("cell-preview", null);
  }
}

define("addnorm-overview", Overview);
define("addnorm-heatmap", Heatmap);
