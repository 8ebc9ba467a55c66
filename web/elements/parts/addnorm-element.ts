/** What every view element shares beyond the state: the one instance of the kernels, and what is shown until it is there. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { load, type Addnorm } from "../../lib/index.js";
import { StoreElement } from "./store-element.js";

/** The controls that an element brings along: none, those of the norm, or all. */
export const extents = ["none", "basic", "all"] as const;
export type Extent = (typeof extents)[number];

export abstract class AddnormElement extends StoreElement {
  static override properties: PropertyDeclarations = {
    ...StoreElement.properties,
    controls: { type: String },
    an: { state: true },
    failure: { state: true },
  };

  declare controls: Extent;
  /** The kernels, once they are loaded. */
  declare protected an: Addnorm | undefined;
  declare protected failure: unknown;

  constructor() {
    super();
    this.controls = "none";
  }

  /** The element's content, drawn from the state and `this.an`. */
  protected abstract draw(an: Addnorm): TemplateResult;

  protected override content(): TemplateResult {
    return html`${this.failure ? this.#problem() : this.an ? this.#drawOrSay(this.an) : this.waiting()}`;
  }

  protected waiting(): TemplateResult {
    return html`<p class="muted" role="status">${this.text.common.loading}</p>`;
  }

  /** What stands above the view where it is asked for. */
  protected ownControls(): TemplateResult | typeof nothing {
    const { controls } = this;
    // Whatever else an attribute may hold means none.
    if (controls !== "basic" && controls !== "all") return nothing;
    return html`<addnorm-controls part="controls" .store=${this.store} .tone=${this.shownTheme} .extent=${controls}></addnorm-controls>`;
  }

  /** Memory can end while a large matrix is computed; the page and its controls must live on. */
  #drawOrSay(an: Addnorm): TemplateResult {
    try {
      return this.draw(an);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return html`<p class="problem" role="alert">${this.text.common.computeFailed(error.message)}</p>`;
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.start();
  }

  /** Called when the element comes into a document. */
  protected start(): void {
    void this.load();
  }

  protected async load(): Promise<void> {
    try {
      this.failure = undefined;
      this.an = await load();
      await this.updateComplete;
      this.dispatchEvent(new Event("addnorm-drawn", { bubbles: true, composed: true }));
    } catch (error) {
      this.failure = error;
    }
  }

  #problem(): TemplateResult {
    const reason = this.failure instanceof Error ? this.failure.message : String(this.failure);
    return html`<p class="problem" role="alert">${this.text.common.loadFailed(reason)}</p>`;
  }
}
