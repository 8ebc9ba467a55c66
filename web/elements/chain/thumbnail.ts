/** <addnorm-thumbnail>: a whole matrix as a small picture. */
import { css, html, LitElement, type PropertyDeclarations, type TemplateResult } from "lit";
import { define } from "../parts/define.js";
import { drawMatrix, type ImageSource } from "../parts/matrix-image.js";
import type { Theme } from "../parts/theme.js";

/** More numbers than this are drawn in a task of their own, so that many thumbnails do not add up to a pause. */
const AT_ONCE = 50_000;

export class Thumbnail extends LitElement {
  static override properties: PropertyDeclarations = {
    source: { attribute: false, hasChanged: differs },
    theme: {},
  };

  declare source: ImageSource;
  declare theme: Theme;
  #timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = css`
    :host { display: block; overflow: hidden; border-radius: 4px; }
    canvas { display: block; width: 100%; height: 100%; image-rendering: pixelated; }
  `;

  protected override render(): TemplateResult {
    return html`<canvas aria-hidden="true"></canvas>`;
  }

  protected override updated(): void {
    clearTimeout(this.#timer);
    if (this.source.data.length <= AT_ONCE) this.#draw();
    else this.#timer = setTimeout(() => this.#draw());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  #draw(): void {
    const { width, height } = this.getBoundingClientRect();
    const density = globalThis.devicePixelRatio;
    drawMatrix(this.renderRoot.querySelector("canvas")!, this.source, this.theme, width * density, height * density);
  }
}

function differs(next: ImageSource, previous?: ImageSource): boolean {
  return next.data !== previous?.data || next.largest !== previous.largest || next.cols !== previous.cols;
}

define("addnorm-thumbnail", Thumbnail);
