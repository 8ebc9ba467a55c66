/** A sum as a diff: for each feature the old number, what is added and the new one, with bars on one scale; or why there is none. */
import { css, html, nothing, type TemplateResult } from "lit";
import { formatFor, fullPrecision, scaleOf } from "../parts/format.js";

export interface DiffRows {
  /** One value a feature: old + delta = next. Without a sum they may differ in length. */
  readonly old: Float32Array;
  readonly delta: Float32Array;
  readonly next: Float32Array | undefined;
  /** Further ends that old + delta can reach: the scale of the bars holds still while delta grows and shrinks. */
  readonly reach?: Float32Array;
  readonly chosen: number;
  readonly text: DiffText;
  /** The feature under the pointer or the focus, or undefined. */
  onPoint(feature: number | undefined): void;
  onChoose(feature: number): void;
}

export interface DiffText {
  /** The name of the whole table. */
  readonly label: string;
  /** Heads of the columns, in symbols. */
  readonly old: string;
  readonly delta: string;
  readonly next: string;
  readonly feature: string;
  readonly bars: string;
  /** Which features are shown of many. */
  readonly page: (first: number, last: number, count: number) => string;
  readonly earlier: string;
  readonly later: string;
}

/** More features are shown a page at a time. */
const PAGE = 8;
const DIGITS = 4;
/** In place of a number that a narrower vector does not have. */
const MISSING = "—";
/** Characters of the narrowest column. */
const NARROWEST = 6;

export const diffRowsStyles = css`
  .diff { font: 0.78em/1.25 var(--mono); font-variant-numeric: tabular-nums; }
  .diff-row { display: grid; grid-template-columns: 2ch var(--index) var(--old) var(--delta) var(--next) minmax(3em, 1fr); column-gap: 0.85ch; align-items: center; min-height: 2.05em; padding-inline-end: 0.5ch; border-radius: 4px; }
  .diff-row > * { white-space: pre; text-align: end; }
  .diff-heads { color: var(--muted); min-height: 2em; }
  .diff-row.line { cursor: pointer; }
  .diff-row.line:hover { background: var(--quiet); }
  .diff-row.line:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
  .diff-row.chosen { box-shadow: inset 0 0 0 1.5px var(--focus); }
  .diff .sign { align-self: stretch; display: grid; place-items: center; font-weight: 700; border-radius: 3px; background: color-mix(in srgb, currentColor 13%, transparent); }
  .diff .sign:empty, .diff-heads .sign { background: none; }
  .diff .sign.more { color: var(--heat-positive); }
  .diff .sign.less { color: var(--heat-negative); }
  .diff .index { color: var(--muted); }
  .diff .next { color: var(--ink); font-weight: 700; }
  .lanes { position: relative; align-self: stretch; min-height: 1.9em; }
  .lanes i { position: absolute; }
  .lanes .zero { top: 0; bottom: 0; border-left: 1px solid var(--hairline); }
  .lanes .from { top: 0.35em; height: 0.5em; background: var(--stream); border-radius: 1px; }
  .lanes .step { bottom: 0.35em; height: 0.5em; background: var(--branch); border-radius: 1px; }
  .lanes .to { top: 0.15em; bottom: 0.15em; width: 2px; margin-left: -1px; background: var(--ink); }
  .diff-pager { display: flex; align-items: center; gap: 0.6em; margin-top: 0.6em; font: 0.8em var(--sans); color: var(--muted); }
  .diff-pager .button { min-height: 1.9em; padding: 0.1em 0.7em; font-size: 1em; }
  @container (max-width: 24em) {
    .diff-row { grid-template-columns: 2ch var(--index) 1fr 1fr 1fr; row-gap: 0; padding-block: 0.3em 0.1em; }
    .lanes { grid-column: 3 / -1; min-height: 1.6em; }
    .diff-heads .lanes-head { display: none; }
  }
  @media (forced-colors: active) { .lanes i { forced-color-adjust: none; } }
`;

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/** From the lowest to the highest that the bars reach; 0 is always inside. */
function domainOf({ old, delta, next, reach }: DiffRows): [number, number] {
  let [low, high] = [0, 0];
  for (const values of [old, next ?? delta, reach ?? []]) {
    for (const value of values) {
      low = Math.min(low, finite(value));
      high = Math.max(high, finite(value));
    }
  }
  return low === high ? [-1, 1] : [low, high];
}

/** "+ 0.123" and "− 0.123": what is added, as an operation. */
const signed = (text: string): string => (text.startsWith("\u2212") ? `\u2212 ${text.slice(1)}` : /[1-9∞]/.test(text) ? `+ ${text}` : `  ${text}`);

const countOf = ({ old, delta }: DiffRows): number => Math.max(old.length, delta.length);

const widest = (texts: readonly string[]): string => `${Math.max(NARROWEST, ...texts.map((text) => text.length))}ch`;

