/** <addnorm-page>: the frame around the views; ties the state to the address, the document's language and its theme. */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import "../elements/controls.js";
import type { AddnormControls } from "../elements/controls.js";
import { define } from "../elements/parts/define.js";
import { StoreElement } from "../elements/parts/store-element.js";
import { resolveLanguage } from "../locales/index.js";
import { schema, type State } from "../state/schema.js";
import { Store } from "../state/store.js";
import { bindUrl, formatHash } from "../state/url.js";
import { watchFileDrop } from "./file-drop.js";
import type { AddnormShare } from "./share.js";
import { pageStyles } from "./page-styles.js";
import { viewClasses, viewElement } from "./views.js";

const views = schema.view.choices!;
const themes = schema.theme.choices!;
const ROOM_FOR_SIDEBAR = "(min-width: 60rem)";

export class AddnormPage extends StoreElement {
  static override properties: PropertyDeclarations = {
    ...StoreElement.properties,
    wide: { state: true },
    dropping: { state: true },
    missing: { state: true },
    shared: { state: true },
  };

  declare private wide: boolean;
  declare private dropping: boolean;
  /** Why the view's own script could not be fetched; "" when it could. */
  declare private missing: string;
  /** The dialog is loaded when it is first asked for. */
  declare private shared: boolean;

  static override styles = pageStyles;

  readonly #room = matchMedia(ROOM_FOR_SIDEBAR);
  readonly #onRoom = (): void => void (this.wide = this.#room.matches);
  #stops: (() => void)[] = [];
  #brought: State["view"] | undefined;

  constructor() {
    super();
    this.store = new Store();
    this.wide = this.#room.matches;
    this.dropping = this.shared = false;
    this.missing = "";
  }

  /** The document's own lang follows this choice, so it cannot be where the choice comes from. */
  protected override get language(): "en" | "zh" {
    return resolveLanguage(this.state.lang);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#room.addEventListener("change", this.#onRoom);
    this.#stops = [
      bindUrl(this.store, window),
      watchFileDrop(document, (over) => (this.dropping = over), (file) => void this.#controls.openOwn(file)),
      () => this.#room.removeEventListener("change", this.#onRoom),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
  }

  protected override content(): TemplateResult {
    const { site } = this.text;
    return html`
      <header><div class="bar">
        <button type="button" class="skip" @click=${this.#skip}>${site.skip}</button>
        <h1>Add <span class="statistic">&amp;</span> Norm</h1>
        <nav aria-label=${site.views}>${views.map((view) => this.#tab(view))}</nav>
        <div class="tools">${this.#shareButton()}${this.#languageButton()}${this.#themeSelect()}</div>
      </div></header>
      <div class="body">
        <aside aria-label=${site.settings}><addnorm-controls ?sidebar=${this.wide} .store=${this.store}></addnorm-controls></aside>
        <main id="main" tabindex="-1" @addnorm-drawn=${this.#onDrawn}>
          ${this.#notices()}
          ${this.missing ? html`<p class="problem" role="alert">${this.text.common.loadFailed(this.missing)}</p>` : viewElement(this.state.view, this.store)}
        </main>
      </div>
      ${this.shared ? html`<addnorm-share .store=${this.store}></addnorm-share>` : nothing}
      ${this.dropping ? html`<div class="drop"><p>${site.drop}</p></div>` : nothing}`;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.#brought !== this.state.view) void this.#bring(this.state.view);
  }

  async #bring(view: State["view"]): Promise<void> {
    this.#brought = view;
    this.missing = "";
    try {
      define(`addnorm-${view}`, await viewClasses[view]());
    } catch (error) {
      if (this.#brought === view) this.missing = error instanceof Error ? error.message : String(error);
    }
  }

  protected override updated(): void {
    const { site } = this.text;
    const root = document.documentElement;
    root.lang = this.language === "zh" ? "zh-Hans" : "en";
    if (this.state.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = this.state.theme;
    document.title = site.title(site.view[this.state.view]);
    document.querySelector('meta[name="description"]')?.setAttribute("content", site.description);
  }

  #tab(view: State["view"]): TemplateResult {
    const address = formatHash({ ...this.state, view }) || "#";
    return html`<a href=${address} aria-current=${view === this.state.view ? "page" : nothing} @click=${(event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      this.change({ view });
    }}>${this.text.site.view[view]}</a>`;
  }

  #shareButton(): TemplateResult {
    return html`<button type="button" class="button" aria-haspopup="dialog" @click=${() => void this.#share()}>${this.text.site.share}</button>`;
  }

  async #share(): Promise<void> {
    await import("./share.js");
    this.shared = true;
    await this.updateComplete;
    await this.renderRoot.querySelector<AddnormShare>("addnorm-share")!.open();
  }

  #languageButton(): TemplateResult {
    const { otherLanguage, otherLanguageTitle } = this.text.site;
    const other = this.language === "en" ? "zh" : "en";
    return html`<button type="button" class="button" lang=${other === "zh" ? "zh-Hans" : "en"} title=${otherLanguageTitle} @click=${() => this.change({ lang: other })}>${otherLanguage}</button>`;
  }

  #themeSelect(): TemplateResult {
    const { theme, themes: names } = this.text.site;
    return html`<select class="button" aria-label=${theme} @change=${(event: Event) => this.change({ theme: (event.target as HTMLSelectElement).value as State["theme"] })}>
      ${themes.map((name) => html`<option value=${name} .selected=${name === this.state.theme}>${names[name]}</option>`)}
    </select>`;
  }

  #notices(): TemplateResult {
    const { notices, dismiss } = this.text.site;
    const list = this.store.notices;
    return html`<div role="status">${list.length ? html`<section class="notices" aria-label=${notices}>
      <ul>${list.map((notice) => html`<li>${this.text.common.notice(notice)}</li>`)}</ul>
      <button type="button" class="button" @click=${() => this.store.dismissNotices()}>${dismiss}</button>
    </section>` : nothing}</div>`;
  }

  get #controls(): AddnormControls {
    return this.renderRoot.querySelector<AddnormControls>("addnorm-controls")!;
  }

  /** A button, since the hash that a link would change holds the state. */
  #skip(): void {
    this.renderRoot.querySelector<HTMLElement>("#main")!.focus();
  }

  /** The parts inside the view measure themselves in the first frame and draw in the second. */
  #onDrawn(): void {
    requestAnimationFrame(() => requestAnimationFrame(() => (document.documentElement.dataset.ready = "true")));
  }
}
