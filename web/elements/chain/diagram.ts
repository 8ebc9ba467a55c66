/** One wiring as a diagram: the steps from top to bottom, the skip connections as lines at the left. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { ChainNode } from "../../state/compute.js";
import type { State } from "../../state/schema.js";
import { nodeLabel, wiringLabel, type Wiring } from "./labels.js";
import { formatFor, type NumberFormat } from "../parts/format.js";
import type { Theme } from "../parts/theme.js";

export interface Diagram {
  readonly wiring: Wiring;
  readonly nodes: readonly ChainNode[];
  readonly state: State;
  readonly text: Messages;
  readonly theme: Theme;
  /** The value with the full colour, the same for all thumbnails. */
  readonly largest: number;
  /** The node under the pointer or the focus. */
  readonly pointed: string;
}

export const diagramStyles = css`
  .diagram { --node: 4em; --gap: 1.2em; --rail: 2.15em; position: relative; list-style: none; margin: 0; padding: 0 0 0 var(--rail); display: grid; gap: var(--gap); }
  .diagram > li { position: relative; min-width: 0; }
  .node {
    display: grid; grid-template-columns: 5.75em minmax(0, 1fr) auto; align-items: center; gap: 0.75em; width: 100%; height: var(--node);
    padding: 0 0.75em; text-align: start; cursor: pointer; background: var(--card); border: 1px solid var(--hairline); border-left: 3px solid var(--role); border-radius: 6px;
  }
  .node:hover, .node.reads { border-color: var(--outline); border-left-color: var(--role); }
  .node.reads { background: var(--quiet); }
  .node[aria-expanded="true"] { border-color: var(--focus); border-left-color: var(--role); box-shadow: 0 0 0 1px var(--focus); }
  .node.input, .node.sum { --role: var(--stream); } .node.sublayer, .node.branches { --role: var(--branch); } .node.norm { --role: var(--statistic); }
  .node.last { --role: var(--ink); }
  .node addnorm-thumbnail { height: 2.9em; }
  .words { min-width: 0; }
  .name { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 0.6em; font-size: 0.9em; font-weight: 650; line-height: 1.4; }
  .tag { white-space: nowrap; font-weight: 400; font-size: 0.85em; color: var(--muted); }
  .caption { display: block; font-size: 0.75em; color: var(--muted); line-height: 1.4; overflow-wrap: anywhere; }
  .figures { font-size: 0.75em; line-height: 1.2; text-align: end; color: var(--statistic); white-space: pre; }
  .wire { position: absolute; bottom: 100%; left: 2.8em; height: var(--gap); border-left: 2px solid var(--hairline); }
  .wire.dashed { border-left: 2px dashed var(--outline); }
  .wire.lit { border-left-color: var(--stream); }
  .joins { position: absolute; bottom: 100%; left: 3.6em; height: var(--gap); display: flex; align-items: center; color: var(--muted); white-space: pre; }
  .joins > span { font-size: 0.7em; }
  .skip {
    position: absolute; left: calc(0.5em - var(--rail)); width: calc(var(--rail) - 0.5em); pointer-events: none;
    border: 2px solid var(--stream); border-right: 0; border-radius: 0.6em 0 0 0.6em;
    top: calc(var(--node) / 2 - 1px - var(--above) * (var(--node) + var(--gap)) + var(--leave));
    height: calc(var(--above) * (var(--node) + var(--gap)) - var(--leave) - var(--enter) + 2px);
  }
  .skip.lit { border-color: var(--focus); }
  .plus {
    position: absolute; left: -0.5em; top: calc(var(--node) / 2 - var(--enter) - 0.5em); width: 1em; height: 1em; border-radius: 50%; pointer-events: none;
    display: grid; place-items: center; background: var(--card); border: 2px solid var(--stream); color: var(--stream);
  }
  .plus::before { content: "+"; font-size: 0.8em; font-weight: 700; line-height: 1; }
  @container (min-width: 40em) and (max-width: 54em) {
    .node { grid-template-columns: 3.5em minmax(0, 1fr) auto; gap: 0.6em; }
    .wire { left: 2.2em; }
    .joins { left: 2.9em; }
  }
  @container (max-width: 30em) {
    .diagram { --rail: 1.7em; }
    .node { grid-template-columns: 3em minmax(0, 1fr) auto; gap: 0.6em; padding: 0 0.6em; }
    .wire { left: 1.9em; }
    .joins { left: 2.6em; }
  }
  .fork { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.6em; }
  .fork > div { position: relative; min-width: 0; }
  .wire.second { left: calc(50% + 3.1em); }
  .fork .node { grid-template-columns: minmax(0, 1fr) auto; gap: 0.4em; padding: 0 0.5em; }
  .fork addnorm-thumbnail { display: none; }
  .fork .caption { font-size: 0.7em; line-height: 1.25; }
  .wiring .card-head code { flex-basis: 100%; font-size: 0.75em; color: var(--muted); }
`;

export function diagram(context: Diagram): TemplateResult {
  const { wiring, nodes, state, text } = context;
  const { formula, code } = wiringLabel(wiring, state);
  const title = (state.norm === "layer" ? text.chain.title : text.chain.rmsTitle)[wiring];
  return html`<section part="card" class="card" data-wiring=${wiring}>
    <div class="card-head"><h2>${title}</h2><span class="aside mono">${formula}</span>${code ? html`<code class="mono">${code}</code>` : nothing}</div>
    <ol class="diagram" aria-label=${text.chain.diagramLabel[wiring]}>
      ${rowsOf(nodes).map((row, i, rows) => line(context, row, i, rows))}
    </ol>
  </section>`;
}

