/**
 * What a view gains when it stands alone in someone's page: an attribute and a property for each key of the state,
 * "addnorm-change", the page's own light or dark, and work that is put off until the element is near the viewport.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { attributeName, initialState, lineOf, stateKeys, type State, type StateKey } from "../../state/schema.js";
import { ownPatch, type Change } from "../../state/store.js";
import type { AddnormElement } from "./addnorm-element.js";
import { matrixFrom, refusal, valueFrom } from "./property-values.js";
import { onSurroundings, toneAround } from "./surroundings.js";
import type { Theme } from "./theme.js";
import { whenWanted } from "./when-wanted.js";

/** The view is what the tag says. */
const keys = stateKeys.filter((key) => key !== "view");
/** `lang` is a property of every element, and the platform's own. */
const propertyKeys = keys.filter((key) => key !== "lang");
const keyOfAttribute = new Map<string, StateKey>(keys.map((key) => [attributeName(key), key]));

export type ViewClass = (new () => AddnormElement) & Pick<typeof AddnormElement, "initial" | "observedAttributes">;

/** The class to register for a view's tag. */
export function standalone(View: ViewClass): ViewClass {
  const initial: State = { ...initialState, ...View.initial };

  // The compiler cannot know that each view draws.
  abstract class StandaloneView extends View {
    #attributes: Partial<Record<StateKey, string | null>> = {};
    #ends: (() => void)[] = [];
    #around: Theme | undefined;

    static {
      for (const key of propertyKeys) {
        Object.defineProperty(this.prototype, key, {
          configurable: true,
          enumerable: true,
          get(this: StandaloneView) {
            this.#applyAttributes();
            return structuredClone(this.state[key]);
          },
          set(this: StandaloneView, value: unknown) {
            this.#assign(key, value);
          },
        });
      }
    }

    static override get observedAttributes(): string[] {
      return [...super.observedAttributes, ...keyOfAttribute.keys()];
    }

    override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
      super.attributeChangedCallback(name, before, value);
      const key = keyOfAttribute.get(name);
      if (!key || before === value) return;
      // Collected and applied together, since some keys are only valid beside others (gamma beside features).
      this.#attributes[key] = value;
      this.requestUpdate();
    }

    protected override start(): void {
      this.#adoptProperties();
      this.#look();
      this.#ends = [onSurroundings(() => this.#look()), whenWanted(this, () => void this.load())];
    }

    override disconnectedCallback(): void {
      super.disconnectedCallback();
      for (const end of this.#ends) end();
    }

    protected override get shownTheme(): Theme {
      return this.state.theme === "auto" ? this.#around ?? super.shownTheme : this.state.theme;
    }

    protected override willUpdate(changed: PropertyValues): void {
      super.willUpdate(changed);
      this.#applyAttributes();
    }

    protected override updated(changed: PropertyValues): void {
      super.updated(changed);
      // Light text needs a dark ground, and the other way round.
      this.renderRoot.querySelector(".root")!.classList.toggle("panel", this.#around !== undefined && this.#around !== this.shownTheme);
    }

    protected override content(): TemplateResult {
      return html`${this.#notices()}${super.content()}${this.failure ? html`<slot></slot>` : nothing}`;
    }

    /** The host's own words keep their place until there are numbers, and keep it when there cannot be any. */
    protected override waiting(): TemplateResult {
      return this.childElementCount > 0 || this.textContent?.trim() ? html`<slot></slot>` : super.waiting();
    }

    protected override stateChanged(change: Change): void {
      super.stateChanged(change);
      if (this.hasUpdated && change.how !== "load" && Object.keys(change.patch).length > 0) {
        this.dispatchEvent(new CustomEvent("addnorm-change", { detail: change.state, bubbles: true, composed: true }));
      }
    }

    /** Before a property is read or set: attributes that were set earlier come first. */
    #applyAttributes(): void {
      const given = Object.entries(this.#attributes) as [StateKey, string | null][];
      if (given.length === 0) return;
      this.#attributes = {};
      // What cannot be read is passed on as it came: the store answers with a notice.
      const patch = given.map(([key, text]) => [key, text === null ? initial[key] : lineOf(key).parse(text) ?? (key === "lang" ? "auto" : text)]);
      this.store.set(Object.fromEntries(patch) as Partial<State>, "replace");
    }

    /** @throws TypeError, RangeError when a value is not taken; then nothing is changed */
    #assign(key: StateKey, value: unknown): void {
      this.#applyAttributes();
      const patch = { [key]: value === undefined || value === null ? initial[key] : valueFrom(this.localName, key, value) };
      const refused = this.store.refused(patch).find((notice) => notice.key === key);
      if (refused) throw refusal(this.localName, refused, value);
      this.store.set(patch, "replace");
    }

    /** A person's own numbers; undefined where they are drawn. */
    get x(): Float32Array | undefined {
      return this.state.source === "own" ? this.store.own?.data.slice() : undefined;
    }

    set x(value: unknown) {
      this.#applyAttributes();
      if (value === undefined || value === null) {
        this.store.set({ source: "article" }, "replace");
        return;
      }
      const matrix = matrixFrom(this.localName, value, this.state.features);
      const patch = ownPatch(matrix);
      const refused = this.store.refused(patch, matrix).find(({ key }) => key in patch);
      if (refused) throw refusal(this.localName, refused, value);
      this.store.setOwn(matrix, "replace");
    }

    /** Properties that were set before the element was defined stand in the way of its accessors. */
    #adoptProperties(): void {
      const own = this as unknown as Record<string, unknown>;
      // x first: how many gammas there may be depends on it. One that is not taken must not stop the element.
      for (const key of ["features", "x", ...propertyKeys, "controls"]) {
        if (!Object.hasOwn(this, key)) continue;
        const value = own[key];
        delete own[key];
        try {
          own[key] = value;
        } catch (error) {
          reportError(error);
        }
      }
    }

    #look(): void {
      const around = toneAround(this);
      if (around === this.#around) return;
      this.#around = around;
      this.requestUpdate();
    }

    #notices(): TemplateResult | typeof nothing {
      const { notices } = this.store;
      return notices.length ? html`<div class="problem notices" role="status">${notices.map((notice) => html`<p>${this.text.common.notice(notice)}</p>`)}</div>` : nothing;
    }
  }

  return StandaloneView as unknown as ViewClass;
}
