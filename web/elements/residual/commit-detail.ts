/** An opened commit: one token before, its delta and after, the angle worked out, and the delta of all tokens. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { Commit, Stream } from "../../state/compute-residual-stream.js";
import { formatFor } from "../parts/format.js";
import type { Place } from "../parts/heatmap.js";
import type { Theme } from "../parts/theme.js";
import { diffRows } from "./diff-rows.js";
import { workedLines } from "./worked.js";

export interface CommitDetail {
  readonly commit: Commit;
  readonly stream: Stream;
  readonly place: Place;
  readonly locked: boolean;
  readonly text: Messages;
  readonly theme: Theme;
  onPreview(place: Place | null): void;
  onChoose(place: Place): void;
  onRelease(): void;
}

export const commitDetailStyles = css`
  .commit.norm, .commit-matrix.norm { --branch: var(--statistic); }
  .commit-matrix h3 { margin-bottom: 0.6em; font-size: 0.9em; font-weight: 650; }
  .commit { display: grid; gap: 0.8em; grid-template-columns: minmax(0, 1fr); container-type: inline-size; }
  .commit h3 { font-size: 0.9em; font-weight: 650; }
  .commit h3 code { font-family: var(--mono); font-weight: 400; color: var(--muted); }
  .commit .worked { margin-top: 0; }
`;

/** Degrees from a right angle that still count as one. */
const SQUARE = 10;

export function commitDetail({ commit, stream: { cols }, place, text: { residual }, onPreview, onChoose }: CommitDetail): TemplateResult {
  const { id, kind, before, delta, after } = commit;
  const name = residual.sublayer(commit);
  const feature = Math.min(place.col, cols - 1);
  const rowOf = (data: Float32Array): Float32Array => data.subarray(place.row * cols, (place.row + 1) * cols);
  return html`<div class="commit ${kind}" role="region" aria-label=${residual.opened(id, name)}>
    <h3>${name} <code>${id}</code></h3>
    <p class="about">${meaning(commit, residual)}</p>
    ${diffRows({
      old: rowOf(before), delta: rowOf(delta), next: rowOf(after), chosen: feature,
      text: { ...residual.rows, label: residual.commitRows(place.row), old: "h", delta: "Δ", next: "h + Δ" },
      onPoint: (col) => onPreview(col === undefined ? null : { row: place.row, col }),
      onChoose: (col) => onChoose({ row: place.row, col }),
    })}
    ${workedLines([workedAngle(commit, residual)])}
  </div>`;
}

/** The delta of every token; choosing one shows it in the diff. */
export function commitMatrix({ commit, stream: { rows, cols }, place, locked, text: { residual, common }, theme, onPreview, onChoose, onRelease }: CommitDetail): TemplateResult {
  const { kind, delta } = commit;
  const name = residual.sublayer(commit);
  const inside = (chosen: Place): Place => ({ row: chosen.row, col: Math.min(chosen.col, cols - 1) });
  return html`<div class="commit-matrix ${kind}"><h3>${residual.deltaTitle(name)}</h3>
    <addnorm-heatmap .data=${delta} .rows=${rows} .cols=${cols} .theme=${theme} .readonly=${true} .chosen=${inside(place)} .locked=${locked}
      .text=${{ grid: residual.deltaGrid(name), corner: residual.corner, row: common.token, col: common.feature, overview: residual.overview(rows, cols), overviewNote: residual.overviewNote }}
      @cell-preview=${({ detail }: CustomEvent<Place | null>) => onPreview(detail && inside(detail))}
      @cell-choose=${({ detail }: CustomEvent<Place>) => onChoose(inside(detail))}
      @cell-release=${onRelease}></addnorm-heatmap>
  </div>`;
}

function meaning({ kind, angle }: Commit, { angles }: Messages["residual"]): string {
  if (kind === "norm") return angles.norm;
  if (angle === undefined) return angles.none;
  if (Math.abs(angle - 90) <= SQUARE) return angles.square;
  return angle < 90 ? angles.along : angles.against;
}

function workedAngle({ dot, deltaLength, beforeLength, angle }: Commit, text: Messages["residual"]) {
  const format = formatFor(Math.max(Math.abs(dot), deltaLength, beforeLength), 4);
  return {
    formulaName: text.formula, numbersName: text.numbers,
    tex: String.raw`\cos\angle(\class{branch}{\Delta}, \class{stream}{h}) = \frac{\class{branch}{\Delta} \cdot \class{stream}{h}}{\lVert\class{branch}{\Delta}\rVert\,\lVert\class{stream}{h}\rVert}`,
    numbers: [
      { text: format(dot) }, { text: " / (" }, { text: format(deltaLength), role: "branch" as const }, { text: " × " }, { text: format(beforeLength), role: "stream" as const }, { text: ")" },
      { text: angle === undefined ? "" : ` = cos ${angle.toFixed(1)}°`, role: "result" as const },
    ],
  };
}
