/**
 * <addnorm-embed>: one view in a frame of someone's page. The query holds its state, and `controls`.
 *
 * It tells its height, {type: "addnorm:height", height}, when there is something to see and whenever it changes; and
 * it follows {type: "addnorm:theme", theme} and {type: "addnorm:lang", lang} from the page around.
 */
import { css, html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { Extent } from "../elements/parts/addnorm-element.js";
import { define } from "../elements/parts/define.js";
import { standalone } from "../elements/parts/standalone.js";
import { StoreElement } from "../elements/parts/store-element.js";
import { baseStyles } from "../elements/parts/theme.js";
import { resolveLanguage } from "../locales/index.js";
import { linkState } from "../state/link-state.js";
import { lineOf, type State } from "../state/schema.js";
import { Store } from "../state/store.js";
import { formatHash, parseHash } from "../state/url.js";
import { viewClasses, viewElement } from "./views.js";

/** What the host may send, and the key that it changes. */
const wishes: Readonly<Record<string, "theme" | "lang">> = { "addnorm:theme": "theme", "addnorm:lang": "lang" };

export class AddnormEmbed extends StoreElement {
  static override properties: PropertyDeclarations = {
    ...StoreElement.properties,
    missing: { state: true },
  };

  /** Why the view's own script could not be fetched; "" when it could. */
  declare private missing: string;

  static override styles = [baseStyles, css`
    .frame { display: flow-root; padding: 1em 1em 0.5em; }
    .foot { margin-top: 0.8em; text-align: end; font-size: 0.78em; }
    .foot a { color: var(--muted); }
    .foot a:hover { color: var(--ink); }
  `];

  readonly #controls: Extent;
  readonly #size = new ResizeObserver(() => this.#tellHeight());
  #brought: State["view"] | undefined;

  constructor() {
    super();
    this.missing = "";
    const query = location.search;
    this.#controls = (new URLSearchParams(query).get("controls") ?? "none") as Extent;
    this.store = new Store();
    const { patch, notices } = parseHash(query.replace(/(?<=[?&])controls=[^&]*/, ""));
    this.store.load(patch, notices);
  }

  /** The document's own lang follows this choice, so it cannot be where the choice comes from. */
  protected override get language(): "en" | "zh" {
    return resolveLanguage(this.state.lang);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("message", this.#hear);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("message", this.#hear);
    this.#size.disconnect();
  }

  protected override content(): TemplateResult {
    const { site, common } = this.text;
    const state = linkState(this.state);
    return html`<main class="frame" @addnorm-drawn=${this.#onDrawn}>
      <h1 class="visually-hidden">${site.title(site.view[this.state.view])}</h1>
      ${this.missing ? html`<p class="problem" role="alert">${common.loadFailed(this.missing)}</p>` : viewElement(this.state.view, this.store, this.#controls)}
      <p class="foot"><a href=${`./${formatHash(state)}`} target="_blank" rel="noopener">${site.whole}</a></p>
    </main>`;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { view, theme } = this.state;
    const { documentElement: root } = document;
    root.lang = this.language === "zh" ? "zh-Hans" : "en";
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    document.title = this.text.site.title(this.text.site.view[view]);
    if (this.#brought !== view) void this.#bring(view);
  }

  async #bring(view: State["view"]): Promise<void> {
    this.#brought = view;
    try {
      define(`addnorm-${view}`, standalone(await viewClasses[view]()));
    } catch (error) {
      this.missing = error instanceof Error ? error.message : String(error);
      this.#onDrawn();
    }
  }

  /** Until there is something to see, the frame keeps the height that the host gave it. */
  #onDrawn(): void {
    this.#size.observe(this.renderRoot.querySelector(".frame")!);
    document.documentElement.dataset.ready = "true";
  }

  #tellHeight(): void {
    const { height } = this.renderRoot.querySelector(".frame")!.getBoundingClientRect();
    if (parent !== self) parent.postMessage({ type: "addnorm:height", height: Math.ceil(height) }, "*");
  }

  readonly #hear = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== parent || typeof data !== "object" || data === null) return;
    const message = data as Record<string, unknown>;
    const key = Object.hasOwn(wishes, String(message.type)) ? wishes[String(message.type)]! : undefined;
    if (key && lineOf(key).accepts(message[key])) this.change({ [key]: message[key] }, "replace");
  };
}
