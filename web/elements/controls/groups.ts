/** The groups of controls, each a template made from the state; a change goes back as a patch. */
import { html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { dFfFor, headsFor } from "../../state/compute-block.js";
import { drawScale } from "../../state/draw.js";
import { schema, type State, type StateKey } from "../../state/schema.js";
import type { Shape } from "../../state/matrix.js";
import { formatParameter } from "../parts/format.js";
import type { FieldChange } from "../parts/number-field.js";
import { segmented } from "../parts/segmented.js";

export interface ControlsContext {
  readonly state: State;
  readonly shape: Shape;
  readonly text: Messages;
  change(patch: Partial<State>, how?: "push" | "preview"): void;
  /** Asks for the dialog in which a person gives their own numbers. */
  askOwn(): void;
  takeOwn(): void;
}

type NumberKey = { [K in StateKey]: State[K] extends number ? K : never }[StateKey];
type ListKey = "gamma" | "beta";

interface FieldOptions {
  readonly label: string;
  readonly hint?: string;
  readonly step: number;
  readonly tone?: string;
  readonly disabled?: boolean;
  /** What is used where it is not the state's own value. */
  readonly value?: number;
}

export function numberField(context: ControlsContext, key: NumberKey, { label, hint = "", step, tone = "", disabled = false, value }: FieldOptions): TemplateResult {
  const { kind, min, max, parse } = schema[key];
  const { integerProblem, numberProblem } = context.text.controls;
  return html`<addnorm-number-field
    data-key=${key} label=${label} hint=${hint} step=${step} tone=${tone} ?disabled=${disabled} .value=${value ?? context.state[key]} .parse=${parse}
    problem=${(kind === "integer" ? integerProblem : numberProblem)(min!, max!)}
    @field-change=${({ detail }: CustomEvent<FieldChange>) => context.change({ [key]: detail.value }, detail.how)}></addnorm-number-field>`;
}

function listField(context: ControlsContext, key: ListKey, label: string, disabled = false): TemplateResult {
  const { listHint, listProblem } = context.text.controls;
  const { cols } = context.shape;
  const parse = (text: string): readonly number[] | undefined => {
    const values = schema[key].parse(text);
    return values && (values.length === 1 || values.length === cols) ? values : undefined;
  };
  return html`<addnorm-number-field
    data-key=${key} label=${label} hint=${listHint} problem=${listProblem(cols)} tone="parameter" ?disabled=${disabled} ?long=${context.state[key].length > 1}
    step=${context.state[key].length === 1 ? 0.1 : 0} .value=${context.state[key]}
    .parse=${parse} .format=${(values: readonly number[]) => values.map(formatParameter).join(", ")}
    @field-change=${({ detail }: CustomEvent<FieldChange>) => context.change({ [key]: detail.value }, detail.how)}></addnorm-number-field>`;
}

export const group = (title: string, content: TemplateResult): TemplateResult => html`<section><h2>${title}</h2>${content}</section>`;

/** A seed that is short enough to be read out to a neighbour. */
const newSeed = (): number => Math.floor(Math.random() * 10000);

function sourceButtons(context: ControlsContext): TemplateResult {
  const { state, text: { controls: text } } = context;
  const draw = (): void => context.change({ source: "random", seed: newSeed(), scale: drawScale(state) });
  const choices = [
    { source: "article", name: text.article, title: text.articleTitle, act: () => context.change({ source: "article" }) },
    { source: "random", name: text.random, title: text.randomTitle, act: draw },
    { source: "own", name: text.own, title: text.ownTitle, act: () => context.takeOwn() },
  ] as const;
  return html`<div class="segmented" role="group" aria-label=${text.source}>
    ${choices.map(({ source, name, title, act }) => html`<button type="button" data-source=${source} title=${title} aria-pressed=${state.source === source} @click=${act}>${name}</button>`)}
  </div>`;
}

function ownSummary(context: ControlsContext): TemplateResult {
  const { state, shape, text: { controls: text } } = context;
  return html`<p class="row"><span>${text.ownShape(shape.rows, shape.cols)}</span>
      <button type="button" class="link" @click=${() => context.askOwn()}>${text.ownChange}</button></p>
    ${state.data === "" ? html`<p class="note">${text.ownInMemory}</p>` : nothing}`;
}

export function numbersGroup(context: ControlsContext): TemplateResult {
  const { state, text: { controls: text } } = context;
  const own = state.source === "own";
  const seed = numberField(context, "seed", { label: text.seed, hint: text.seedHint, step: 1 });
  return group(text.numbers, html`
    ${sourceButtons(context)}
    ${own ? ownSummary(context) : html`
      ${numberField(context, "tokens", { label: text.tokens, step: 1 })}
      ${numberField(context, "features", { label: text.features, step: 1 })}
      ${seed}
      ${numberField(context, "scale", { label: text.scale, hint: text.scaleHint, step: 1, value: drawScale(state) })}`}
    ${own && state.view !== "tokens" ? seed : nothing}
    ${state.view !== "tokens" && state.edits.length ? html`<p class="row"><span>${text.edited(state.edits.length)}</span>
      <button type="button" class="link" @click=${() => context.change({ edits: [] })}>${text.undoEdits}</button></p>` : nothing}`);
}

/** The compare and depth views show several norms, whichever is chosen elsewhere. */
const isRms = ({ norm, view }: State): boolean => norm === "rms" && view !== "compare" && view !== "depth";

export function normGroup(context: ControlsContext): TemplateResult {
  const { state, text: { controls: text, common } } = context;
  const rms = isRms(state);
  return group(text.norm, html`
    ${state.view === "compare" || state.view === "depth" ? nothing : segmented<State["norm"]>({
      name: "norm", label: text.norm, value: state.norm, onSelect: (norm) => context.change({ norm }),
      segments: [{ value: "layer", text: common.layerNorm }, { value: "rms", text: common.rmsNorm }],
    })}
    ${numberField(context, "eps", { label: text.epsilon, hint: text.epsilonHint, step: 1e-5, tone: "statistic" })}
    ${segmented<State["epsPlacement"]>({
      name: "epsPlacement", label: text.epsilonPlacement, mono: true, disabled: rms, value: rms ? "inside" : state.epsPlacement,
      onSelect: (epsPlacement) => context.change({ epsPlacement }),
      segments: [{ value: "inside", text: text.inside, title: text.insideTitle }, { value: "outside", text: text.outside, title: text.outsideTitle }],
    })}
    ${segmented<State["variance"]>({
      name: "variance", label: text.variance, mono: true, disabled: rms, value: state.variance,
      onSelect: (variance) => context.change({ variance }),
      segments: [{ value: "population", text: text.population, title: text.populationTitle }, { value: "sample", text: text.sample, title: text.sampleTitle }],
    })}
    ${rms ? html`<p class="note">${text.rmsReason}</p>` : nothing}`);
}

export function learnedGroup(context: ControlsContext): TemplateResult {
  const { state, text: { controls: text } } = context;
  const rms = isRms(state);
  return group(text.learned, html`
    ${listField(context, "gamma", text.gamma)}
    ${listField(context, "beta", text.beta, rms)}
    ${rms ? segmented<State["gammaOffset"]>({
      name: "gammaOffset", label: text.gainForm, mono: true, value: state.gammaOffset, onSelect: (gammaOffset) => context.change({ gammaOffset }),
      segments: [{ value: 0, text: text.plainGain, title: text.plainGainTitle }, { value: 1, text: text.offsetGain, title: text.offsetGainTitle }],
    }) : nothing}`);
}

export function sublayersGroup(context: ControlsContext): TemplateResult {
  const { state, text: { controls: text } } = context;
  return group(text.sublayers, html`
    ${segmented<State["sublayers"]>({
      name: "sublayers", label: text.sublayers, stacked: true, value: state.sublayers, onSelect: (sublayers) => context.change({ sublayers }),
      segments: [
        { value: "simulated", text: text.simulated, title: text.simulatedTitle }, { value: "linear", text: text.linear, title: text.linearTitle },
        { value: "attention", text: text.attention, title: text.attentionTitle },
      ],
    })}
    ${state.sublayers === "attention" ? attentionFields(context) : nothing}`);
}

function attentionFields(context: ControlsContext): TemplateResult {
  const { state, shape: { cols }, text: { controls: text } } = context;
  const heads = headsFor(state.heads, cols);
  return html`
    ${numberField(context, "heads", { label: text.heads, hint: text.headsHint, step: 1 })}
    ${heads === state.heads ? nothing : html`<p class="note">${text.headsUsed(heads, cols)}</p>`}
    ${numberField(context, "dFf", { label: text.dFf, hint: text.dFfHint, step: 1, value: dFfFor(state.dFf, cols) })}
    ${segmented<State["activation"]>({
      name: "activation", label: text.activation, value: state.activation, onSelect: (activation) => context.change({ activation }),
      segments: [{ value: "relu", text: "ReLU" }, { value: "gelu", text: "GELU" }],
    })}
    ${segmented<State["causal"]>({
      name: "causal", label: text.mask, value: state.causal, onSelect: (causal) => context.change({ causal }),
      segments: [{ value: "no", text: text.open, title: text.openTitle }, { value: "yes", text: text.causal, title: text.causalTitle }],
    })}`;
}
