/** Walks through the pages of tokens and features of a batch that is too large to be shown at once. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { PAGE, type MapWindow } from "./map-window.js";

export const pagerStyles = css`
  .pagers { display: flex; flex-wrap: wrap; gap: 0.4em 1.8em; }
  .pager { display: flex; align-items: center; gap: 0.6em; font-size: 0.8em; color: var(--muted); }
  .pager .button { min-height: 1.9em; padding: 0.1em 0.7em; font-size: 1em; }
`;

interface Pager {
  readonly window: MapWindow;
  /** Of the whole matrix. */
  readonly cols: number;
  readonly text: Messages["compare"]["page"];
  onToken(token: number): void;
  onFeature(feature: number): void;
}

export function pagers({ window: { length, firstToken, firstCol }, cols, text, onToken, onFeature }: Pager): TemplateResult | typeof nothing {
  if (length <= PAGE && cols <= PAGE) return nothing;
  return html`<div class="pagers">
    ${length > PAGE ? pager(firstToken, length, text.tokens, text.earlierTokens, text.laterTokens, onToken) : nothing}
    ${cols > PAGE ? pager(firstCol, cols, text.features, text.earlierFeatures, text.laterFeatures, onFeature) : nothing}
  </div>`;
}

function pager(first: number, count: number, name: (first: number, last: number, count: number) => string, earlier: string, later: string, onTurn: (index: number) => void): TemplateResult {
  const last = Math.min(count, first + PAGE) - 1;
  return html`<div class="pager">
    <button class="button" type="button" aria-label=${earlier} title=${earlier} ?disabled=${first === 0} @click=${() => onTurn(first - PAGE)}>‹</button>
    <span>${name(first, last, count)}</span>
    <button class="button" type="button" aria-label=${later} title=${later} ?disabled=${last === count - 1} @click=${() => onTurn(first + PAGE)}>›</button>
  </div>`;
}
