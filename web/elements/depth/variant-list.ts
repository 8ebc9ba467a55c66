/** The key to the lines, with which they are switched on and off. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import { depthVariants, MOST_VARIANTS, type DepthVariant } from "../../state/depth-variants.js";
import { swatch } from "./line-styles.js";

/** What one sublayer does with x. */
export const formulas: Readonly<Record<DepthVariant, string>> = {
  plain: "F(x)", plainNorm: "LN(F(x))", skip: "x + F(x)", post: "LN(x + F(x))", pre: "x + F(LN(x))", preRms: "x + F(RMS(x))", deepNorm: "LN(αx + F(x))", reZero: "x + a·F(x)",
};

export const variantListStyles = css`
  .variants { display: flex; flex-wrap: wrap; gap: 0.4em; }
  .variants button {
    display: flex; align-items: center; gap: 0.5em; min-height: 2.2em; padding: 0.2em 0.75em 0.2em 0.6em; font-size: 0.8em; line-height: 1.3; cursor: pointer;
    color: var(--muted); background: none; border: 1px dashed var(--hairline); border-radius: 1.2em;
  }
  .variants button:hover { color: var(--ink); background: var(--quiet); }
  .variants button[aria-pressed="true"] { color: var(--ink); font-weight: 600; border: 1px solid var(--outline); }
  .variants button[aria-pressed="false"] .swatch { opacity: 0.55; }
  .variants button[aria-disabled="true"] { cursor: default; }
  @media (forced-colors: active) { .variants button[aria-pressed="true"] { outline: 2px solid Highlight; outline-offset: -3px; } }
`;

interface VariantList {
  readonly chosen: readonly DepthVariant[];
  readonly text: Messages["depth"];
  onChoose(variants: readonly DepthVariant[]): void;
}

export function variantList({ chosen, text, onChoose }: VariantList): TemplateResult {
  const toggled = (variant: DepthVariant): DepthVariant[] => depthVariants.filter((other) => chosen.includes(other) !== (other === variant));
  /** Why a line cannot be switched, "" when it can. aria-disabled keeps the focus where it is. */
  const reason = (variant: DepthVariant): string => {
    if (chosen.includes(variant)) return chosen.length === 1 ? text.lastVariant : "";
    return chosen.length === MOST_VARIANTS ? text.mostVariants(MOST_VARIANTS) : "";
  };
  return html`<div class="variants" role="group" aria-label=${text.variants}>
    ${depthVariants.map((variant) => html`<button type="button" data-variant=${variant} aria-pressed=${chosen.includes(variant)} aria-disabled=${reason(variant) !== ""}
      title=${`${formulas[variant]}: ${text.about[variant]}${reason(variant) && ` (${reason(variant)})`}`} aria-description=${reason(variant) || text.about[variant]}
      @click=${() => reason(variant) === "" && onChoose(toggled(variant))}>${swatch(variant)}<span>${text.short[variant]}</span></button>`)}
  </div>`;
}
