/** Styles of the residual view. */
import { css } from "lit";
import { formulaStyles } from "../parts/formula.js";
import { segmentedStyles } from "../parts/segmented.js";
import { baseStyles } from "../parts/theme.js";
import { cellsStyles } from "./cells.js";
import { commitDetailStyles } from "./commit-detail.js";
import { diffRowsStyles } from "./diff-rows.js";
import { gradientCardStyles } from "./gradient-card.js";
import { logCardStyles } from "./log-card.js";
import { normsTableStyles } from "./norms-table.js";
import { questionStyles } from "./question.js";
import { scaleStripStyles } from "./scale-strip.js";
import { widthCardStyles } from "./width-card.js";

export const residualStyles = [
  baseStyles, segmentedStyles, formulaStyles, questionStyles, scaleStripStyles, diffRowsStyles, normsTableStyles, cellsStyles, gradientCardStyles, widthCardStyles, logCardStyles, commitDetailStyles, css`
  .root { container-type: inline-size; }
  .view { display: grid; gap: 1.15em; }
  .cards { display: grid; gap: 1.15em; grid-template-columns: minmax(0, 1fr); align-items: start; }
  .card { container-type: inline-size; }
  @container (min-width: 48em) { .cards { grid-template-columns: minmax(0, 11fr) minmax(0, 13fr); gap: 1.75em; align-items: stretch; } .cards.sum { min-height: 32em; } }
  .chip { padding: 0.1em 0.6em; font-size: 0.75em; color: var(--ink); background: var(--quiet); border: 1px solid var(--hairline); border-radius: 1em; cursor: pointer; }
  .hunk { margin-bottom: 0.3em; padding: 0.25em 0.6em; font: 0.75em/1.5 var(--mono); color: var(--muted); background: var(--quiet); border-radius: 4px; }
  .worked { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.45em 1em; align-items: baseline; margin-top: 0.9em; }
  .worked dt { font-size: 0.75em; color: var(--muted); }
  .worked .symbols { overflow-x: auto; overflow-y: hidden; padding-block: 0.1em; }
  .worked .line { font-size: 0.8em; line-height: 1.6; overflow-wrap: anywhere; }
  .worked .result { font-weight: 700; }
  @container (max-width: 24em) {
    .worked { grid-template-columns: minmax(0, 1fr); row-gap: 0.15em; }
    .worked dd + dt { margin-top: 0.5em; }
    .worked math, .road math { font-size: 1.1em; }
  }
  .diff-card .worked .line:last-child { min-height: 3.2em; }
  .mend-here { margin-top: 1em; }
  .hunk.problem { color: var(--warning); font-size: 0.75em; }
`];
