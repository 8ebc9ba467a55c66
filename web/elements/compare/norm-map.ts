/** <addnorm-norm-map>: a batch under one norm, as an ARIA grid of small cells that show what shares a statistic, or the numbers. */
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { shareIndex, shareOf, type CompareResult, type NormId, type Share } from "../../state/compute-compare.js";
import type { State } from "../../state/schema.js";
import { define } from "../parts/define.js";
import { fullPrecision } from "../parts/format.js";
import { placeAfterKey, type Place } from "../parts/grid-keys.js";
import { heatColours } from "../parts/heat-colours.js";
import { shareFill, type Theme } from "../parts/theme.js";
import { normMapStyles } from "./norm-map-styles.js";
import { colLine, rowLine, toBatch, toWindow, type MapWindow } from "./map-window.js";

export interface NormMapText {
  readonly grid: string;
  readonly corner: string;
  readonly padding: string;
  row(sequence: number, token: number): string;
  col(feature: number): string;
}

/** Fires "cell-preview" (a Place of the batch, or null), "cell-choose" (Place) and "cell-release". */
export class NormMap extends LitElement {
  static override properties: PropertyDeclarations = {
    result: { attribute: false }, norm: { attribute: false }, window: { attribute: false }, show: { attribute: false }, largest: { attribute: false },
    token: { attribute: false }, chosen: { attribute: false }, theme: { attribute: false }, text: { attribute: false }, active: { state: true },
  };

  declare result: CompareResult;
  declare norm: NormId;
  declare window: MapWindow;
  declare show: State["compareShow"];
  /** The number that gets the full colour. */
  declare largest: number;
  /** The row of interest. */
  declare token: number;
  /** The cell whose statistic is outlined. */
  declare chosen: Place;
  declare theme: Theme;
  declare text: NormMapText;
  /** The cell that Tab reaches, in rows and columns of the window. */
  declare private active: Place;

  static override styles = normMapStyles;

  #pointed: Place | undefined;

