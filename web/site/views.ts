/** The views, each with its parts in files of its own: a first visit fetches one. */
import type { ViewClass } from "../elements/parts/standalone.js";
import type { State } from "../state/schema.js";

export const viewClasses: Readonly<Record<State["view"], () => Promise<ViewClass>>> = {
  residual: async () => (await import("../elements/residual.js")).AddnormResidual,
  tokens: async () => (await import("../elements/tokens.js")).AddnormTokens,
  chain: async () => (await import("../elements/chain.js")).AddnormChain,
  depth: async () => (await import("../elements/depth.js")).AddnormDepth,
  compare: async () => (await import("../elements/compare.js")).AddnormCompare,
};

/** Sends for a view while the language is on its way. When that fails it is asked for again, and told then. */
export const sendFor = (view: State["view"]): void => void viewClasses[view]().catch(() => {});
