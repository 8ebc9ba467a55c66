/** <addnorm-bars>: one token's numbers as bars that can be dragged, or changed with the arrow keys. */
import { css, html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { domainOf, drawBars, type BarsData, type DrawnBars } from "./bars-plot.js";
import { define } from "./define.js";
import { fullPrecision, scaleOf } from "./format.js";
import { partStyles } from "./theme.js";

export interface BarsText {
  /** The name of the whole chart. */
  readonly chart: string;
  /** The name of the handle: feature 2 of token 3. */
  readonly handle: string;
  readonly keys: string;
}

export interface BarChange {
  readonly value: number;
  /** "preview" while it moves, "push" when it is let go, "cancel" to put back what was. */
  readonly how: "preview" | "push" | "cancel";
}

/** Movements smaller than this many pixels are clicks. */
const CLICK = 3;
const MIN_HANDLE = 24;
/** A chart narrower than this is about to get its real size. */
const NARROWEST = 120;
const KEY_STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** Fires "bar-choose" (the feature) and "bar-change" (a BarChange of the chosen feature). */
export class Bars extends LitElement {
  static override properties: PropertyDeclarations = {
    data: { attribute: false }, chosen: { attribute: false }, text: { attribute: false },
    slim: { type: Boolean }, width: { state: true }, height: { state: true },
  };

  declare data: BarsData;
  declare chosen: number;
  declare text: BarsText;
  /** The result of a step: smaller, and only to look at. */
  declare slim: boolean;
  declare private width: number;
  declare private height: number;

  #drawn: DrawnBars | undefined;
  /** Frozen while a bar moves, so that the picture does not run from under the pointer. */
  #domain: [number, number] | undefined;
  #drag: { pointer: number; y: number; value: number; moved: boolean } | undefined;
  #keyed = false;
  #resize: ResizeObserver | undefined;

  static override styles = [partStyles, css`
    :host { display: block; }
    .chart { position: relative; height: 14.5em; font-family: var(--mono); font-variant-numeric: tabular-nums; user-select: none; -webkit-user-select: none; }
    :host([slim]) .chart { height: 5.75em; }
    .area { position: absolute; inset: 0; cursor: pointer; touch-action: pan-y; }
    .handle { position: absolute; cursor: ns-resize; touch-action: none; border: 2px solid var(--focus); border-radius: 4px; }
    .handle:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
    svg { display: block; position: absolute; inset: 0; overflow: visible; }
    svg text { white-space: pre; }
  `];

  constructor() {
    super();
    this.slim = false;
    this.width = this.height = 0;
    this.chosen = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize = new ResizeObserver(([entry]) => {
      this.width = Math.round(entry!.contentRect.width);
      this.height = Math.round(entry!.contentRect.height);
    });
    this.#resize.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
  }

  protected override willUpdate(): void {
    if (this.width < NARROWEST) return;
    const domain = this.#domain ?? domainOf(this.data);
    this.#drawn = drawBars(this.data, { width: this.width, height: this.height, chosen: this.chosen, domain, slim: this.slim });
  }

  protected override render(): TemplateResult {
    return html`<div class="chart" role=${this.slim ? "img" : "group"} aria-label=${this.text.chart}>
      <div class="plot" aria-hidden="true"></div>
      ${this.slim || !this.#drawn ? nothing : html`<div class="area" @pointerdown=${this.#start} @pointermove=${this.#move} @pointerup=${this.#end} @pointercancel=${this.#cancel}>
        ${this.#handle(this.#drawn)}
      </div>`}
    </div>`;
  }

  protected override updated(_changed: PropertyValues): void {
    if (this.#drawn) this.renderRoot.querySelector(".plot")!.replaceChildren(this.#drawn.svg);
  }

  #handle({ x, y, barWidth }: DrawnBars): TemplateResult {
    const value = this.data.values[this.chosen]!;
    const [low, high] = this.#domain ?? domainOf(this.data);
    const tip = Number.isFinite(value) ? Math.max(low, Math.min(high, value)) : 0;
    const [top, bottom] = [y(Math.max(0, tip)), y(Math.min(0, tip))];
    const grown = Math.max(0, MIN_HANDLE - (bottom - top)) / 2;
    const width = Math.max(barWidth + 6, 12);
    return html`<div class="handle" role="slider" tabindex="0" aria-orientation="vertical" aria-label=${this.text.handle} aria-description=${this.text.keys}
      aria-valuemin=${low} aria-valuemax=${high} aria-valuenow=${Number.isFinite(value) ? value : 0} aria-valuetext=${fullPrecision(value)}
      @keydown=${this.#onKey} @keyup=${this.#settle} @blur=${this.#settle}
      .style=${`left: ${x(this.chosen) - width / 2}px; width: ${width}px; top: ${top - grown - 3}px; height: ${bottom - top + 2 * grown + 6}px`}></div>`;
  }

  #emit(type: "bar-choose" | "bar-change", detail: number | BarChange): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** What one arrow key adds: a hundredth of the largest number's power of ten. */
  get #step(): number {
    return 10 ** (Math.floor(Math.log10(scaleOf(this.data.values) || 1)) - 2);
  }

  #start(event: PointerEvent): void {
    const area = event.currentTarget as HTMLElement;
    const box = area.getBoundingClientRect();
    const onHandle = (event.target as Element).closest(".handle") !== null;
    const feature = onHandle ? this.chosen : this.#drawn!.feature(event.clientX - box.left);
    if (feature !== this.chosen) this.#emit("bar-choose", feature);
    // A finger beside the handle may want to scroll the page; it chooses only.
    if ((event.pointerType === "touch" && !onHandle) || event.button !== 0) return;
    area.setPointerCapture(event.pointerId);
    const value = this.data.values[feature]!;
    this.#domain = domainOf(this.data);
    this.#drag = { pointer: event.pointerId, y: event.clientY, value: Number.isFinite(value) ? value : 0, moved: false };
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || drag.pointer !== event.pointerId) return;
    const distance = event.clientY - drag.y;
    if (!drag.moved && Math.abs(distance) < CLICK) return;
    drag.moved = true;
    const { value } = this.#drawn!;
    const [low, high] = this.#domain!;
    const wanted = Math.max(low, Math.min(high, drag.value + value(distance) - value(0)));
    this.#emit("bar-change", { value: this.#rounded(wanted, value(0) - value(1)), how: "preview" });
  }

  /** To the decimals that a pixel can tell apart. */
  #rounded(value: number, pixel: number): number {
    const decimals = Math.max(0, Math.min(20, -Math.floor(Math.log10(pixel))));
    const unit = 10 ** Math.floor(Math.log10(pixel));
    return Math.fround(decimals > 0 ? Number(value.toFixed(decimals)) : Math.round(value / unit) * unit);
  }

  #end(event: PointerEvent): void {
    if (this.#drag?.pointer !== event.pointerId) return;
    const { moved } = this.#drag;
    this.#drag = this.#domain = undefined;
    if (moved) this.#emit("bar-change", { value: this.data.values[this.chosen]!, how: "push" });
    this.renderRoot.querySelector<HTMLElement>(".handle")?.focus({ preventScroll: true });
    this.requestUpdate();
  }

  #cancel(): void {
    const moved = this.#drag?.moved || this.#keyed;
    this.#drag = this.#domain = undefined;
    this.#keyed = false;
    if (moved) this.#emit("bar-change", { value: NaN, how: "cancel" });
    this.requestUpdate();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = KEY_STEPS[event.key];
    const last = this.data.values.length - 1;
    const feature = { ArrowLeft: this.chosen - 1, ArrowRight: this.chosen + 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape") return this.#cancel();
    if (steps !== undefined) {
      const value = this.data.values[this.chosen]!;
      const size = this.#step;
      const moved = (Number.isFinite(value) ? value : 0) + steps * size * (event.shiftKey ? 10 : 1);
      this.#keyed = true;
      this.#emit("bar-change", { value: Math.fround(Number(moved.toPrecision(7))), how: "preview" });
    } else if (feature !== undefined) {
      this.#settle();
      this.#emit("bar-choose", Math.max(0, Math.min(last, feature)));
    } else return;
    event.preventDefault();
  }

  #settle(): void {
    if (!this.#keyed) return;
    this.#keyed = false;
    this.#emit("bar-change", { value: this.data.values[this.chosen]!, how: "push" });
  }
}

define("addnorm-bars", Bars);
