/** One line under the key: what is computed, or how far the computation is, with a way to stop it; always of one height. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { DepthProgress } from "../../state/compute-depth.js";
import type { DepthRunner } from "./runner.js";

export const progressStyles = css`
  .work { position: relative; display: flex; align-items: center; justify-content: space-between; gap: 0.5em 1em; min-height: 2.9em; margin-top: 0.5em; font-size: 0.8em; line-height: 1.3; color: var(--muted); }
  .work > span { text-wrap: balance; }
  .work .button { font-size: 1em; min-height: 2em; padding-block: 0.1em; color: var(--ink); }
  .work .busy { flex: none; display: flex; align-items: center; gap: 0.8em; font-variant-numeric: tabular-nums; animation: appear 0s 0.08s both; }
  .work .bar { position: absolute; inset: auto 0 0; height: 3px; border-radius: 2px; background: linear-gradient(var(--parameter), var(--parameter)) 0 / var(--part) 100% no-repeat, var(--quiet); }
  @keyframes appear { from { opacity: 0; } }
  .work .problem { max-width: none; font-size: 1em; }
  @container (max-width: 30em) { .work .name { display: none; } }
  @media (forced-colors: active) { .work .bar { forced-color-adjust: none; } }
`;

interface Progress {
  readonly runner: DepthRunner;
  /** What is computed. */
  readonly subject: string;
  readonly text: Messages["depth"];
  onAgain(): void;
}

export function progress({ runner, subject, text, onAgain }: Progress): TemplateResult {
  const { progress: under, failure, stopped } = runner;
  if (failure) return html`<div class="work"><p class="problem" role="alert">${text.failed(failure)}</p></div>`;
  if (stopped) return html`<div class="work"><span role="status">${text.stopped}</span><button type="button" class="button" @click=${onAgain}>${text.again}</button></div>`;
  return html`<div class="work"><span>${subject}</span>${under ? busy(under, text, () => runner.stop()) : nothing}</div>`;
}

/** Comes a moment later, so that short work does not flicker. */
function busy({ variant, part }: DepthProgress, text: Messages["depth"], onStop: () => void): TemplateResult {
  const percent = Math.round(part * 100);
  const name = text.short[variant];
  return html`<div class="busy"><span><span class="name">${name}${text.colon}</span>${percent}%</span>
    <span class="bar" role="progressbar" aria-label=${name} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${percent} .style=${`--part: ${percent}%`}></span>
    <button type="button" class="button" @click=${onStop}>${text.cancel}</button></div>`;
}
