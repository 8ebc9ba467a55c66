/** The residual stream as a log: one line a commit, oldest first, with what it adds, its angle to the stream and what the stream is then. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { Commit, Log, Stream } from "../../state/compute-residual-stream.js";
import { schema, type State } from "../../state/schema.js";
import { formatFor, type NumberFormat } from "../parts/format.js";
import type { FieldChange } from "../parts/number-field.js";
import { prose } from "../parts/prose.js";
import { segmented } from "../parts/segmented.js";

export interface LogCard {
  readonly stream: Stream | undefined;
  readonly log: Log | undefined;
  /** The open commit, counted from 1. */
  readonly open: number;
  readonly row: number;
  readonly state: State;
  readonly text: Messages["residual"];
  readonly norm: string;
  /** The open commit: all of its delta, and one token of it. */
  readonly matrix: TemplateResult | typeof nothing;
  readonly detail: TemplateResult | typeof nothing;
  change(patch: Partial<State>, how?: "push" | "preview"): void;
}

/** With so many commits, there is room below them for the open one's matrix. */
const FEW = 8;

export const logCardStyles = css`
  .log-card .about { font-size: 0.85em; max-width: 66ch; }
  .log-settings { display: flex; flex-wrap: wrap; gap: 0.5em 1.5em; align-items: center; margin: 0.8em 0 1em; }
  .log-settings .segmented { flex: 0 1 auto; }
  .log-settings addnorm-number-field { flex: 0 1 9em; }
  .log-body { display: grid; gap: 1.5em 1.75em; grid-template-columns: minmax(0, 1fr); align-items: start; }
  .log ol { list-style: none; margin: 0; padding: 0; }
  .log { font: 0.78em/1.3 var(--mono); font-variant-numeric: tabular-nums; }
  .log .line { display: grid; grid-template-columns: 1.4em 8ch minmax(0, 1fr) 6ch 3.6em 8.5ch 6ch 3.6em; column-gap: 0.8ch; align-items: center; width: 100%; min-height: 2.3em; padding: 0 0.6ch 0 0; text-align: start; border: 0; border-radius: 4px; background: none; font: inherit; color: inherit; }
  .log button.line { cursor: pointer; }
  .log button.line:hover { background: var(--quiet); }
  .log button.line[aria-pressed="true"] { background: var(--quiet); box-shadow: inset 0 0 0 1.5px var(--focus); }
  .log .heads { color: var(--muted); min-height: 1.8em; }
  .log .number { text-align: end; white-space: pre; }
  .log .what { font-family: var(--sans); font-size: 1.1em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .log .id { color: var(--muted); }
  .log .graph { position: relative; align-self: stretch; min-height: 2.3em; }
  .log .graph::before { content: ""; position: absolute; left: calc(0.7em - 1px); top: 0; bottom: 0; border-left: 2px solid var(--stream); }
  .log li:first-of-type .graph::before { top: 50%; } .log li:last-of-type .graph::before { bottom: 50%; }
  .log .graph::after { content: ""; position: absolute; left: 0.3em; top: calc(50% - 0.4em); width: 0.8em; height: 0.8em; border-radius: 50%; background: var(--role); }
  .log .norm .graph::after { border-radius: 1px; rotate: 45deg; }
  .log .attention, .log .feedForward { --role: var(--branch); } .log .norm { --role: var(--statistic); } .log .first { --role: var(--stream); }
  .log-note { margin-top: 0.8em; }
  .log .delta { color: var(--role); }
  .log .bar { height: 0.6em; background: linear-gradient(var(--fill), var(--fill)) 0 / var(--part) 100% no-repeat, var(--quiet); border-radius: 2px; }
  .log .angle { display: flex; gap: 0.6ch; align-items: center; justify-content: flex-end; white-space: pre; }
  .log .angle svg { flex: none; overflow: visible; }
  @container (min-width: 52em) {
    .log-body { grid-template-columns: minmax(0, 13fr) minmax(0, 10fr); grid-template-rows: auto 1fr; }
    .log-body > .commit { grid-area: 1 / 2 / 3 / 3; }
    .log-body.long > :first-child { grid-area: 1 / 1 / 3 / 2; }
    .log-body.long > .commit { grid-area: 1 / 2; }
  }
  @container (max-width: 30em) {
    .log .line { grid-template-columns: 1.4em 5ch 1fr 8ch 5ch 1fr; padding-block: 0.3em; }
    .log .line > .graph { grid-row: 1 / 3; margin-block: -0.3em; }
    .log .line > .id { grid-column: 2 / 4; } .log .line > .what { grid-column: 4 / -1; text-align: end; }
    .log .heads .id, .log .heads .what, .log .heads .graph { display: none; }
    .log .heads .number:first-of-type { grid-column: 2 / 4; }
  }
  @media (forced-colors: active) { .log .bar { forced-color-adjust: none; } }
`;