/** A long name may break after an underscore; d_ff stays whole. */
const breakable = (name: string): TemplateResult[] => name.split(/(?<=\w\w_)/).map((part) => html`${part}<wbr>`);

const OFFSET = "0.4em";

type Row = readonly ChainNode[];

/** Nodes that read the same norm stand side by side. */
function rowsOf(nodes: readonly ChainNode[]): Row[] {
  const rows: ChainNode[][] = [];
  for (const node of nodes) {
    const last = rows.at(-1);
    if (last?.[0]!.op === "sublayer" && node.op === "sublayer") last.push(node);
    else rows.push([node]);
  }
  return rows;
}

function line(context: Diagram, row: Row, index: number, rows: readonly Row[]): TemplateResult {
  const above = rows[index - 1]?.[0];
  const last = index === rows.length - 1;
  const step = (node: ChainNode): TemplateResult => html`${above ? wire(context, node, above) : nothing}${button(context, node, last)}`;
  if (row.length > 1) return html`<li class="fork">${row.map((node) => html`<div>${step(node)}</div>`)}</li>`;
  return html`<li>${step(row[0]!)}${row[0]!.op === "sum" ? skip(context, row[0]!, index, rows) : nothing}</li>`;
}

function button(context: Diagram, node: ChainNode, last: boolean): TemplateResult {
  const { nodes, state, text, pointed } = context;
  const { name, tag, caption } = nodeLabel(node, state, text);
  const open = state.node === node.id;
  const pointedInputs = nodes.find(({ id }) => id === pointed)?.inputs ?? [];
  const role = `${node.op}${last ? " last" : ""}`;
  return html`<button type="button" class="node ${role} ${pointedInputs.includes(node.id) ? "reads" : ""}" data-node=${node.id} aria-expanded=${open} aria-controls=${open ? "detail" : nothing}>
      <addnorm-thumbnail .source=${{ data: node.data, rows: node.rows, cols: node.cols, largest: context.largest }} .theme=${context.theme}></addnorm-thumbnail>
      <span class="words"><span class="name">${name}${tag ? html`<span class="tag">${tag}</span>` : nothing}</span>${caption ? html`<span class="caption mono">${breakable(caption)}</span>` : nothing}</span>
      <span class="figures mono">${figures(node, state)}</span>
    </button>`;
}

/** μ and σ of all numbers of the matrix; for RMSNorm the root mean square in place of σ. */
function figures({ whole }: ChainNode, { norm }: State): string {
  const [symbol, spread] = norm === "layer" ? ["σ", whole.std] : ["rms", whole.rms];
  const format = formatFor(Math.max(Math.abs(whole.mean), spread, 1));
  return `μ ${format(whole.mean)}\n${symbol} ${format(spread)}`;
}

/** The line from the step above, and how large what it carries is; dashed where a drawn output does not read it. */
function wire({ nodes, state, text, pointed }: Diagram, node: ChainNode, above: ChainNode): TemplateResult {
  const dashed = node.op === "sublayer" && state.sublayers === "simulated";
  const lit = pointed === node.id && node.inputs.includes(above.id) && !dashed;
  return html`<span class="wire ${dashed ? "dashed" : ""} ${lit ? "lit" : ""}" aria-hidden="true"></span>
    ${node.op === "branches" ? html`<span class="wire second ${lit ? "lit" : ""}" aria-hidden="true"></span>` : nothing}
    ${dashed ? nothing : carried(node, node.inputs.map((id) => nodes.find((other) => other.id === id)!), text)}`;
}

/** The root mean square of each input: of one, or of both sides of a sum. */
function carried(node: ChainNode, inputs: readonly ChainNode[], { chain }: Messages): TemplateResult {
  const format: NumberFormat = formatFor(Math.max(...inputs.map(({ whole }) => whole.rms), 1));
  const [first, second] = inputs.map(({ whole }) => format(whole.rms));
  const role = inputs[0]!.op === "sublayer" ? "branch" : inputs[0]!.op === "norm" && node.op === "sublayer" ? "statistic" : "stream";
  const title = second === undefined ? chain.rootMeanSquare(first!) : (node.op === "sum" ? chain.joins : chain.joinsBranches)(first!, second);
  return html`<span class="joins mono" title=${title}><span>rms <span class=${role}>${first}</span>${second === undefined ? nothing : html` + <span class="branch">${second}</span>`}</span></span>`;
}

/** From the step that the sum takes its stream from; where one skip ends and the next begins, they stand apart. */
function skip({ nodes, pointed }: Diagram, node: ChainNode, index: number, rows: readonly Row[]): TemplateResult {
  const from = rows.findIndex(([first]) => first!.id === node.inputs[0]);
  const leave = rows[from]![0]!.op === "sum" ? OFFSET : "0em";
  const enter = nodes.some(({ op, inputs }) => op === "sum" && inputs[0] === node.id) ? OFFSET : "0em";
  const style = `--above: ${index - from}; --leave: ${leave}; --enter: ${enter}`;
  return html`<span class="skip ${pointed === node.id ? "lit" : ""}" aria-hidden="true" .style=${style}></span>
    <span class="plus" aria-hidden="true" .style=${style}></span>`;
}
