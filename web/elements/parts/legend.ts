/** The colour scale with its ends in numbers. */
import { css, html, type TemplateResult } from "lit";
import { formatFor } from "./format.js";
import { heatColours } from "./heat-colours.js";
import type { Theme } from "./theme.js";

export const legendStyles = css`
  .legend { display: flex; align-items: center; gap: 0.6em; margin-top: 0.9em; font-size: 0.8em; color: var(--muted); }
  .legend .scale { flex: 1; height: 0.6em; border-radius: 0.3em; }
  @media (forced-colors: active) { .legend .scale { forced-color-adjust: none; } }
`;

/** From -largest to largest, 0 in the middle. The numbers stand in the cells too, so screen readers are spared it. */
export function legend(largest: number, theme: Theme): TemplateResult {
  const format = formatFor(largest, 2);
  return html`<div class="legend mono" aria-hidden="true">
    <span>${format(-largest)}</span><span class="scale" .style=${`background: ${heatColours(theme).gradient}`}></span><span>${format(largest)}</span>
  </div>`;
}
