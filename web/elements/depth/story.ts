/** The order in which the view is told: each step brings its lines, and the last one its depth. */
import type { DepthVariant } from "../../state/depth-variants.js";
import { initialState, type State } from "../../state/schema.js";

export const STEPS = 4;
const DEEP = 96;

const lines: readonly (readonly DepthVariant[])[] = [["plain"], ["plain", "skip"], ["plain", "skip", "post", "pre"], ["plain", "post", "pre", "deepNorm"]];

/** The lines that a step is about. */
export const subjects: readonly (readonly DepthVariant[])[] = [["plain"], ["plain", "skip"], ["post", "pre"], ["post", "pre"]];

/** Settings that a reader made stay as they are, but for the depth, which the last step is about. */
export function storyStep(step: number, { depthStep, layers }: State): Partial<State> {
  const depth = step === STEPS - 1 ? Math.max(layers, DEEP) : depthStep === STEPS - 1 ? initialState.layers : layers;
  return { depthStep: step, depthVariants: lines[step]!, layers: depth };
}
