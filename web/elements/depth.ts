/** <addnorm-depth>: RMS of gradients and activations along a stack of up to 128 blocks, for several wirings in one chart. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Addnorm } from "../lib/index.js";
import type { DepthResult } from "../state/compute-depth.js";
import { schema, type State } from "../state/schema.js";
import { findings } from "./depth/findings.js";
import type { DepthSeries } from "./depth/plot.js";
import { progress } from "./depth/progress.js";
import { question } from "./depth/question.js";
import { reading } from "./depth/reading.js";
import { DepthRunner } from "./depth/runner.js";
import { STEPS, storyStep, subjects } from "./depth/story.js";
import { depthStyles } from "./depth/styles.js";
import { valuesTable } from "./depth/values-table.js";
import { variantList } from "./depth/variant-list.js";
import { AddnormElement } from "./parts/addnorm-element.js";
import { prose } from "./parts/prose.js";
import { segmented } from "./parts/segmented.js";
import { slider } from "./parts/slider.js";
import { stepper } from "./parts/stepper.js";
import "./controls.js";
import "./depth/chart.js";
import "./parts/number-field.js";

const GAIN_STEP = 0.05;

export class AddnormDepth extends AddnormElement {
  static override properties: PropertyDeclarations = {
    ...AddnormElement.properties,
    preview: { state: true },
    held: { state: true },
    tableOpen: { state: true },
  };

  static override initial = { view: "depth" } as const;
  static override styles = depthStyles;

  /** The place under the pointer. */
  declare private preview: number | null;
  /** A place was clicked: hovering no longer changes what is shown. */
  declare private held: boolean;
  declare private tableOpen: boolean;

  readonly #runner = new DepthRunner(this);
  #series: { of: readonly unknown[]; series: readonly DepthSeries[] } | undefined;

  constructor() {
    super();
    this.preview = null;
    this.held = this.tableOpen = false;
  }

  protected override draw(an: Addnorm): TemplateResult {
    const { state } = this;
    const text = this.text.depth;
    this.#runner.follow(an, state);
    const { result } = this.#runner;
    return html`<div class="view">
      ${this.ownControls()}
      <p class="lead" part="lead">${prose(text.leads[state.depthStep]!)}</p>
      ${stepper({
        steps: Array.from({ length: STEPS }, (_, step) => ({ step, text: text.step[step]! })), step: state.depthStep, label: text.steps,
        previous: text.previous, next: text.next[state.depthStep]!, onStep: (step) => this.change(storyStep(step, this.state)),
      })}
      ${this.#settings()}
      <div class="cards">
        ${this.#chartCard(an, result)}
        <div class="beside">
          ${result ? reading({
            result, place: this.#place(result), direction: state.direction, held: this.held, text, onRelease: () => (this.held = false),
          }) : nothing}
          ${question(text, () => this.#tryGain())}
        </div>
      </div>
    </div>`;
  }

  #settings(): TemplateResult {
    const { state } = this;
    const { depth: text, controls } = this.text;
    const { layers, initGain } = schema;
    return html`<div class="strip">
      ${slider({
        id: "layers", label: text.layers, symbol: "N", hint: text.layersHint, problem: controls.integerProblem(layers.min!, layers.max!), min: layers.min!, max: layers.max!, step: 1,
        value: state.layers, parse: layers.parse, onMove: (value, how) => this.change({ layers: value }, how),
      })}
      ${slider({
        id: "gain", label: text.gain, symbol: "g", hint: text.gainHint, problem: controls.numberProblem(initGain.min!, initGain.max!), min: initGain.min!, max: initGain.max!, step: GAIN_STEP,
        value: state.initGain, parse: initGain.parse, onMove: (value, how) => this.change({ initGain: value }, how),
      })}
      <div class="choice"><span>${text.activation}</span>${segmented<State["activation"]>({
        name: "activation", label: text.activation, value: state.activation, onSelect: (activation) => this.change({ activation }),
        segments: [{ value: "relu", text: "ReLU" }, { value: "gelu", text: "GELU" }],
      })}</div>
    </div>`;
  }

  #chartCard(an: Addnorm, result: DepthResult | undefined): TemplateResult {
    const { state } = this;
    const { depth: text, common } = this.text;
    const title = text.chartTitle[state.direction];
    const series = result ? this.#seriesOf(result) : [];
    return html`<section part="card" class="card" aria-label=${title} @keydown=${(event: KeyboardEvent) => event.key === "Escape" && (this.held = false)}>
      <div class="card-head"><h2>${title}</h2>${segmented<State["direction"]>({
        name: "direction", label: text.direction, value: state.direction, onSelect: (direction) => this.change({ direction }),
        segments: [{ value: "backward", text: text.backward, title: text.backwardTitle }, { value: "forward", text: text.forward, title: text.forwardTitle }],
      })}</div>
      ${variantList({ chosen: state.depthVariants, text, onChoose: (depthVariants) => this.change({ depthVariants }) })}
      ${progress({
        runner: this.#runner, text, subject: text.subject(state.layers, common.size(state.depthTokens, state.depthFeatures)),
        onAgain: () => this.#runner.again(an),
      })}
      ${result ? this.#chart(result, series) : html`<div class="waiting"></div>`}
      ${findings(this.#subjects(series), state.direction, text)}
      ${result ? valuesTable({ series, direction: state.direction, open: this.tableOpen, text, onToggle: (open) => (this.tableOpen = open) }) : nothing}
    </section>`;
  }

  #chart(result: DepthResult, series: readonly DepthSeries[]): TemplateResult {
    const text = this.text.depth;
    const { direction } = this.state;
    return html`<addnorm-depth-chart .series=${series} .direction=${direction} .at=${this.#place(result)}
      .text=${text}
      @place-preview=${({ detail }: CustomEvent<number | null>) => (this.preview = detail)}
      @place-choose=${({ detail }: CustomEvent<number>) => this.#choose(detail)}
      @place-release=${() => (this.held = false)}></addnorm-depth-chart>`;
  }

  /** The lines that the sentences are about: those of the step, else the first two. */
  #subjects(series: readonly DepthSeries[]): readonly DepthSeries[] {
    const told = series.filter(({ variant }) => subjects[this.state.depthStep]!.includes(variant));
    return told.length ? told : series.slice(0, 2);
  }

  /** The same list for the same numbers, so that the chart is not drawn anew. */
  #seriesOf({ curves }: DepthResult): readonly DepthSeries[] {
    const { direction } = this.state;
    const { short } = this.text.depth;
    const of = [curves, direction, short];
    if (!this.#series || of.some((part, i) => part !== this.#series!.of[i])) {
      const series = curves.map(({ variant, gradient, activation }) => ({ variant, name: short[variant], values: direction === "backward" ? gradient : activation }));
      this.#series = { of, series };
    }
    return this.#series.series;
  }

  #place({ layers }: DepthResult): number {
    const wanted = this.held ? this.state.depthLayer : this.preview ?? this.state.depthLayer;
    return Math.min(wanted, layers);
  }

  #choose(place: number): void {
    this.held = true;
    this.change({ depthLayer: place }, "replace");
  }

  #tryGain(): void {
    this.change({ depthVariants: ["plain"], direction: "backward" });
    this.renderRoot.querySelector<HTMLElement>("#gain")!.focus();
  }
}
