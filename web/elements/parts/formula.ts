/** TeX to MathML by Temml; \class{statistic}{\mu} gives a symbol its colour role. */
import { css, html, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import temml from "temml";

const drawn = new Map<string, string>();

/** Only TeX from our own sources comes here, so its markup can be trusted; \class is the one extra it may use. */
export function formula(tex: string, display = false): TemplateResult {
  const key = `${display}${tex}`;
  let markup = drawn.get(key);
  if (markup === undefined) {
    markup = temml.renderToString(tex, { displayMode: display, trust: (context: { command: string }) => context.command === "\\class" });
    drawn.set(key, markup);
  }
  return html`${unsafeHTML(markup)}`;
}

export const formulaStyles = css`
  math { font-family: "Cambria Math", "STIX Two Math", STIXTwoMath-Regular, "Latin Modern Math", NotoSansMath-Regular, math, serif; font-size: 1.2em; line-height: normal; }
  math * { border-color: currentColor; }
  mfrac > :nth-child(2), msqrt, mover > :first-child { math-shift: compact; }
`;
