/** The frame: header, sidebar and main column. */
import { css } from "lit";
import { baseStyles } from "../elements/parts/theme.js";

export const pageStyles = [baseStyles, css`
  .root { min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--ground); }
  header { background: var(--card); border-bottom: 1px solid var(--hairline); }
  .bar, .body { width: 100%; max-width: 104em; margin-inline: auto; }
  .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em 1.25em; min-height: 3.5em; padding: 0.5em 1.5em; }
  h1 { margin: 0; font-size: 0.95em; font-weight: 700; white-space: nowrap; }
  nav { display: flex; gap: 0.15em; }
  nav a { padding: 0.45em 0.8em; font-size: 0.95em; line-height: 1.4; color: var(--muted); text-decoration: none; border-radius: 7px; }
  nav a:hover { color: var(--ink); }
  nav a[aria-current] { color: var(--ink); font-weight: 650; background: var(--quiet); }
  .tools { display: flex; gap: 0.5em; margin-inline-start: auto; }
  .tools .button { font-size: 0.85em; }
  .body { flex: 1; display: grid; grid-template-columns: 16.5em minmax(0, 1fr); }
  aside { padding: 1.5em 1.3em 2em 1.5em; border-inline-end: 1px solid var(--hairline); }
  main { padding: 1.4em 1.75em 3em; min-width: 0; outline-offset: -2px; }
  main:focus-visible { outline-color: transparent; }
  .skip { position: absolute; inset-inline-start: 0.5em; top: -4em; z-index: 3; padding: 0.5em 1em; background: var(--card); border: 1px solid var(--outline); border-radius: 7px; color: var(--ink); }
  .skip:focus { top: 0.5em; }
  .notices { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5em 1em; margin-bottom: 1.2em; padding: 0.6em 0.8em 0.6em 1em; font-size: 0.85em; color: var(--warning); background: var(--card); border: 1px solid var(--warning); border-radius: 8px; }
  .notices ul { margin: 0; padding: 0; list-style: none; min-width: 0; overflow-wrap: anywhere; }
  .drop { position: fixed; inset: 0; z-index: 4; display: grid; place-items: center; padding: 1em; background: color-mix(in srgb, var(--ground) 85%, transparent); outline: 3px dashed var(--focus); outline-offset: -1em; pointer-events: none; }
  .drop p { font-size: 1.1em; font-weight: 650; text-align: center; }
  @media (max-width: 59.99rem) {
    .body { display: block; }
    aside { padding: 0.9em 1.5em 0; border: 0; }
    main { padding-inline: 1.5em; }
    .bar { padding-block: 0.6em; }
  }
  @media (max-width: 36rem) {
    .bar { padding-inline: 1em; column-gap: 0.6em; }
    .tools { gap: 0.35em; }
    .tools .button { padding-inline: 0.6em; font-size: 0.8em; }
    nav { order: 1; flex-basis: 100%; flex-wrap: wrap; justify-content: space-between; }
    nav a { padding-inline: 0.3em; font-size: 0.86em; }
    aside { padding-inline: 1em; }
    main { padding: 1.1em 1em 2em; }
  }
`];
