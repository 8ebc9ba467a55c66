/** Colours, type and the few shared shapes: the only place where a colour is written. */
import { css, unsafeCSS, type CSSResult } from "lit";

export type Theme = "light" | "dark";

/** Colour roles, light then dark. Contrast is tested: 4.5:1 for text roles, 3:1 for marks. */
export const colours = {
  ground: ["#fbfbf9", "#14171b"],
  card: ["#ffffff", "#1b1f25"],
  /** A quiet fill: pressed segments, the question box, hovered rows. */
  quiet: ["#f0f0ee", "#262b33"],
  hairline: ["#e2e4e1", "#2c323a"],
  /** The outline of a control, which must be seen (3:1). */
  outline: ["#868e97", "#707b88"],
  ink: ["#1c2127", "#e8eaec"],
  muted: ["#5b6570", "#9aa5b1"],
  stream: ["#3d5068", "#a9bdd6"],
  branch: ["#a05c08", "#e5a23d"],
  statistic: ["#6a45c9", "#b19bff"],
  parameter: ["#137455", "#5cc9a0"],
  /** Bars that are not chosen. */
  bar: ["#7a869a", "#6b7b90"],
  /** The band of one sigma around the mean. */
  band: ["#efebfa", "#2b2a3b"],
  focus: ["#1a62d6", "#7db0ff"],
  warning: ["#9c3a12", "#ffb38a"],
  /** Lines in one chart, told apart without hue, too: each has its own marker and dash. */
  series0: ["#c94a06", "#ff8d52"],
  series1: ["#97700a", "#dcb23e"],
  series2: ["#96398f", "#d88ee2"],
  series3: ["#0a69b0", "#62a9ff"],
  series4: ["#007f5c", "#3fd0a0"],
  series5: ["#2389b3", "#92d8f5"],
  series6: ["#4b5661", "#c3ccd6"],
  series7: ["#c8497f", "#ff9fc8"],
  heatNegative: ["#2f6db3", "#5b9be0"],
  heatZero: ["#f6f5f2", "#242a31"],
  heatPositive: ["#b8352a", "#e2695c"],
} as const satisfies Record<string, readonly [string, string]>;

export type Colour = keyof typeof colours;

export const colour = (name: Colour, theme: Theme): string => colours[name][theme === "light" ? 0 : 1];

/** The fills of cells that share one of many statistics: neighbours differ in hue by the golden angle, and in lightness. */
export function shareFill(index: number, theme: Theme): string {
  const [even, odd, chroma] = theme === "light" ? [0.9, 0.84, 0.062] : [0.45, 0.37, 0.07];
  return `oklch(${index % 2 ? odd : even} ${chroma} ${((index * 137.508 + 290) % 360).toFixed(1)})`;
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The role's colour in a style or a picture, whatever the theme. */
export const paint = (name: Colour): string => `var(--${kebab(name)})`;

/** The custom properties of a theme as declarations: --ink, --heat-negative and so on. */
export function themeDeclarations(theme: Theme, value: (name: string, initial: string) => string = (_, initial) => initial): string {
  const lines = (Object.keys(colours) as Colour[]).map((name) => `--${kebab(name)}: ${value(kebab(name), colour(name, theme))};`);
  return [`color-scheme: ${theme};`, ...lines, `--sans: ${value("sans", sans)};`, `--mono: ${value("mono", mono)};`].join(" ");
}

/** What a host page may give as --addnorm-ink and so on. The heatmaps' scale is not: their numbers must stay legible on it. */
const givenOr = (name: string, initial: string): string => (name.startsWith("heat") ? initial : `var(--addnorm-${name}, ${initial})`);

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", sans-serif';
const mono = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono", monospace';

const themed = (selector: string): CSSResult => unsafeCSS(`
  ${selector} { ${themeDeclarations("light", givenOr)} }
  ${selector}[data-theme="dark"] { ${themeDeclarations("dark", givenOr)} }
`);

/** Shapes and roles for all that stands inside a .root: the views, and the parts that inherit its colours. */
export const partStyles = css`
  *, ::before, ::after { box-sizing: border-box; }
  h2, h3, p, dl, dd, figure { margin: 0; }
  button, input, select, textarea { font: inherit; color: inherit; }
  :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
  .mono { font-family: var(--mono); font-variant-numeric: tabular-nums; }
  .stream { color: var(--stream); } .branch { color: var(--branch); }
  .statistic { color: var(--statistic); } .parameter { color: var(--parameter); }
  .muted { color: var(--muted); }
  .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .card { background: var(--card); border: 1px solid var(--hairline); border-radius: 8px; padding: 1.1em 1.15em; min-width: 0; }
  @container (max-width: 27em) { .card { padding: 0.85em 0.75em; } }
  .card-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0.2em 1em; margin-bottom: 0.9em; }
  .card-head h2, .card-head h3 { font-size: 0.9em; font-weight: 650; }
  .card-head .aside { font-size: 0.75em; color: var(--muted); }
  .lead { max-width: 66ch; font-size: 0.95em; }
  .lead strong { font-weight: 650; }
  .button {
    min-height: 2.15em; padding: 0.3em 0.85em; font-size: 0.9em; line-height: 1.4; cursor: pointer;
    color: var(--ink); background: var(--card); border: 1px solid var(--hairline); border-radius: 7px;
  }
  .button:hover:not(:disabled) { background: var(--quiet); }
  .button:disabled { color: var(--muted); cursor: default; }
  .question { max-width: 66ch; padding: 0.55em 1em; font-size: 0.95em; background: var(--quiet); border-left: 3px solid var(--statistic); border-radius: 0 8px 8px 0; }
  .problem { max-width: 66ch; font-size: 0.85em; color: var(--warning); }
  .notices { margin-bottom: 0.9em; }
  @media (forced-colors: active) { .button, .card { border-color: CanvasText; } }
`;

/**
 * Base styles of every view. All of it hangs on the inner .root, which the host page's rules cannot reach;
 * sizes are in em from the reader's own default size, whatever the host page does to its root.
 */
export const baseStyles = css`
  :host { display: block !important; }
  :host([hidden]) { display: none !important; }
  /* direction is the one inherited property that "all" leaves alone. */
  .root { all: initial; direction: ltr; display: block; }
  ${themed(".root")}
  .root { font: 400 var(--addnorm-font-size, medium) / 1.5 var(--sans); color: var(--ink); }
  .root.panel { padding: 1.2em; background: var(--ground); border-radius: 10px; }
  ${partStyles}
`;

/** The same colours for a whole document, before any script has run: html[data-theme] decides, else the system. */
export const documentThemeCss = `
:root { ${themeDeclarations("light")} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${themeDeclarations("dark")} } }
:root[data-theme="dark"] { ${themeDeclarations("dark")} }
`;

/** What "auto" means now. */
export function resolveTheme(wanted: "auto" | Theme): Theme {
  if (wanted !== "auto") return wanted;
  return darkQuery()?.matches ? "dark" : "light";
}

/** Calls back when the system's preference changes; returns the function that ends it. */
export function onSystemTheme(callback: () => void): () => void {
  const query = darkQuery();
  query?.addEventListener("change", callback);
  return () => query?.removeEventListener("change", callback);
}

const darkQuery = (): MediaQueryList | undefined => globalThis.matchMedia?.("(prefers-color-scheme: dark)");

export const reducedMotion = (): boolean => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
