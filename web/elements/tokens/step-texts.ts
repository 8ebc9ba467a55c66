/** What the steps are called, as the norm and its conventions have them; symbols only, so in no language. */
import type { TokensResult } from "../../state/compute.js";
import type { State } from "../../state/schema.js";
import type { StepPill } from "../parts/stepper.js";

function stepText(state: State, step: number): string {
  const rms = state.norm === "rms";
  switch (step) {
    case 1: return "x − μ";
    case 2: return rms ? "÷ √(RMS² + ε)" : state.epsPlacement === "inside" ? "÷ √(σ² + ε)" : "÷ (σ + ε)";
    case 3: return rms ? (state.gammaOffset ? "× (1 + γ)" : "× γ") : "× γ + β";
    default: return "x";
  }
}

export const stepTexts = (state: State, result: TokensResult): StepPill[] =>
  result.steps.map(({ step }) => ({ step, text: stepText(state, step) }));
