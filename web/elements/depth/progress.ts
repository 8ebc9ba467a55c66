/** One line under the key: what was computed, or how far the computation is, with a way to stop it; always of one height. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { DepthRunner } from "./runner.js";

export const progressStyles = css`
  .work { position: relative; display: flex; align-items: center; justify-content: space-between; gap: 1em; min-height: 2.6em; margin-top: 0.5em; font-size: 0.8em; color: var(--muted); }
  .work .button { font-size: 1em; min-height: 2em; padding-block: 0.1em; color: var(--ink); }
  .work .bar { flex: 1; height: 0.5em; border-radius: 0.25em; background: linear-gradient(var(--parameter), var(--parameter)) 0 / var(--part) 100% no-repeat, var(--quiet); }
  .work .what { flex: 0 0 auto; min-width: 14em; font-variant-numeric: tabular-nums; }
  .work.problem { color: var(--warning); max-width: none; }
  @container (max-width: 30rem) { .work .what { min-width: 9.5em; } }
  @media (forced-colors: active) { .work .bar { forced-color-adjust: none; } }
`;

interface Progress {
  readonly runner: DepthRunner;
  /** What is shown when nothing is under way. */
  readonly idle: string;
  readonly text: Messages["depth"];
  onAgain(): void;
}

export function progress({ runner, idle, text, onAgain }: Progress): TemplateResult {
  if (runner.progress) {
    const { variant, part } = runner.progress;
    const percent = Math.round(part * 100);
    return html`<div class="work"><span class="what">${text.computing(text.short[variant], percent)}</span>
      <span class="bar" role="progressbar" aria-label=${text.short[variant]} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${percent} .style=${`--part: ${percent}%`}></span>
      <button type="button" class="button stop" @click=${() => runner.stop()}>${text.cancel}</button></div>`;
  }
  if (runner.failure) return html`<div class="work problem" role="alert">${text.failed(runner.failure)}</div>`;
  if (runner.stopped) return html`<div class="work"><span role="status">${text.stopped}</span><button type="button" class="button again" @click=${onAgain}>${text.again}</button></div>`;
  return html`<div class="work"><span>${idle}</span></div>`;
}
