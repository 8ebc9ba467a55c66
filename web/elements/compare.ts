/** <addnorm-compare>: one batch of sequences under six norms: what shares a statistic, and whose row moves when its neighbours change. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Addnorm } from "../lib/index.js";
import { batchNormBySize, batchNormOfOne, computeCompare, normIds, rowChange, type CompareResult, type NormId, type RowChange } from "../state/compute-compare.js";
import { schema } from "../state/schema.js";
import { windowAround, type MapWindow } from "./compare/map-window.js";
import { NORM_NAMES } from "./compare/norm-names.js";
import { pagers } from "./compare/pager.js";
import { question } from "./compare/question.js";
import { rowTable } from "./compare/row-table.js";
import { strip } from "./compare/strip.js";
import { compareStyles } from "./compare/styles.js";
import { spokenVerdict, verdict } from "./compare/verdict.js";
import { whyCard } from "./compare/why-card.js";
import { workedCard } from "./compare/worked-card.js";
import { AddnormElement } from "./parts/addnorm-element.js";
import { scaleOf } from "./parts/format.js";
import type { Place } from "./parts/grid-keys.js";
import { legend } from "./parts/legend.js";
import type { FieldChange } from "./parts/number-field.js";
import { prose } from "./parts/prose.js";
import "./compare/norm-map.js";
import "./controls.js";

type Changes = Readonly<Record<NormId, RowChange>>;

export class AddnormCompare extends AddnormElement {
  static override properties: PropertyDeclarations = {
    ...AddnormElement.properties,
    preview: { state: true },
    held: { state: true },
  };

  static override initial = { view: "compare" } as const;
  static override styles = compareStyles;

  /** The cell of the batch under the pointer or the focus, and whose small multiple it is in. */
  declare private preview: { place: Place; norm: NormId } | null;
  /** The clicked cell: hovering no longer changes what is shown. */
  declare private held: Place | null;

  #maps: { result: CompareResult; window: MapWindow } | undefined;

  constructor() {
    super();
    this.preview = this.held = null;
  }

  protected override draw(an: Addnorm): TemplateResult {
    const { state } = this;
    const result = computeCompare(an, state, this.store.own);
    const changes = Object.fromEntries(normIds.map((norm) => [norm, rowChange(an, result, norm, state.token)])) as Changes;
    const window = this.#window(result);
    const place = this.#place(result);
    const largest = largestOf(result);
    const text = this.text.compare;
    return html`<div class="view" @keydown=${(event: KeyboardEvent) => event.key === "Escape" && (this.held = null)}>
      ${this.ownControls()}
      <p class="lead" part="lead">${prose(text.lead)}</p>
      ${question({ token: state.token, sequences: result.sequences, text, onBatch: (batch) => this.change({ batch }) })}
      ${strip({ state, result, text, change: (patch, how) => this.change(patch, how) })}
      <p class="visually-hidden" role="status">${spokenVerdict(changes, text)}</p>
      ${pagers({ window, cols: result.cols, text: text.page, onToken: (token) => this.#turn({ token }), onFeature: (feature) => this.#turn({ feature }) })}
      <div class="maps">${normIds.map((norm) => this.#mapCard(norm, result, window, changes[norm], place, largest))}</div>
      ${this.#key(largest)}
      <div class="cards">
        ${this.#rowCard(result, changes, window, place, largest)}
        ${workedCard({
          an, result, state, norm: this.#norm, place, held: this.held !== null, text,
          onNorm: (compareNorm) => this.change({ compareNorm }), onRelease: () => void (this.held = null),
        })}
      </div>
      ${this.#whyCard(an, result, window)}
    </div>`;
  }

  #mapCard(norm: NormId, result: CompareResult, window: MapWindow, change: RowChange, place: Place, largest: number): TemplateResult {
    const { compare: text, common } = this.text;
    const shares = norm === "group" ? text.shares.group(result.cols / result.groups) : text.shares[norm];
    return html`<section part="card" class="card ${norm === this.#norm ? "open" : ""}" aria-label=${NORM_NAMES[norm]}>
      <div class="card-head"><h2>${NORM_NAMES[norm]}</h2><span class="aside">${shares}</span></div>
      <addnorm-norm-map .result=${result} .norm=${norm} .window=${window} .show=${this.state.compareShow} .largest=${largest} .token=${this.state.token} .chosen=${place} .theme=${this.shownTheme}
        .text=${this.#mapText(norm, text.grid(NORM_NAMES[norm], shares), common.feature)}
        @cell-preview=${({ detail }: CustomEvent<Place | null>) => (this.preview = detail && { place: detail, norm })}
        @cell-choose=${({ detail }: CustomEvent<Place>) => this.#choose(detail, norm, result)}
        @cell-release=${() => (this.held = null)}></addnorm-norm-map>
      ${verdict(change, text)}
    </section>`;
  }

  #mapTexts = new Map<NormId, { grid: string; text: object; made: object }>();

  /** The same object for the same words, so that a map draws its cells anew only when it must. */
  #mapText(norm: NormId, grid: string, col: (feature: number) => string): object {
    const text = this.text.compare;
    const known = this.#mapTexts.get(norm);
    if (known?.grid === grid && known.text === text) return known.made;
    const made = { grid, corner: text.corner, padding: text.paddingCell, row: text.row, col };
    this.#mapTexts.set(norm, { grid, text, made });
    return made;
  }

  /** What colours, frames and marks mean. */
  #key(largest: number): TemplateResult {
    const text = this.text.compare;
    const shared = this.state.compareShow === "shared";
    const marks = text.legendMarks(this.state.token);
    return html`<div class="key">
      <span class="mark"><i class="frame"></i>${shared ? text.legendShared : text.legendNumbers}</span>
      <span class="mark"><b aria-hidden="true">▸</b>${marks.marker}</span>
      <span class="mark"><i class="hatch"></i>${marks.hatched}</span>
      ${shared ? nothing : legend(largest, this.shownTheme)}
    </div>`;
  }

  #rowCard(result: CompareResult, changes: Changes, window: MapWindow, place: Place, largest: number): TemplateResult {
    const text = this.text.compare;
    const { token } = this.state;
    const { tokens, cols, data } = result;
    const parse = (typed: string): number | undefined => {
      const value = schema.token.parse(typed);
      return value !== undefined && value < tokens ? value : undefined;
    };
    return html`<section part="card" class="card" aria-label=${text.rowTitle(token)}>
      <div class="card-head"><div><h2>${text.rowTitle(token)}</h2><span class="aside">${text.rowAside}</span></div>
        <div class="aside"><addnorm-number-field class="token" .label=${text.token} .hint=${text.tokenHint} .problem=${text.sliderProblem(0, tokens - 1)} .step=${1} .parse=${parse} .value=${token}
          @field-change=${({ detail }: CustomEvent<FieldChange>) => this.change({ token: detail.value as number }, detail.how)}></addnorm-number-field></div></div>
      ${rowTable({
        token, before: data.subarray(token * cols, (token + 1) * cols), changes, first: window.firstCol, cols: window.cols, chosen: place.col, largest, theme: this.shownTheme, text,
      })}
    </section>`;
  }

  #whyCard(an: Addnorm, result: CompareResult, window: MapWindow): TemplateResult {
    const { state } = this;
    const { token, feature } = state;
    const at = token * result.cols + feature;
    return whyCard({
      token, feature, bySize: batchNormBySize(an, state, result, this.store.own).map((data) => data[at]!), sequences: result.sequences,
      layer: result.outputs.layer[at]!, one: batchNormOfOne(an, state, result, token), first: window.firstCol, cols: window.cols,
      beta: state.beta.length === 1 ? state.beta[0] : undefined, counted: result.counted, rows: result.mask.length,
      masked: result.outputs.batch[at]!, unmasked: result.unmasked[at]!, text: this.text.compare,
    });
  }

  get #norm(): NormId {
    return (this.held ? undefined : this.preview?.norm) ?? this.state.compareNorm;
  }

  #place({ mask, cols }: CompareResult): Place {
    const { token, feature } = this.state;
    const wanted = this.held ?? this.preview?.place ?? { row: token, col: feature };
    return wanted.row < mask.length && wanted.col < cols ? wanted : { row: token, col: feature };
  }

  /** The same object for the same pages. */
  #window(result: CompareResult): MapWindow {
    const { token, feature } = this.state;
    const window = windowAround(result, token, feature);
    const known = this.#maps;
    if (known?.result === result && known.window.firstToken === window.firstToken && known.window.firstCol === window.firstCol) return known.window;
    this.#maps = { result, window };
    return window;
  }

  #choose(place: Place, norm: NormId, { tokens }: CompareResult): void {
    this.held = place;
    this.change({ compareNorm: norm, feature: place.col, ...(place.row < tokens ? { token: place.row } : {}) }, "replace");
  }

  #turn(patch: { token: number } | { feature: number }): void {
    this.held = null;
    this.change(patch, "replace");
  }
}

const largests = new WeakMap<CompareResult, number>();

/** The largest number of all six results, which gets the full colour. */
function largestOf(result: CompareResult): number {
  const largest = largests.get(result) ?? Math.max(...normIds.map((norm) => scaleOf(result.outputs[norm])));
  largests.set(result, largest);
  return largest;
}
