/** <addnorm-controls>: the settings of a view, open beside it where there is room, else folded above it. */
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Matrix } from "../state/matrix.js";
import { depthGroup } from "./controls/depth-group.js";
import { learnedGroup, normGroup, numbersGroup, sublayersGroup, type ControlsContext } from "./controls/groups.js";
import { define } from "./parts/define.js";
import { NumberField } from "./parts/number-field.js";
import { segmentedStyles } from "./parts/segmented.js";
import { StoreElement } from "./parts/store-element.js";
import { baseStyles } from "./parts/theme.js";
import type { AddnormOwnNumbers } from "./own-numbers.js";

export class AddnormControls extends StoreElement {
  static override properties: PropertyDeclarations = {
    ...StoreElement.properties,
    extent: {},
    sidebar: { type: Boolean },
    asked: { state: true },
  };

  /** "basic": the norm alone; "all": the numbers and the parameters, too. */
  declare extent: string;
  /** Stands in a column of its own: always open, one group below the other. */
  declare sidebar: boolean;
  /** The dialog is loaded when it is first asked for. */
  declare private asked: boolean;

  static override styles = [baseStyles, segmentedStyles, css`
    details { border: 1px solid var(--hairline); border-radius: 8px; background: var(--card); }
    summary { padding: 0.55em 1.15em; font-size: 0.9em; font-weight: 650; cursor: pointer; border-radius: 8px; }
    .groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13em, 100%), 1fr)); gap: 1.6em 2em; padding: 0.6em 1.15em 1.15em; }
    :host([sidebar]) .groups { grid-template-columns: minmax(0, 1fr); padding: 0; }
    section { display: grid; gap: 0.5em; align-content: start; min-width: 0; }
    section addnorm-number-field { margin-block: -0.22em; }
    h2 { font-size: 0.75em; font-weight: 650; letter-spacing: 0.06em; text-transform: uppercase; color: var(--muted); margin-bottom: 0.3em; }
    :lang(zh) h2 { letter-spacing: 0.04em; }
    .segmented button {
      flex: 1 1 auto; min-height: 2.3em; padding: 0.25em 0.6em; font-size: 0.82em; line-height: 1.25; cursor: pointer;
      color: var(--muted); background: none; border: 0;
    }
    .segmented button + button { border-inline-start: 1px solid var(--hairline); }
    .segmented button:first-child { border-start-start-radius: 6px; border-end-start-radius: 6px; }
    .segmented button:last-child { border-start-end-radius: 6px; border-end-end-radius: 6px; }
    .segmented button:hover { color: var(--ink); }
    .segmented button[aria-pressed="true"] { color: var(--ink); font-weight: 650; background: var(--quiet); }
    .row { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.2em 0.75em; font-size: 0.85em; }
    .note { font-size: 0.78em; line-height: 1.45; color: var(--muted); }
    .link { padding: 0; border: 0; background: none; cursor: pointer; text-decoration: underline; text-underline-offset: 0.2em; color: var(--ink); }
  `];

  constructor() {
    super();
    this.extent = "all";
    this.sidebar = this.asked = false;
  }

  /** Opens the dialog for a person's own numbers, with a file when one was dropped. */
  async openOwn(file?: File): Promise<void> {
    await import("./own-numbers.js");
    this.asked = true;
    await this.updateComplete;
    this.renderRoot.querySelector<AddnormOwnNumbers>("addnorm-own-numbers")!.open(file);
  }

  protected override content(): TemplateResult {
    return html`${this.sidebar ? this.#groups() : html`<details><summary>${this.text.controls.settings}</summary>${this.#groups()}</details>`}
      ${this.asked ? html`<addnorm-own-numbers .store=${this.store} .tone=${this.tone} @own-numbers=${({ detail }: CustomEvent<Matrix>) => this.store.setOwn(detail)}></addnorm-own-numbers>` : nothing}`;
  }

  #groups(): TemplateResult {
    const context = this.#context();
    const all = this.extent === "all";
    const depth = this.state.view === "depth";
    return html`<div class="groups">
      ${all ? (depth ? depthGroup : numbersGroup)(context) : nothing}
      ${normGroup(context)}
      ${all && !depth ? learnedGroup(context) : nothing}
      ${all && this.state.view === "chain" ? sublayersGroup(context) : nothing}
    </div>`;
  }

  #context(): ControlsContext {
    return {
      state: this.state,
      shape: this.store.shape,
      text: this.text,
      change: (patch, how) => this.change(patch, how),
      askOwn: () => void this.openOwn(),
      takeOwn: () => (this.store.own ? this.change({ source: "own" }) : void this.openOwn()),
    };
  }
}

define("addnorm-number-field", NumberField);
define("addnorm-controls", AddnormControls);
