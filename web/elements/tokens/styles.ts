/** Styles of the tokens view. */
import { css } from "lit";
import { formulaStyles } from "../parts/formula.js";
import { stepperStyles } from "../parts/stepper.js";
import { baseStyles } from "../parts/theme.js";
import { statisticsStyles } from "./statistics-table.js";

export const tokensStyles = [baseStyles, stepperStyles, formulaStyles, statisticsStyles, css`
  .root { container-type: inline-size; }
  .view { display: grid; gap: 1.15em; }
  .cards { display: grid; gap: 1.15em; grid-template-columns: minmax(0, 1fr); align-items: start; }
  @container (min-width: 48em) { .cards { grid-template-columns: minmax(0, 11fr) minmax(0, 13fr); gap: 1.75em; align-items: stretch; } }
  .card-foot { margin-top: 0.9em; display: flex; flex-wrap: wrap; gap: 0.5em 1em; align-items: center; justify-content: space-between; }
  .chip { padding: 0.1em 0.6em; font-size: 0.75em; color: var(--ink); background: var(--quiet); border: 1px solid var(--hairline); border-radius: 1em; cursor: pointer; }
  .worked { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.55em 1em; align-items: baseline; margin-top: 1em; min-height: 4.8em; align-content: center; }
  .worked dt { font-size: 0.75em; color: var(--muted); }
  .worked .line { font-size: 0.8em; overflow-wrap: anywhere; }
  .terms { color: var(--stream); }
  .line .stream, .line .result { font-weight: 700; }
  .worked button { padding: 0; background: none; border: 0; border-radius: 3px; cursor: pointer; text-decoration: underline dotted 1px; text-underline-offset: 0.25em; }
  .worked button:hover { text-decoration-style: solid; }
  .set { font-size: 1.1em; }
  .card > .problem { margin-top: 0.9em; }
  .result { position: relative; margin-top: 0.3em; }
  .result > span { position: absolute; top: 2.6em; left: 0; width: 36px; padding-inline-end: 6px; text-align: end; font-size: 0.7em; white-space: nowrap; }
  .origin { padding-inline-start: 0.5em; font-family: var(--sans); color: var(--muted); }
  .question { display: flex; flex-wrap: wrap; gap: 0.4em 1em; align-items: center; }
  .question > p { flex: 1 1 100%; }
  .question summary { cursor: pointer; font-size: 0.9em; }
  .question details { font-size: 0.95em; }
  .question details[open] { flex: 1 1 100%; }
  .question .button { font-size: 0.85em; }
`];
