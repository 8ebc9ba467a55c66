/** <addnorm-share>: the dialog with the link, the frame and the element for what is on screen, ready to copy. */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { extents, type Extent } from "../elements/parts/addnorm-element.js";
import { define } from "../elements/parts/define.js";
import { segmented, segmentedStyles } from "../elements/parts/segmented.js";
import { StoreElement } from "../elements/parts/store-element.js";
import { baseStyles } from "../elements/parts/theme.js";
import { share as en } from "../locales/en/share.js";
import { share as zh } from "../locales/zh/share.js";
import { linkState, staysHere } from "../state/link-state.js";
import { schema, type State } from "../state/schema.js";
import { Store } from "../state/store.js";
import { shareStyles } from "./share-styles.js";
import { element, frame, link } from "./snippets.js";
import { viewElement } from "./views.js";

const texts = { en, zh };
/** The one file carries no embed.html and no package beside it, wherever it lies. */
const IS_ONE_FILE = import.meta.env.MODE === "one-file";

type Copied = "link" | "frame" | "element";

export class AddnormShare extends StoreElement {
  static override properties: PropertyDeclarations = {
    ...StoreElement.properties,
    controls: { state: true },
    colours: { state: true },
    tongue: { state: true },
    said: { state: true },
    opened: { state: true },
  };

  static override styles = [baseStyles, segmentedStyles, shareStyles];

  /** The choices for someone's page, which change nothing on this one. */
  declare private controls: Extent;
  declare private colours: State["theme"];
  declare private tongue: State["lang"];
  /** What a screen reader is told. */
  declare private said: string;
  declare private opened: boolean;

  /** What the preview draws. */
  readonly #preview = new Store();

  constructor() {
    super();
    this.controls = "none";
    this.colours = this.tongue = "auto";
    this.said = "";
    this.opened = false;
  }

  async open(): Promise<void> {
    const { theme, lang } = this.state;
    this.colours = theme;
    this.tongue = lang;
    this.said = "";
    this.opened = true;
    await this.updateComplete;
    this.#dialog.showModal();
    // "Back" closes the dialog, as it does with whatever fills the screen of a phone.
    try {
      history.pushState({ sharing: true }, "");
    } catch {
      // Sandboxed frames refuse; the dialog has its button.
    }
    addEventListener("popstate", this.#onBack);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#onBack);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.opened) this.#preview.load(linkState(this.#chosen));
  }

  /** The state for someone's page. */
  get #chosen(): State {
    return { ...this.state, theme: this.colours, lang: this.tongue };
  }

  protected override content(): TemplateResult {
    const text = texts[this.language];
    return html`<dialog aria-labelledby="title" closedby="any" @close=${this.#onClose}>${this.opened ? html`
      <div class="head">
        <h2 id="title" tabindex="-1" autofocus>${text.title}</h2>
        <button type="button" class="button" @click=${() => this.#dialog.close()}>${text.close}</button>
      </div>
      <div class="body">
        ${this.#copyable("link", text.link, text.linkNote)}
        <h3>${text.page}</h3>
        <p class="note">${text.pageNote}</p>
        ${staysHere(this.state) ? html`<p class="problem">${text.staysHere}</p>` : nothing}
        ${this.#folder === "…/" ? html`<p class="problem">${text.unpublished}</p>` : nothing}
        ${this.#choices()}
        ${this.#picture()}
        ${this.#copyable("frame", text.frame, text.frameNote)}
        ${this.#copyable("element", text.element, text.elementNote)}
        <p class="said" role="status">${this.said}</p>
      </div>` : nothing}
    </dialog>`;
  }

  #choices(): TemplateResult {
    const text = texts[this.language];
    const choose = <T extends string>(name: string, label: string, values: readonly T[], names: Readonly<Record<T, string>>, value: T, onSelect: (value: T) => void): TemplateResult => html`
      <div class="choice"><span class="name" aria-hidden="true">${label}</span>${segmented<T>({ name, label, value, onSelect, segments: values.map((each) => ({ value: each, text: names[each] })) })}</div>`;
    return html`<div class="choices">
      ${choose("controls", text.controls, extents, text.extents, this.controls, (controls) => (this.controls = controls))}
      ${choose("colours", text.colours, schema.theme.choices!, text.themes, this.colours, (colours) => (this.colours = colours))}
      ${choose("language", text.language, schema.lang.choices!, text.languages, this.tongue, (tongue) => (this.tongue = tongue))}
    </div>`;
  }

  /** The view as the readers of someone's page get it, made small; a picture, not a second view. */
  #picture(): TemplateResult {
    return html`<figure>
      <figcaption class="name">${texts[this.language].preview}</figcaption>
      <div class="root picture" data-theme=${this.colours === "auto" ? this.shownTheme : this.colours} inert><div class="small">${viewElement(this.state.view, this.#preview, this.controls)}</div></div>
    </figure>`;
  }

  /** Where the embedded view and the package lie; "…/" stands for an address that is not known. */
  get #folder(): string {
    return IS_ONE_FILE || location.protocol === "file:" ? "…/" : new URL(".", location.href).href;
  }

  #copyable(kind: Copied, name: string, note: string): TemplateResult {
    const text = texts[this.language];
    const value = this.#snippet(kind);
    return html`<section>
      <div class="line"><label for=${kind}>${name}</label>
        <button type="button" class="button" aria-label=${text.copyOf(name)} @click=${() => void this.#copy(kind, name)}>${text.copy}</button></div>
      <textarea id=${kind} class="mono" readonly spellcheck="false" rows=${kind === "link" ? 1 : Math.min(6, value.split("\n").length + 1)} aria-describedby="${kind}-note"
        .value=${value} @focus=${(event: Event) => (event.target as HTMLTextAreaElement).select()}></textarea>
      <p class="note" id="${kind}-note">${kind === "link" && location.protocol === "file:" ? text.onDisk : note}</p>
    </section>`;
  }

  #snippet(kind: Copied): string {
    const { site } = this.text;
    const { view } = this.state;
    switch (kind) {
      case "link": return link(location.href.replace(/#.*/s, ""), this.state);
      case "frame": return frame(this.#folder, this.#chosen, this.controls, site.title(site.view[view]));
      case "element": return element(this.#folder, this.#chosen, this.controls);
    }
  }

  /** Where the page may not write to the clipboard, the old way, and else the reader's own hand. */
  async #copy(kind: Copied, name: string): Promise<void> {
    const text = texts[this.language];
    const field = this.renderRoot.querySelector<HTMLTextAreaElement>(`#${kind}`)!;
    try {
      await navigator.clipboard.writeText(field.value);
      this.said = text.copied(name);
    } catch {
      field.focus();
      field.select();
      this.said = (document.execCommand("copy") ? text.copied : text.selected)(name);
    }
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector("dialog")!;
  }

  readonly #onBack = (): void => this.#dialog.close();

  #onClose(): void {
    removeEventListener("popstate", this.#onBack);
    if ((history.state as { sharing?: boolean } | null)?.sharing) history.back();
    this.opened = false;
  }
}

define("addnorm-share", AddnormShare);