  constructor() {
    super();
    this.active = { row: 0, col: 0 };
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("chosen") && !this.#hasFocus) this.active = toWindow(this.window, this.chosen) ?? this.active;
    this.active = { row: Math.min(this.active.row, this.#rows - 1), col: Math.min(this.active.col, this.window.cols - 1) };
  }

  protected override render(): TemplateResult {
    const { result, norm, window, show, largest, theme, text, token, chosen } = this;
    const tracks = `grid-template-rows: var(--heads) ${Array.from({ length: window.sequences }, () => `repeat(${window.tokens}, minmax(0, 1fr))`).join(" var(--between) ")}; --cols: ${window.cols}`;
    return html`<div class="map ${show} ${norm}">
      <div class="tracks" role="grid" aria-label=${text.grid} aria-readonly="true" aria-rowcount=${this.#rows + 1} aria-colcount=${window.cols + 1} .style=${tracks}
        @keydown=${this.#onKey} @click=${this.#onClick} @pointermove=${this.#onPointer} @pointerleave=${this.#onLeave} @focusin=${this.#onFocus} @focusout=${this.#onBlur}>
        ${guard([result, norm, window, show, largest, theme, text, this.active.row, this.active.col], () => html`${this.#heads()}${Array.from({ length: this.#rows }, (_, row) => this.#row(row))}`)}
      </div>
      <div class="tracks overlay" aria-hidden="true" .style=${tracks}>
        ${guard([result, norm, window, show], () => html`${this.#brackets()}${this.#hatches()}${show === "shared" && norm !== "dyt" ? this.#outlines() : nothing}`)}
        ${this.#marker(token)}
        ${this.#chosenShare(chosen)}
      </div>
    </div>`;
  }

  #heads(): TemplateResult {
    const { window, text } = this;
    return html`<div class="line" role="row" aria-rowindex="1">
      <div class="corner" role="columnheader" aria-colindex="1"><span class="visually-hidden">${text.corner}</span></div>
      ${Array.from({ length: window.cols }, (_, col) => html`<div class="col-head" role="columnheader" aria-colindex=${col + 2} aria-label=${text.col(window.firstCol + col)}
        .style=${area(1, colLine(col))}>${window.firstCol + col}</div>`)}
    </div>`;
  }

  #row(row: number): TemplateResult {
    const { window, text } = this;
    const place = toBatch(window, { row, col: 0 });
    const line = rowLine(window, row);
    return html`<div class="line" role="row" aria-rowindex=${row + 2}>
      <div class="row-head" role="rowheader" aria-colindex="1" .style=${area(line, 1)}><span class="visually-hidden">${text.row(Math.floor(place.row / window.length), place.row % window.length)}</span></div>
      ${Array.from({ length: window.cols }, (_, col) => this.#cell(row, col, line))}
    </div>`;
  }

  #cell(row: number, col: number, line: number): TemplateResult {
    const { result: { cols, outputs, mask }, norm, text } = this;
    const place = toBatch(this.window, { row, col });
    const value = outputs[norm][place.row * cols + place.col]!;
    const padding = mask[place.row]! !== 0;
    const classes = padding ? "padding" : Number.isFinite(value) || this.show === "shared" ? "" : "wrong";
    return html`<div class="cell ${classes}" role="gridcell" tabindex=${row === this.active.row && col === this.active.col ? 0 : nothing} aria-colindex=${col + 2}
      aria-label=${padding ? text.padding : fullPrecision(value)} .place=${{ row, col }} .style=${`${area(line, colLine(col))};${classes ? "" : ` --fill: ${this.#fill(place, value)}`}`}></div>`;
  }

  #fill({ row, col }: Place, value: number): string {
    if (this.show === "numbers") return heatColours(this.theme).at(value, this.largest).fill;
    const index = shareIndex(this.result, this.norm, row, col);
    return index === undefined ? "var(--quiet)" : shareFill(index, this.theme);
  }

  /** One bracket a sequence, with its number. */
  #brackets(): TemplateResult[] {
    const { window } = this;
    return Array.from({ length: window.sequences }, (_, sequence) => {
      const first = sequence * window.tokens;
      return html`<b class="bracket" .style=${area(rowLine(window, first), 1, rowLine(window, first + window.tokens - 1) + 1)}>${sequence}</b>`;
    });
  }

  /** Padding is hatched as one piece a sequence, under the frames. */
  #hatches(): TemplateResult[] {
    const { result: { mask }, window } = this;
    return Array.from({ length: window.sequences }, (_, sequence) => {
      const rows = Array.from({ length: window.tokens }, (_, token) => sequence * window.tokens + token).filter((row) => mask[toBatch(window, { row, col: 0 }).row]);
      if (rows.length === 0) return html``;
      return html`<i class="hatch" .style=${area(rowLine(window, rows[0]!), colLine(0), rowLine(window, rows.at(-1)!) + 1, colLine(window.cols))}></i>`;
    });
  }

  /** A frame around each set of cells that share a statistic. */
  #outlines(): TemplateResult[] {
    const { result, norm, window } = this;
    const seen = new Set<number>();
    const frames: TemplateResult[] = [];
    for (let row = 0; row < this.#rows; row++) {
      for (let col = 0; col < window.cols; col++) {
        const place = toBatch(window, { row, col });
        const index = shareIndex(result, norm, place.row, place.col);
        if (index === undefined || seen.has(index)) continue;
        seen.add(index);
        frames.push(html`<i class="share" .style=${this.#areaOf(shareOf(result, norm, place.row, place.col)!)}></i>`);
      }
    }
    return frames;
  }

  #marker(token: number): TemplateResult | typeof nothing {
    const place = toWindow(this.window, { row: token, col: this.window.firstCol });
    return place ? html`<b class="marker" .style=${area(rowLine(this.window, place.row), 1)}>▸</b>` : nothing;
  }

  /** Where the chosen cell's statistic comes from, and the cell. */
  #chosenShare({ row, col }: Place): TemplateResult {
    const share = shareOf(this.result, this.norm, row, col);
    const cell = toWindow(this.window, { row, col });
    return html`${share ? html`<i class="from" .style=${this.#areaOf(share)}></i>` : nothing}
      ${cell ? html`<i class="point" .style=${area(rowLine(this.window, cell.row), colLine(cell.col))}></i>` : nothing}`;
  }

  /** The shown part of a share, from its first row to its last. */
  #areaOf({ rows, first, end }: Share): string {
    const { window } = this;
    const shown = rows.map((row) => toWindow(window, { row, col: window.firstCol })?.row).filter((row) => row !== undefined);
    const [from, to] = [Math.max(first, window.firstCol), Math.min(end, window.firstCol + window.cols)];
    if (shown.length === 0 || to <= from) return "display: none";
    return area(rowLine(window, shown[0]!), colLine(from - window.firstCol), rowLine(window, shown.at(-1)!) + 1, colLine(to - window.firstCol));
  }

  get #rows(): number {
    return this.window.sequences * this.window.tokens;
  }

  get #hasFocus(): boolean {
    return (this.renderRoot as ShadowRoot | undefined)?.activeElement != null;
  }

  #placeOf(event: Event): Place | undefined {
    return (event.target as Element).closest<HTMLElement & { place?: Place }>('[role="gridcell"]')?.place;
  }

  #emit(type: "cell-preview" | "cell-choose" | "cell-release", place: Place | null): void {
    this.dispatchEvent(new CustomEvent(type, { detail: place && toBatch(this.window, place) }));
  }

  #focus(place: Place): void {
    this.active = place;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true }));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    const next = placeAfterKey(event, this.active, this.#rows, this.window.cols, this.window.tokens);
    if (next) this.#focus(next);
    else if (event.key === "Enter" || event.key === " ") this.#emit("cell-choose", this.active);
    else if (event.key === "Escape") return this.#emit("cell-release", null);
    else return;
    event.preventDefault();
  }

  #onClick(event: Event): void {
    const place = this.#placeOf(event);
    if (!place) return;
    this.#focus(place);
    this.#emit("cell-choose", place);
  }

  #onPointer(event: PointerEvent): void {
    const place = event.pointerType === "touch" ? undefined : this.#placeOf(event);
    if (place?.row === this.#pointed?.row && place?.col === this.#pointed?.col) return;
    this.#pointed = place;
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

const area = (row: number, col: number, endRow = row + 1, endCol = col + 1): string => `grid-area: ${row} / ${col} / ${endRow} / ${endCol}`;

define("addnorm-norm-map", NormMap);
