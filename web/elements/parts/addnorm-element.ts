/**
 * What every view element shares beyond the state: attributes for all keys of the schema, and the one instance of
 * the kernels.
 */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { load, type Addnorm } from "../../lib/index.js";
import { attributeName, lineOf, stateKeys, type State, type StateKey } from "../../state/schema.js";
import type { Change } from "../../state/store.js";
import { StoreElement } from "./store-element.js";
import { whenWanted } from "./when-wanted.js";

const keyOfAttribute = new Map<string, StateKey>(stateKeys.map((key) => [attributeName(key), key]));

export type ChangeEvent = CustomEvent<Partial<State>>;

export abstract class AddnormElement extends StoreElement {
  static override properties: PropertyDeclarations = {
    ...StoreElement.properties,
    controls: { type: String },
    an: { state: true },
    failure: { state: true },
  };

  /** "none", "basic" or "all": the controls that the element brings along. */
  declare controls: string;
  /** The kernels, once they are loaded. */
  declare protected an: Addnorm | undefined;
  declare protected failure: unknown;

  #attributes: Partial<Record<StateKey, string | null>> = {};
  #stopWaiting: (() => void) | undefined;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...keyOfAttribute.keys()];
  }

  constructor() {
    super();
    this.controls = "none";
  }

  /** The element's content, drawn from the state and `this.an`. */
  protected abstract draw(an: Addnorm): TemplateResult;

  protected override content(): TemplateResult {
    return html`${this.#notices()}
      ${this.failure ? this.#problem() : this.an ? this.#drawOrSay(this.an) : html`<p class="muted" role="status">${this.text.common.loading}</p>`}`;
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
    this.#adoptProperties();
    if (this.driven) void this.#load();
    else this.#stopWaiting = whenWanted(this, () => void this.#load());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWaiting?.();
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    super.attributeChangedCallback(name, before, value);
    const key = keyOfAttribute.get(name);
    if (!key || before === value) return;
    // Collected and applied together, since some keys are only valid beside others (gamma beside features).
    this.#attributes[key] = value;
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (Object.keys(this.#attributes).length) this.#applyAttributes();
  }

  /** Properties that were set before the element was defined stand in the way of its accessors. */
  #adoptProperties(): void {
    const own = this as unknown as Partial<Record<StateKey, unknown>>;
    for (const key of stateKeys) {
      if (key === "lang" || !Object.hasOwn(this, key)) continue;
      const value = own[key];
      delete own[key];
      own[key] = value;
    }
  }

  #applyAttributes(): void {
    const patch: Partial<Record<StateKey, unknown>> = {};
    for (const [key, text] of Object.entries(this.#attributes) as [StateKey, string | null][]) {
      const { parse, initial } = lineOf(key);
      // What cannot be read is passed on as it came: the store answers with a notice.
      patch[key] = text === null ? initial : parse(text) ?? (key === "lang" ? "auto" : text);
    }
    this.#attributes = {};
    this.store.set(patch as Partial<State>, "replace");
  }

  protected override stateChanged(change: Change): void {
    super.stateChanged(change);
    if (change.how !== "load") this.dispatchEvent(new CustomEvent("addnorm-change", { detail: change.patch, bubbles: true, composed: true }));
  }

  async #load(): Promise<void> {
    try {
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

  /** Only an element that stands alone shows its notices; the page shows them once for all. */
  #notices(): TemplateResult | typeof nothing {
    if (this.driven || this.store.notices.length === 0) return nothing;
    return html`<div class="problem" role="status">${this.store.notices.map((notice) => html`<p>${this.text.common.notice(notice)}</p>`)}</div>`;
  }

  /** Set by the page, which arranges the lead, controls and notices itself. */
  get driven(): boolean {
    return this.hasAttribute("driven");
  }
}

/** Each key of the schema is a property too: element.seed = 7. `lang` is the platform's own. */
for (const key of stateKeys) {
  if (key === "lang") continue;
  Object.defineProperty(AddnormElement.prototype, key, {
    configurable: true,
    enumerable: true,
    get(this: AddnormElement) {
      return this.store.state[key];
    },
    set(this: AddnormElement, value: unknown) {
      this.store.set({ [key]: value } as Partial<State>, "replace");
    },
  });
}