export function logCard(context: LogCard): TemplateResult {
  const { stream, log, state, text, row, norm, change, matrix, detail } = context;
  const { parse, min, max } = schema.logBlocks;
  return html`<section part="card" class="card log-card" aria-label=${text.logTitle}>
    <div class="card-head"><h2>${text.logTitle}</h2><span class="aside mono">git log --oneline --reverse</span></div>
    <p class="about">${prose(text.logAbout)}</p>
    <div class="log-settings">
      ${segmented<State["logPlacement"]>({
        name: "placement", label: text.placement, value: state.logPlacement, onSelect: (logPlacement) => change({ logPlacement, commit: 1 }),
        segments: [{ value: "pre", text: text.placements.pre, title: text.placementTitles.pre(norm) }, { value: "post", text: text.placements.post, title: text.placementTitles.post(norm) }],
      })}
      <addnorm-number-field .label=${text.blocks} .problem=${text.blocksProblem(min!, max!)} .step=${1} .parse=${parse} .value=${state.logBlocks}
        @field-change=${({ detail: { value, how } }: CustomEvent<FieldChange>) => change({ logBlocks: value as number }, how)}></addnorm-number-field>
      ${segmented<State["logOf"]>({
        name: "of", label: text.logOf, value: state.logOf, onSelect: (logOf) => change({ logOf }),
        segments: [{ value: "token", text: text.thisToken(row) }, { value: "all", text: text.allTokens(stream?.rows ?? 1) }],
      })}
    </div>
    ${stream && log ? html`<div class="log-body ${log.commits.length > FEW ? "long" : ""}"><div>${lines(context, stream, log)}
        <p class="about log-note">${prose(state.logPlacement === "pre" ? text.replays(log.commits.length) : text.rewrites(norm))}</p></div>${detail}${matrix}</div>`
      : html`<p class="problem">${text.logTooLarge}</p>`}
  </section>`;
}

function lines({ open, text, change }: LogCard, { rootId }: Stream, { commits, rootLength }: Log): TemplateResult {
  const largest = Math.max(rootLength, ...commits.flatMap(({ deltaLength, afterLength }) => [deltaLength, afterLength]).filter(Number.isFinite));
  const format = formatFor(largest, 3);
  const bar = (length: number, colour: string): TemplateResult =>
    html`<span class="bar" .style=${`--part: ${Number.isFinite(length) ? (length / (largest || 1)) * 100 : 0}%; --fill: var(--${colour})`}></span>`;
  return html`<div class="log"><div class="line heads" aria-hidden="true"><span class="graph-head"></span><span class="id">commit</span><span class="what"></span>
      <span class="number">‖Δ‖</span><span></span><span class="number">∠(Δ, h)</span><span class="number">‖h‖</span><span></span></div>
    <ol aria-label=${text.logLabel} @keydown=${onKey}>
    <li><div class="line first"><span class="graph"></span><span class="id">${rootId}</span><span class="what">${text.root}</span>
      <span class="number"></span><span></span><span></span><span class="number">${format(rootLength)}</span>${bar(rootLength, "stream")}</div></li>
    ${commits.map((commit, i) => html`<li>${line(commit, i + 1, i + 1 === open, { text, change, format, bar })}</li>`)}
    </ol></div>`;
}

interface LineParts extends Pick<LogCard, "text" | "change"> {
  readonly format: NumberFormat;
  bar(length: number, colour: string): TemplateResult;
}

function line(commit: Commit, number: number, open: boolean, { text, change, format, bar }: LineParts): TemplateResult {
  const { kind, id, deltaLength, afterLength, angle } = commit;
  const name = text.sublayer(commit);
  const degrees = angle === undefined ? "—" : `${angle.toFixed(0)}°`;
  return html`<button type="button" class="line ${kind}" aria-pressed=${open} data-commit=${number}
    aria-label=${text.commitName(id, name, format(deltaLength), degrees, format(afterLength))} @click=${() => change({ commit: number })}>
    <span class="graph"></span><span class="id">${id}</span><span class="what">${name}</span>
    <span class="number delta">${format(deltaLength)}</span>${bar(deltaLength, kind === "norm" ? "statistic" : "branch")}
    <span class="angle">${angle === undefined ? nothing : dial(angle)}${degrees.padStart(4)}</span>
    <span class="number stream">${format(afterLength)}</span>${bar(afterLength, "stream")}
  </button>`;
}

/** The stream points to the right; the delta stands at its angle to it. */
function dial(degrees: number): TemplateResult {
  const radians = (degrees * Math.PI) / 180;
  return html`<svg width="22" height="13" viewBox="-11 -11 22 13" aria-hidden="true">
    <path d="M-10 0H10" stroke="var(--hairline)" stroke-width="1.5"/><path d="M0 0H10" stroke="var(--stream)" stroke-width="2.5"/>
    <path d=${`M0 0L${(10 * Math.cos(radians)).toFixed(2)} ${(-10 * Math.sin(radians)).toFixed(2)}`} stroke="var(--role)" stroke-width="2.5" stroke-linecap="round"/>
  </svg>`;
}

/** Up and down walk through the commits. */
function onKey(event: KeyboardEvent): void {
  const button = (event.target as Element).closest<HTMLElement>("[data-commit]");
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!button || !step) return;
  const list = event.currentTarget as HTMLElement;
  list.querySelector<HTMLElement>(`[data-commit="${Number(button.dataset.commit) + step}"]`)?.focus();
  event.preventDefault();
}
