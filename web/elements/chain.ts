/** <addnorm-chain>: one block in each wiring on the same numbers; each step opens to its matrix and its arithmetic. */
import { css, html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Addnorm } from "../lib/index.js";
import { computeChain, type ChainNode, type ChainResult } from "../state/compute.js";
import { detail, detailStyles } from "./chain/detail.js";
import { diagram, diagramStyles } from "./chain/diagram.js";
import { counterpart, normName, wiringOf, type Wiring } from "./chain/labels.js";
import { AddnormElement } from "./parts/addnorm-element.js";
import { formatFor, scaleOf } from "./parts/format.js";
import { formulaStyles } from "./parts/formula.js";
import { heatColours } from "./parts/heat-colours.js";
import type { Place } from "./parts/heatmap.js";
import { prose } from "./parts/prose.js";
import { segmented, segmentedStyles } from "./parts/segmented.js";
import { baseStyles } from "./parts/theme.js";
import "./chain/thumbnail.js";
import "./controls.js";
import "./parts/heatmap.js";

const largestOf = new WeakMap<ChainResult, number>();

export class AddnormChain extends AddnormElement {
  static override properties: PropertyDeclarations = {
    ...AddnormElement.properties,
    pointed: { state: true },
    previewed: { state: true },
    seen: { state: true },
  };

  static override initial = { view: "chain" } as const;

  /** The node under the pointer or the focus: its inputs light up. */
  declare private pointed: string;
  /** The entry under the pointer in the open matrix. */
  declare private previewed: Place | null;
  /** The token whose attention weight was chosen last. */
  declare private seen: number;
  #openBefore: string | undefined;

  static override styles = [baseStyles, segmentedStyles, formulaStyles, diagramStyles, detailStyles, css`
    .root { container-type: inline-size; }
    addnorm-controls { margin-bottom: 1.2em; }
    .notes { margin-top: 0.6em; max-width: 66ch; font-size: 0.85em; color: var(--muted); }
    .notes code, .lead code { font-size: 0.92em; }
    .switch { display: none; max-width: 22em; margin-top: 1em; }
    .panes { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.5em; margin-top: 1.1em; align-items: start; }
    .legend { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em 0.75em; margin-top: 0.9em; font-size: 0.75em; color: var(--muted); }
    .legend .range { display: flex; align-items: center; gap: 0.75em; }
    .legend .scale { width: 12em; height: 0.6em; border-radius: 0.3em; }
    .question { margin-top: 1.2em; }
    .question details { margin-top: 0.3em; font-size: 0.95em; }
    .question summary { cursor: pointer; font-size: 0.9em; }
    .open .wiring:not(.shown), .wiring:not(.paired) { display: none; }
    .pair { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em 0.75em; margin-top: 1em; font-size: 0.9em; }
    .pair .segmented { min-width: 15em; }
    .open .pair { display: none; }
    @container (min-width: 73em) {
      .three:not(.open) .panes { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1em; }
      .three:not(.open) .wiring { display: block; }
      .three .pair { display: none; }
      .three li:not(.fork) > .node { grid-template-columns: 3.5em minmax(0, 1fr) auto; gap: 0.6em; }
      .three .wire:not(.second) { left: 2.2em; }
      .three .joins { left: 2.9em; }
    }
    @container (min-width: 78em) {
      .open .panes { grid-template-columns: repeat(2, minmax(0, 1fr)) minmax(0, 1.25fr); }
      .open .wiring.paired { display: block; }
      .open li:not(.fork) > .node { grid-template-columns: 4.25em minmax(0, 1fr) auto; }
    }
    @container (max-width: 39.99em) {
      .switch { display: block; }
      .panes { grid-template-columns: minmax(0, 1fr); }
      .pair, .wiring:not(.shown), .open .wiring, .open .switch { display: none; }
    }
  `];

  constructor() {
    super();
    this.pointed = "";
    this.previewed = null;
    this.seen = 0;
  }

