/** <addnorm-depth-chart>: the curves, in which a place is pointed at, clicked, or walked to with the arrow keys. */
import { css, html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { State } from "../../state/schema.js";
import { define } from "../parts/define.js";
import { fullPrecision } from "../parts/format.js";
import { partStyles } from "../parts/theme.js";
import { drawDepth, type DepthSeries, type DrawnDepth } from "./plot.js";

/** A chart narrower than this is about to get its real size. */
const NARROWEST = 120;
const HEIGHT_EM = 22;
const PAGE = 8;

/** Fires "place-preview" (a place or null), "place-choose" (a place) and "place-release". */
export class DepthChart extends LitElement {
  static override properties: PropertyDeclarations = {
    series: { attribute: false }, direction: {}, at: { type: Number }, text: { attribute: false },
    width: { state: true }, line: { state: true },
  };

  declare series: readonly DepthSeries[];
  declare direction: State["direction"];
  /** The place that is shown. */
  declare at: number;
  declare text: Messages["depth"];
  declare private width: number;
  /** The line that the keyboard is on. */
  declare private line: number;

  #drawn: DrawnDepth | undefined;
  #resize: ResizeObserver | undefined;

  static override styles = [partStyles, css`
    :host { display: block; }
    .chart { position: relative; height: ${HEIGHT_EM}em; font-family: var(--mono); font-variant-numeric: tabular-nums; }
    .area { position: absolute; inset: 0; cursor: crosshair; touch-action: pan-y; }
    svg { display: block; position: absolute; inset: 0; overflow: visible; }
    svg text { white-space: pre; }
    .hair { position: absolute; width: 1px; background: var(--outline); pointer-events: none; }
    .handle { position: absolute; width: 24px; height: 24px; margin: -12px; border: 2px solid var(--focus); border-radius: 50%; cursor: ew-resize; }
    .handle:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
    @media (forced-colors: active) { .plot { forced-color-adjust: none; } }
  `];

  constructor() {
    super();
    this.direction = "backward";
    this.at = this.width = this.line = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => (this.width = Math.round(entry!.contentRect.width)));
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.line = Math.min(this.line, this.series.length - 1);
    if (this.width < NARROWEST || !["series", "direction", "width", "text"].some((name) => changed.has(name))) return;
    const height = Math.round(HEIGHT_EM * (Number.parseFloat(getComputedStyle(this).fontSize) || 16));
    const { atStart, atEnd, flow } = this.text;
    this.#drawn = drawDepth(this.series, {
      width: this.width, height, ends: this.direction === "backward" ? "left" : "right", under: [atStart, flow[this.direction], atEnd],
    });
  }

  protected override render(): TemplateResult {
    return html`<div class="chart" role="group" aria-label=${this.text.chart[this.direction]}>
      <div class="plot" aria-hidden="true"></div>
      ${this.#drawn ? html`<div class="area" @pointermove=${this.#point} @pointerdown=${this.#point} @pointerleave=${() => this.#emit("place-preview", null)} @click=${this.#choose}>
        ${this.#marks(this.#drawn)}
      </div>` : nothing}
    </div>`;
  }

  protected override updated(): void {
    const plot = this.renderRoot.querySelector(".plot")!;
    if (this.#drawn && plot.firstChild !== this.#drawn.svg) plot.replaceChildren(this.#drawn.svg);
  }

  #marks({ x, y, top, bottom }: DrawnDepth): TemplateResult {
    const { name, values } = this.series[this.line]!;
    const value = values[this.at]!;
    const { handle, handleKeys, handleValue, places } = this.text;
    return html`<div class="hair" .style=${`left: ${x(this.at)}px; top: ${top}px; height: ${bottom - top}px`}></div>
      <div class="handle" role="slider" tabindex="0" aria-label=${handle} aria-description=${handleKeys}
        aria-valuemin="0" aria-valuemax=${this.#last} aria-valuenow=${this.at} aria-valuetext=${handleValue(places(this.at, this.#last), name, fullPrecision(value))}
        @keydown=${this.#onKey} .style=${`left: ${x(this.at)}px; top: ${y(value)}px`}></div>`;
  }

  get #last(): number {
    return this.series[0]!.values.length - 1;
  }

  #emit(type: string, detail?: number | null): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #placeOf(event: MouseEvent): number {
    return this.#drawn!.place(event.clientX - (event.currentTarget as Element).getBoundingClientRect().left);
  }

  #point(event: PointerEvent): void {
    this.#emit("place-preview", this.#placeOf(event));
  }

  /** The line that is nearest to the pointer becomes the keyboard's, too. */
  #choose(event: MouseEvent): void {
    const place = this.#placeOf(event);
    const height = event.clientY - (event.currentTarget as Element).getBoundingClientRect().top;
    const distances = this.series.map(({ values }) => Math.abs(this.#drawn!.y(values[place]!) - height));
    this.line = distances.indexOf(Math.min(...distances));
    this.#emit("place-choose", place);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return this.#emit("place-release");
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -PAGE, PageUp: PAGE, Home: -this.#last, End: this.#last };
    const lines: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
    if (event.key in moves) this.#emit("place-choose", Math.max(0, Math.min(this.#last, this.at + moves[event.key]!)));
    else if (event.key in lines) this.line = (this.line + lines[event.key]! + this.series.length) % this.series.length;
    else return;
    event.preventDefault();
  }
}

define("addnorm-depth-chart", DepthChart);
