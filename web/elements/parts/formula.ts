/** TeX to MathML by Temml; \class{statistic}{\mu} gives a symbol its colour role. */
import { css, html, type TemplateResult } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import temml from "temml";
import { Memo } from "../../state/memo.js";

const drawn = new Memo<string>(200);

/** Only TeX from our own sources comes here, so its markup can be trusted; \class is the one extra it may use. */
export function formula(tex: string, display = false): TemplateResult {
  const markup = drawn.get(`${display}${tex}`, () =>
    temml.renderToString(tex, { displayMode: display, trust: (context: { command: string }) => context.command === "\\class" }));
  return html`${unsafeHTML(markup)}`;
}

export const formulaStyles = css`
  math { font-family: "Cambria Math", "STIX Two Math", STIXTwoMath-Regular, "Latin Modern Math", NotoSansMath-Regular, math, serif; font-size: 1.2em; line-height: normal; }
  math * { border-color: currentColor; }
  mfrac > :nth-child(2), msqrt, mover > :first-child { math-shift: compact; }
`;
