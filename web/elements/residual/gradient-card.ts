/** The derivative of the residual connection: what arrives at the sum goes back over the skip as it is, and once more through F. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { Gradient, ResidualResult } from "../../state/compute-residual.js";
import type { State } from "../../state/schema.js";
import { formula } from "../parts/formula.js";
import { prose } from "../parts/prose.js";
import { segmented } from "../parts/segmented.js";
import { diffRows } from "./diff-rows.js";
import { normsTable } from "./norms-table.js";
import { workedGradient, workedLines } from "./worked.js";

export interface GradientCard {
  readonly result: ResidualResult;
  readonly gradient: Gradient | undefined;
  /** The feature that is worked out, and the one that dy is about. */
  readonly feature: number;
  readonly chosen: number;
  readonly state: State;
  readonly text: Messages["residual"];
  /** The farthest that dx gets at the largest scale of F. */
  readonly reach: Float32Array | undefined;
  change(patch: Partial<State>): void;
  onPoint(feature: number | undefined): void;
  onChoose(feature: number): void;
}

export const gradientCardStyles = css`
  .gradient-card .about { font-size: 0.85em; max-width: 66ch; }
  .gradient-card .road { margin: 0.7em 0; font-size: 0.95em; overflow-x: auto; overflow-y: hidden; padding-block: 0.15em; }
  .gradient-card .arriving { display: flex; align-items: center; gap: 0.7em; margin-bottom: 0.7em; }
  .gradient-card .arriving > span { font-size: 0.85em; white-space: nowrap; }
  .gradient-card .arriving .segmented { flex: 0 1 20em; }
`;

export function gradientCard({ result, gradient, feature, chosen, state, text, reach, change, onPoint, onChoose }: GradientCard): TemplateResult {
  const { projects, map } = result;
  const skip = projects === "stream" ? "Wₛᵀdy" : "dy";
  const through = !map ? "0" : projects === "branch" ? "s·WᵀPᵀdy" : "s·Wᵀdy";
  const road = projects === "stream"
    ? String.raw`\frac{\partial\,(\class{stream}{xW_s^{\mathsf T}} + \class{parameter}{s}\,\class{branch}{F(x)})}{\partial x} = \class{stream}{W_s} + \class{parameter}{s}\,\class{branch}{\frac{\partial F}{\partial x}}`
    : String.raw`\frac{\partial\,(\class{stream}{x} + \class{parameter}{s}\,\class{branch}{F(x)})}{\partial x} = \class{stream}{1} + \class{parameter}{s}\,\class{branch}{\frac{\partial F}{\partial x}}`;
  const title = text.gradientTitle(projects === "stream" ? "Wₛ" : "1");
  return html`<section part="card" class="card gradient-card" aria-label=${title}>
    <div class="card-head"><h2>${title}</h2></div>
    <p class="about">${prose(projects === "stream" ? text.gradientProjected : map ? text.gradientAbout : text.gradientDrawn)}</p>
    <div class="road">${formula(road)}</div>
    ${gradient ? html`
      <div class="arriving"><span>${text.arriving}</span>${segmented<State["dy"]>({
        name: "dy", label: text.arriving, value: state.dy, onSelect: (dy) => change({ dy }),
        segments: [{ value: "all", text: text.dyAll }, { value: "one", text: text.dyOne(chosen) }],
      })}</div>
      ${diffRows({
        old: gradient.old, delta: gradient.delta, next: gradient.next, reach, chosen: Math.min(feature, gradient.cols - 1),
        text: { ...text.rows, label: text.gradientRows, old: skip, delta: through, next: "dx" }, onPoint, onChoose,
      })}
      ${workedLines([{ ...workedGradient(result, gradient, Math.min(feature, gradient.cols - 1), state.fScale), formulaName: text.formula, numbersName: text.numbers }])}
      ${normsTable({
        label: text.gradientNorms, heads: [`‖${skip}‖`, `‖${through}‖`, "‖dx‖"],
        lines: [{ name: text.lengths, values: [gradient.norms.old.whole, gradient.norms.delta.whole, gradient.norms.next.whole] }],
      })}` : html`<p class="problem">${text.noSumNoGradient}</p>`}
  </section>`;
}
