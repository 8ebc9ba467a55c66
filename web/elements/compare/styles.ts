/** Styles of the compare view. */
import { css } from "lit";
import { formulaStyles } from "../parts/formula.js";
import { legendStyles } from "../parts/legend.js";
import { segmentedStyles } from "../parts/segmented.js";
import { sliderStyles } from "../parts/slider.js";
import { baseStyles } from "../parts/theme.js";
import { pagerStyles } from "./pager.js";
import { rowTableStyles } from "./row-table.js";
import { stripStyles } from "./strip.js";
import { verdictStyles } from "./verdict.js";
import { whyCardStyles } from "./why-card.js";

export const compareStyles = [baseStyles, segmentedStyles, formulaStyles, legendStyles, sliderStyles, stripStyles, pagerStyles, verdictStyles, rowTableStyles, whyCardStyles, css`
  .root { container-type: inline-size; }
  .view { display: grid; gap: 1.15em; }
  .question { display: flex; flex-wrap: wrap; gap: 0.4em 1em; align-items: center; }
  .question > p { flex: 1 1 100%; }
  .question summary { cursor: pointer; font-size: 0.9em; }
  .question details { font-size: 0.95em; }
  .question details[open] { flex: 1 1 100%; }
  .question .button { font-size: 0.85em; }
  .maps { display: grid; gap: 0.8em; grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .maps .card { display: grid; gap: 0.5em; padding: 0.8em 0.7em; align-content: start; }
  .maps .card-head { display: grid; gap: 0; margin: 0; }
  .maps .verdict { min-height: 2.8em; }
  .maps .card.open { border-color: var(--outline); }
  @container (min-width: 48em) {
    .maps { gap: 1.15em; grid-template-columns: repeat(3, minmax(0, 1fr)); }
    .maps .card { padding: 0.95em 1em 0.75em; }
    .maps .card-head { display: flex; }
    .maps .verdict { min-height: 1.4em; }
  }
  .key { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em 1.6em; font-size: 0.8em; color: var(--muted); }
  .key .legend { flex: 0 1 18em; margin: 0; font-size: 1em; }
  .key span.mark { display: inline-flex; align-items: center; gap: 0.5em; }
  .key i { flex: none; }
  .key .hatch { width: 1.5em; height: 1em; border: 1px solid var(--outline); background: repeating-linear-gradient(135deg, transparent 0 4px, var(--outline) 4px 5px), var(--card); }
  .key .frame { width: 1.5em; height: 1em; border: 2px solid var(--ink); border-radius: 4px; }
  .cards { display: grid; gap: 1.15em; grid-template-columns: minmax(0, 1fr); align-items: start; }
  .cards > .card { container-type: inline-size; }
  @container (min-width: 60em) { .cards { grid-template-columns: minmax(0, 15fr) minmax(0, 10fr); gap: 1.75em; align-items: stretch; } }
  .card-head .token { font-size: 1.15em; }
  .chip { margin-block: -0.3em; padding: 0.1em 0.6em; font-size: 0.75em; color: var(--ink); background: var(--quiet); border: 1px solid var(--hairline); border-radius: 1em; cursor: pointer; }
  .worked { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.7em 1em; align-items: baseline; margin-top: 1em; }
  .worked dt { font-size: 0.75em; color: var(--muted); }
  .worked .symbols { overflow-x: auto; overflow-y: hidden; min-height: 3.2em; display: flex; align-items: center; }
  .worked .line { font-size: 0.8em; line-height: 1.6; overflow-wrap: anywhere; min-height: 4.8em; }
  .worked .from { font-size: 0.88em; min-height: 4.5em; }
  @container (max-width: 30em) { .worked .from { min-height: 7.5em; } }
  .worked .result { font-weight: 700; }
  .which .segmented { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .which .segmented label { border-radius: 0; }
  .which .segmented label:nth-of-type(n + 4) { border-top: 1px solid var(--hairline); }
  .which .segmented label:nth-of-type(4) { border-inline-start: 0; }
  .place { margin-top: 0.9em; font-size: 0.85em; color: var(--muted); }
`];