export function diffRows(context: DiffRows): TemplateResult {
  const { old, delta, next, text, chosen } = context;
  const count = countOf(context);
  const first = Math.floor(chosen / PAGE) * PAGE;
  const features = Array.from({ length: Math.min(PAGE, count - first) }, (_, i) => first + i);
  const format = formatFor(Math.max(scaleOf(old), scaleOf(delta), scaleOf(next ?? [])), DIGITS);
  const write = (value: number | undefined, how = format): string => (value === undefined ? MISSING : how(value));
  const [low, high] = domainOf(context);
  const part = (value: number): number => ((finite(value) - low) / (high - low)) * 100;
  const lines = features.map((feature) => ({ feature, texts: [write(old[feature]), write(delta[feature], (value) => signed(format(value))), next ? `= ${format(next[feature]!)}` : MISSING] as const }));
  const columns = [text.old, text.delta, text.next].map((head, i) => widest([head, ...lines.map(({ texts }) => texts[i]!)]));
  return html`<div class="diff" role="grid" aria-label=${text.label} aria-rowcount=${count + 1}
      .style=${`--index: ${String(count - 1).length}ch; --old: ${columns[0]}; --delta: ${columns[1]}; --next: ${columns[2]}`}
      @keydown=${(event: KeyboardEvent) => onKey(event, context)} @pointerleave=${() => context.onPoint(undefined)}
      @focusout=${(event: FocusEvent) => leaves(event) && context.onPoint(undefined)}>
      <div class="diff-row diff-heads" role="row" aria-rowindex="1">
        <span role="columnheader" class="sign"><span class="visually-hidden">±</span></span>
        <span role="columnheader" class="index"><span class="visually-hidden">${text.feature}</span></span>
        <span role="columnheader" class="stream">${text.old}</span>
        <span role="columnheader" class="branch">${text.delta}</span>
        <span role="columnheader" class="next">${text.next}</span>
        <span role="columnheader" class="lanes-head"><span class="visually-hidden">${text.bars}</span></span>
      </div>
      ${lines.map(({ feature, texts }) => line(context, feature, texts, part))}
    </div>
    ${count > PAGE ? pager(context, first, features.at(-1)!) : nothing}`;
}

function line({ old, delta, next, chosen, onPoint, onChoose }: DiffRows, feature: number, [from, step, to]: readonly [string, string, string], part: (value: number) => number): TemplateResult {
  const change = next ? delta[feature]! : 0;
  const zero = part(0);
  const start = part(old[feature] ?? 0);
  const [added, end] = next ? [start, part(next[feature]!)] : [zero, part(delta[feature] ?? 0)];
  const bar = (a: number, b: number): string => `left: ${Math.min(a, b)}%; width: ${Math.abs(b - a)}%`;
  const point = (): void => onPoint(feature);
  return html`<div class="diff-row line ${feature === chosen ? "chosen" : ""}" role="row" aria-rowindex=${feature + 2} aria-selected=${feature === chosen} data-feature=${feature}
    tabindex=${feature === chosen ? 0 : -1} @pointermove=${(event: PointerEvent) => event.pointerType !== "touch" && point()} @focus=${point} @click=${() => onChoose(feature)}>
    <span role="gridcell" class="sign ${change > 0 ? "more" : change < 0 ? "less" : ""}">${change > 0 ? "+" : change < 0 ? "\u2212" : ""}</span>
    <span role="rowheader" class="index">${feature}</span>
    <span role="gridcell" class="stream" title=${titleOf(old[feature])}>${from}</span>
    <span role="gridcell" class="branch" title=${titleOf(delta[feature])}>${step}</span>
    <span role="gridcell" class="next" title=${titleOf(next?.[feature])}>${to}</span>
    <span role="gridcell" class="lanes"><i class="zero" .style=${`left: ${zero}%`}></i><i class="from" .style=${bar(zero, start)}></i><i class="step" .style=${bar(added, end)}></i>${next ? html`<i class="to" .style=${`left: ${end}%`}></i>` : nothing}</span>
  </div>`;
}

const titleOf = (value: number | undefined): string => (value === undefined ? "" : fullPrecision(value));

function pager(context: DiffRows, first: number, last: number): TemplateResult {
  const { text, onChoose } = context;
  const count = countOf(context);
  const walk = (by: number): void => onChoose(Math.max(0, Math.min(count - 1, first + by)));
  return html`<div class="diff-pager">
    <button class="button" type="button" aria-label=${text.earlier} title=${text.earlier} ?disabled=${first === 0} @click=${() => walk(-PAGE)}>‹</button>
    <span>${text.page(first, last, count)}</span>
    <button class="button" type="button" aria-label=${text.later} title=${text.later} ?disabled=${last === count - 1} @click=${() => walk(PAGE)}>›</button>
  </div>`;
}

const leaves = ({ currentTarget, relatedTarget }: FocusEvent): boolean => !(relatedTarget instanceof Node && (currentTarget as Element).contains(relatedTarget));

/** The focus walks from feature to feature; at the end of a page the next one comes. */
function onKey(event: KeyboardEvent, context: DiffRows): void {
  const row = (event.target as Element).closest<HTMLElement>("[data-feature]");
  if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
  const feature = Number(row.dataset.feature);
  const last = countOf(context) - 1;
  const target = { ArrowUp: feature - 1, ArrowDown: feature + 1, PageUp: feature - PAGE, PageDown: feature + PAGE, Home: 0, End: last }[event.key];
  if (target !== undefined) {
    const wanted = Math.max(0, Math.min(last, target));
    const grid = event.currentTarget as HTMLElement;
    const shown = grid.querySelector<HTMLElement>(`[data-feature="${wanted}"]`);
    if (shown) shown.focus();
    else turnTo(grid, wanted, context.onChoose);
  } else if (event.key === "Enter" || event.key === " ") context.onChoose(feature);
  else return;
  event.preventDefault();
}

function turnTo(grid: HTMLElement, feature: number, onChoose: (feature: number) => void): void {
  onChoose(feature);
  requestAnimationFrame(() => grid.querySelector<HTMLElement>(`[data-feature="${feature}"]`)?.focus());
}