  protected override draw(an: Addnorm): TemplateResult {
    const result = computeChain(an, this.state, this.store.own);
    const { chain } = this.text;
    const { state } = this;
    const norm = normName(state, this.text);
    const titles = state.norm === "layer" ? chain.title : chain.rmsTitle;
    const opened = allNodes(result).find(({ id }) => id === state.node);
    const notes = { simulated: chain.simulatedNote(state.source === "own"), linear: chain.linearNote, attention: chain.attentionNote };
    const three = this.#wirings.length === 3;
    return html`<div class="${opened ? "open" : ""} ${three ? "three" : ""}" @keydown=${this.#onKey}>
      ${this.ownControls()}
      <p class="lead" part="lead">${prose(chain.lead(norm))}</p>
      <p class="notes">${prose(notes[state.sublayers])}</p>
      <div class="switch">${this.#choice("shown", this.#wirings)}</div>
      ${three ? html`<div class="pair"><span aria-hidden="true">${chain.beside(titles.pre)}</span>${this.#choice("pair", ["post", "parallel"])}</div>` : nothing}
      <div class="panes">
        ${this.#wirings.map((wiring) => this.#diagram(result, wiring))}
        ${opened ? this.#detail(an, result, opened) : nothing}
      </div>
      ${this.#legend(result)}
      <div class="question" part="question">
        <p>${chain.question[state.norm]}</p>
        <details><summary>${chain.answer}</summary><p>${chain.answerText(titles.pre, titles.post)}</p></details>
      </div>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const before = this.#openBefore;
    const { node } = this.state;
    if (!this.an || before === node) return;
    this.#openBefore = node;
    this.previewed = null;
    // A link that opens a node is no reason to take the focus; a person's own step is.
    if (before === undefined || !this.#isFocused) return;
    const opened = this.renderRoot.querySelector("#detail");
    if (!opened) this.#node(before)?.focus();
    else if (!opened.contains((this.renderRoot as ShadowRoot).activeElement)) opened.querySelector<HTMLElement>("#detail-title")!.focus();
  }

  get #isFocused(): boolean {
    const root = this.getRootNode() as Document | ShadowRoot;
    return root.activeElement === this || root.activeElement === null || root.activeElement === document.body;
  }

  #node(id: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-node="${id}"]`);
  }

  /** Parallel branches need an attention and a feed-forward. */
  get #wirings(): readonly Wiring[] {
    return this.state.sublayers === "attention" ? ["post", "pre", "parallel"] : ["post", "pre"];
  }

  /** The wiring that is seen where there is room for one. */
  get #shown(): Wiring {
    const wiring = this.state.node ? wiringOf(this.state.node) : this.state.wiring;
    return this.#wirings.includes(wiring) ? wiring : "post";
  }

  #choice(name: string, wirings: readonly Wiring[]): TemplateResult {
    const { chain } = this.text;
    const titles = this.state.norm === "layer" ? chain.title : chain.rmsTitle;
    return segmented<Wiring>({
      name, label: name === "pair" ? chain.beside(titles.pre) : chain.wiring, onSelect: (wiring) => this.#show(wiring),
      value: wirings.includes(this.#shown) ? this.#shown : "post",
      segments: wirings.map((value) => ({ value, text: titles[value] })),
    });
  }

  /** With a step open, its counterpart in the other wiring opens. */
  #show(wiring: Wiring): void {
    const { node } = this.state;
    this.change({ wiring, ...(node ? { node: counterpart(node, wiring) } : {}) });
  }

  /** Drawn anew only when something in it has changed, not at each cell that the pointer passes in the open matrix. */
  #diagram(result: ChainResult, wiring: Wiring): TemplateResult {
    const drawn = { wiring, nodes: result[wiring]!, state: this.state, text: this.text, theme: this.shownTheme, largest: largest(result), pointed: this.pointed };
    // Beside pre-norm stands post-norm or parallel, where there is room for two.
    const paired = wiring === "pre" || wiring === "parallel" === (this.#shown === "parallel");
    return html`<div class="wiring ${this.#shown === wiring ? "shown" : ""} ${paired ? "paired" : ""}" @click=${this.#onClick} @pointerover=${this.#onPoint}
      @pointerleave=${() => (this.pointed = "")} @focusin=${this.#onPoint} @focusout=${() => (this.pointed = "")}>
      ${guard(Object.values(drawn), () => diagram(drawn))}
    </div>`;
  }

  #detail(an: Addnorm, result: ChainResult, node: ChainNode): TemplateResult {
    const { token, feature } = this.state;
    const place = this.previewed ?? { row: token, col: feature };
    return detail({
      an, node, result, state: this.state, text: this.text, theme: this.shownTheme,
      wirings: this.#choice("opened", this.#wirings),
      entry: { row: place.row, col: place.col < node.cols ? place.col : feature },
      onClose: () => this.change({ node: "" }),
      onOpen: (id) => this.change({ node: id }),
      seen: this.seen,
      onHead: (head) => this.change({ head }),
      onLook: ({ row, col }) => {
        if (col < node.rows) this.seen = col;
        this.change({ token: row });
      },
      onPreview: (previewed) => (this.previewed = previewed),
      onChoose: ({ row, col }) => this.change({ token: row, feature: col < node.cols ? col : feature }),
    });
  }

  #legend(result: ChainResult): TemplateResult {
    const format = formatFor(largest(result), 2);
    return html`<div class="legend"><span>${this.text.chain.colourScale}</span>
      <span class="range mono">${format(-largest(result))}<span class="scale" .style=${`background: ${heatColours(this.shownTheme).gradient}`}></span>${format(largest(result))}</span></div>`;
  }

  #nodeOf(event: Event): string {
    return (event.target as Element).closest<HTMLElement>("[data-node]")?.dataset.node ?? "";
  }

  #onClick(event: Event): void {
    const id = this.#nodeOf(event);
    if (id) this.change({ node: id === this.state.node ? "" : id });
  }

  #onPoint(event: Event): void {
    this.pointed = this.#nodeOf(event);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.state.node && !event.defaultPrevented) this.change({ node: "" });
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const button = (event.target as Element).closest<HTMLElement>("[data-node]");
    if (!step || !button) return;
    const nodes = [...button.closest("ol")!.querySelectorAll<HTMLElement>("[data-node]")];
    nodes[nodes.indexOf(button) + step]?.focus();
    event.preventDefault();
  }
}

const allNodes = ({ post, pre, parallel = [] }: ChainResult): ChainNode[] => [...post, ...pre, ...parallel];

/** One scale for all matrices of the diagrams, so that a stream that grows is seen to grow. */
function largest(result: ChainResult): number {
  let value = largestOf.get(result);
  if (value === undefined) {
    value = Math.max(...allNodes(result).map(({ data }) => scaleOf(data)));
    largestOf.set(result, value);
  }
  return value;
}
