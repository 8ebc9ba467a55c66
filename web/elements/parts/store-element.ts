/** What every element shares: the state (its own, or the page's store), the language and the theme. */
import { html, LitElement, type nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { messagesFor, onMessages, resolveLanguage, type Messages } from "../../locales/index.js";
import type { State } from "../../state/schema.js";
import { Store, type Change } from "../../state/store.js";
import { onSystemTheme, resolveTheme, type Theme } from "./theme.js";

export abstract class StoreElement extends LitElement {
  static override properties: PropertyDeclarations = {
    store: { attribute: false },
    tone: { attribute: false },
  };

  /** Given by the page to drive several elements with one state; an element that stands alone has its own. */
  declare store: Store;
  /** Light or dark, given by the view that this is a part of; else the state and the system say. */
  declare tone: Theme | undefined;

  /** What the element's store starts from, such as its view. */
  static initial: Partial<State> = {};

  #unsubscribe: (() => void) | undefined;
  #ends: (() => void)[] = [];

  constructor() {
    super();
    this.store = new Store((this.constructor as typeof StoreElement).initial);
  }

  get state(): State {
    return this.store.state;
  }

  protected get language(): "en" | "zh" {
    return resolveLanguage(this.state.lang, this);
  }

  protected get text(): Messages {
    return messagesFor(this.language);
  }

  protected get shownTheme(): Theme {
    return this.tone ?? resolveTheme(this.state.theme);
  }

  /** Changes the state; the address and other elements follow. */
  protected change(patch: Partial<State>, how: "push" | "replace" | "preview" = "push"): void {
    this.store.set(patch, how);
  }

  /** What stands inside the themed root. */
  protected abstract content(): TemplateResult | typeof nothing;

  protected override render(): TemplateResult {
    return html`<div class="root" part="view" data-theme=${this.shownTheme} lang=${this.language === "zh" ? "zh-Hans" : "en"}>${this.content()}</div>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ends = [onSystemTheme(() => this.requestUpdate()), onMessages(() => this.requestUpdate())];
    this.#listen();
    // The state may have changed while the element was in no document, and so may the language around it.
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#ends) end();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("store") && this.isConnected) this.#listen();
  }

  protected stateChanged(_change: Change): void {
    this.requestUpdate();
  }

  #listen(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = this.store.subscribe((change) => this.stateChanged(change));
  }
}
