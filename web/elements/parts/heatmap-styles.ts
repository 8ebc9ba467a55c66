/** Styles of the heatmap. */
import { css } from "lit";
import { legendStyles } from "./legend.js";
import { partStyles } from "./theme.js";

export const heatmapStyles = [partStyles, legendStyles, css`
  :host { display: block; }
  .gauge { height: 1em; margin-bottom: -1em; visibility: hidden; }
  .scroller { position: relative; overflow: hidden; font: 0.66em/1 var(--mono); font-variant-numeric: tabular-nums; background: var(--card); }
  .scroller.scrolls { overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; }
  .scroller.tight { font-size: 0.62em; }
  .tight .head, .tight .stat { padding-inline-end: 0.2em; }
  .row { display: flex; align-items: stretch; color: var(--muted); }
  .body { position: relative; }
  .body .row { position: absolute; left: 0; width: 100%; }
  .heads { position: sticky; top: 0; z-index: 2; width: max-content; background: var(--card); }
  .corner, .head { position: sticky; left: 0; z-index: 1; flex: none; background: var(--card); }
  .head, .stat { display: flex; align-items: center; justify-content: flex-end; padding-inline-end: 0.5em; }
  .stat { position: sticky; z-index: 1; flex: none; padding-inline: 0.2em; color: var(--statistic); background: var(--card); cursor: pointer; }
  .heads .stat { cursor: default; }
  .cells { position: relative; flex: none; }
  .col-head, .cell { position: absolute; top: 0; height: 100%; display: flex; align-items: center; justify-content: center; }
  .cell { border: 1px solid var(--card); border-radius: 3px; background-color: var(--fill); background-clip: padding-box; white-space: pre; cursor: pointer; }
  .strong .head, .col-head.strong { color: var(--ink); font-weight: 700; }
  .strong .stat { font-weight: 700; }
  .hatched { color: var(--ink); background: repeating-linear-gradient(45deg, transparent 0 4px, var(--hairline) 4px 6px), var(--card); font-weight: 700; }
  .edited { text-decoration: underline dotted 1px; text-underline-offset: 0.25em; }
  .chosen { outline: 2px solid var(--focus); outline-offset: -2px; }
  .stat.chosen { outline-offset: -3px; border-radius: 4px; }
  .cell:focus-visible, .stat:focus-visible { outline: 3px solid var(--focus); outline-offset: -2px; z-index: 1; }
  :host([moving]) .cell { transition: background-color 0.3s, color 0.3s; }
  addnorm-overview { margin-top: 0.8em; }
  .note { margin-top: 0.3em; font-size: 0.75em; color: var(--muted); }
  @media (forced-colors: active) { .cell { forced-color-adjust: none; } }
`];
