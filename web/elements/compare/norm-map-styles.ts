/** Styles of the small multiples. */
import { css } from "lit";
import { partStyles } from "../parts/theme.js";

export const normMapStyles = [partStyles, css`
  :host { display: block; --heads: 1.5em; --between: 6px; }
  .map { position: relative; font: 0.66em/1 var(--mono); color: var(--muted); }
  /* One height whatever the batch: nothing below moves while it is dragged. */
  .tracks { display: grid; height: 26em; grid-template-columns: 2.3em repeat(var(--cols), minmax(0, 1fr)); }
  .overlay { position: absolute; inset: 0; pointer-events: none; }
  .line { display: contents; }
  .corner { grid-area: 1 / 1; }
  .col-head { display: flex; align-items: center; justify-content: center; }
  .row-head { position: relative; }
  .cell { min-width: 0; min-height: 0; background: var(--fill); cursor: pointer; }
  .numbers .cell, .dyt .cell { border: solid var(--card); border-width: 0 1px 1px 0; }
  .dyt.shared .cell { border: 1px solid var(--outline); margin: 0 1px 1px 0; border-radius: 2px; }
  .map .cell.padding { border-color: transparent; background: none; }
  .hatch { margin-inline-end: 1px; background: repeating-linear-gradient(135deg, transparent 0 4px, var(--outline) 4px 5px); opacity: 0.75; }
  .cell.wrong { background: repeating-linear-gradient(-45deg, transparent 0 2px, var(--warning) 2px 4px), var(--card); }
  .cell:focus-visible { outline: 3px solid var(--focus); outline-offset: -1px; z-index: 1; }
  .bracket { display: flex; align-items: center; margin: 1px 0.35em 1px 0; padding-inline-start: 0.25em; font-weight: 400; border: solid var(--outline); border-width: 1px 0 1px 1px; border-radius: 3px 0 0 3px; }
  .marker { display: flex; align-items: center; justify-content: flex-end; padding-inline-end: 0.1em; overflow: visible; font-size: 1.15em; color: var(--ink); }
  .share { margin: 0 1px 1px 0; border: 1px solid var(--outline); border-radius: 3px; }
  .from { margin: -1px 0 0 -1px; border: 2px solid var(--ink); border-radius: 4px; box-shadow: 0 0 0 1px var(--card); }
  .point { margin: 0 1px 1px 0; border-radius: 3px; box-shadow: 0 0 0 1px var(--card), inset 0 0 0 2px var(--focus); }
  @media (forced-colors: active) { .cell { forced-color-adjust: none; } .share, .from { border-color: CanvasText; } }
`];
