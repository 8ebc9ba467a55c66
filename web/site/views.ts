/** The views, each with its parts in files of its own: a first visit fetches one. */
import type { ViewClass } from "../elements/parts/standalone.js";
import { load } from "../lib/index.js";
import type { State } from "../state/schema.js";

export const viewClasses: Readonly<Record<State["view"], () => Promise<ViewClass>>> = {
  residual: async () => (await import("../elements/residual.js")).AddnormResidual,
  tokens: async () => (await import("../elements/tokens.js")).AddnormTokens,
  chain: async () => (await import("../elements/chain.js")).AddnormChain,
  depth: async () => (await import("../elements/depth.js")).AddnormDepth,
  compare: async () => (await import("../elements/compare.js")).AddnormCompare,
};

/** Sends for the kernels and a view while the language is on its way. What fails is asked for again, and told then. */
export function sendFor(view: State["view"]): void {
  for (const coming of [load(), viewClasses[view]()]) coming.catch(() => {});
}
