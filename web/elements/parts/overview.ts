/** <addnorm-overview>: the whole matrix as a small map, with the visible window on it; click or drag moves the window. */
import { css, html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { drawMatrix, type ImageSource } from "./matrix-image.js";
import { partStyles, type Theme } from "./theme.js";

const PAUSE_MS = 80;

/** Fractions (0 to 1) of the matrix that are visible. */
export interface VisibleWindow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export class Overview extends LitElement {
  static override properties: PropertyDeclarations = {
    source: { attribute: false }, theme: { attribute: false }, visible: { attribute: false }, label: {},
  };

  declare source: ImageSource;
  declare theme: Theme;
  declare visible: VisibleWindow;
  declare label: string;
  #due: ReturnType<typeof setTimeout> | undefined;

  static override styles = [partStyles, css`
    :host { display: block; }
    .map { position: relative; height: 7em; border-radius: 4px; overflow: hidden; cursor: pointer; touch-action: none; }
    canvas { display: block; width: 100%; height: 100%; image-rendering: pixelated; }
    .window { position: absolute; min-width: 6px; min-height: 6px; border: 2px solid var(--ink); outline: 1px solid var(--card); border-radius: 2px; pointer-events: none; }
  `];

  protected override render(): TemplateResult {
    const { left, top, width, height } = this.visible;
    const percent = (part: number): string => `${(100 * part).toFixed(3)}%`;
    return html`<div class="map" @pointerdown=${this.#start} @pointermove=${this.#move}>
      <canvas role="img" aria-label=${this.label}></canvas>
      <div class="window" .style=${`left: ${percent(left)}; top: ${percent(top)}; width: ${percent(width)}; height: ${percent(height)}`}></div>
    </div>`;
  }

  /** Drawn a moment later and in a task of its own, so that a number that is dragged does not wait for the map. */
  protected override updated(changed: PropertyValues): void {
    if (!changed.has("source") && !changed.has("theme")) return;
    clearTimeout(this.#due);
    this.#due = setTimeout(() => {
      const canvas = this.renderRoot.querySelector("canvas")!;
      drawMatrix(canvas, this.source, this.theme, canvas.clientWidth || 1, canvas.clientHeight || 1);
    }, PAUSE_MS);
  }

  #start(event: PointerEvent): void {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#emit(event);
  }

  #move(event: PointerEvent): void {
    if ((event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) this.#emit(event);
  }

  #emit(event: PointerEvent): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const detail = { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
    this.dispatchEvent(new CustomEvent("overview-move", { detail }));
  }
}
