/** The views, each with its parts in files of its own: a first visit fetches one. */
import { html, type TemplateResult } from "lit";
import type { Extent } from "../elements/parts/addnorm-element.js";
import type { ViewClass } from "../elements/parts/standalone.js";
import { load } from "../lib/index.js";
import type { State } from "../state/schema.js";
import type { Store } from "../state/store.js";

export const viewClasses: Readonly<Record<State["view"], () => Promise<ViewClass>>> = {
  residual: async () => (await import("../elements/residual.js")).AddnormResidual,
  tokens: async () => (await import("../elements/tokens.js")).AddnormTokens,
  chain: async () => (await import("../elements/chain.js")).AddnormChain,
  depth: async () => (await import("../elements/depth.js")).AddnormDepth,
  compare: async () => (await import("../elements/compare.js")).AddnormCompare,
};

/** The element of a view, driven by a store. */
export function viewElement(view: State["view"], store: Store, controls: Extent = "none"): TemplateResult {
  switch (view) {
    case "residual": return html`<addnorm-residual .store=${store} .controls=${controls}></addnorm-residual>`;
    case "tokens": return html`<addnorm-tokens .store=${store} .controls=${controls}></addnorm-tokens>`;
    case "chain": return html`<addnorm-chain .store=${store} .controls=${controls}></addnorm-chain>`;
    case "depth": return html`<addnorm-depth .store=${store} .controls=${controls}></addnorm-depth>`;
    case "compare": return html`<addnorm-compare .store=${store} .controls=${controls}></addnorm-compare>`;
  }
}

/** Sends for the kernels and a view while the language is on its way. What fails is asked for again, and told then. */
export function sendFor(view: State["view"]): void {
  for (const coming of [load(), viewClasses[view]()]) coming.catch(() => {});
}
