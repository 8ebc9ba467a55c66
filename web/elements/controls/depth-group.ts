/** The numbers of the depth view: the size and the seed of what goes through its stacks. */
import { html, type TemplateResult } from "lit";
import { group, numberField, type ControlsContext } from "./groups.js";

export function depthGroup(context: ControlsContext): TemplateResult {
  const { depth: text, controls } = context.text;
  return group(controls.numbers, html`
    ${numberField(context, "depthTokens", { label: controls.tokens, step: 1 })}
    ${numberField(context, "depthFeatures", { label: controls.features, step: 1 })}
    ${numberField(context, "depthWidening", { label: text.widening, hint: text.wideningHint, step: 1 })}
    ${numberField(context, "seed", { label: controls.seed, hint: controls.seedHint, step: 1 })}`);
}
