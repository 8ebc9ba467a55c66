/** What the share dialog copies: a link, a frame and an element for a state. */
import type { Extent } from "../elements/parts/addnorm-element.js";
import { linkState, staysHere } from "../state/link-state.js";
import { attributeName, initialState, lineOf, sameValue, stateKeys, type State } from "../state/schema.js";
import { formatHash } from "../state/url.js";
import { frameScript } from "./frame-script.js";

/** Until a frame tells its height: that of each view in a column of 720 pixels. */
const heights: Readonly<Record<State["view"], number>> = { residual: 3680, tokens: 1210, chain: 1010, depth: 1330, compare: 3270 };

/** What an element takes in the widest column, so that its room is never larger than what is drawn there. */
const least: Readonly<Record<State["view"], number>> = { residual: 2200, tokens: 700, chain: 900, depth: 800, compare: 1900 };

export const link = (page: string, state: State): string => page + formatHash(linkState(state));

const escaped = (text: string): string => text.replace(/[&"<]/g, (character) => ({ "&": "&amp;", '"': "&quot;", "<": "&lt;" })[character]!);

/** `folder` ends with "/". */
export function frame(folder: string, state: State, controls: Extent, title: string): string {
  const shown = linkState(state);
  const keys = formatHash(shown).slice(1).split("&").filter((pair) => pair && !pair.startsWith("view="));
  const query = [`view=${shown.view}`, ...keys, ...(controls === "none" ? [] : [`controls=${controls}`])].join("&");
  return `<iframe src="${escaped(`${folder}embed.html?${query}`)}" title="${escaped(title)}"
  loading="lazy" style="width: 100%; height: ${heights[shown.view]}px; border: 0"></iframe>
${frameScript}`;
}

/** Numbers that no link can carry are given to the element by a script, from a file beside the page. */
export function element(folder: string, state: State, controls: Extent): string {
  const shown = linkState(state);
  const tag = `addnorm-${shown.view}`;
  const keys = stateKeys.filter((key) => key !== "view" && !sameValue(key, shown[key], initialState[key]));
  const attributes = keys.map((key) => ` ${attributeName(key)}="${escaped(lineOf(key).format(shown[key]))}"`);
  if (controls !== "none") attributes.push(` controls="${controls}"`);
  const lines = [`<script type="module" src="${escaped(`${folder}package/elements.js`)}"></script>`, `<${tag}${attributes.join("")} style="display: block; min-height: ${least[shown.view]}px"></${tag}>`];
  if (staysHere(state)) lines.push('<script type="module">', `  document.querySelector("${tag}").x = await (await fetch("numbers.json")).json();`, "</script>");
  return lines.join("\n");
}
