// The package as it is imported: typed arrays in, fresh arrays out, all copies included.
import { EPS, flatGradients } from "../tasks.mjs";

/** The call of an operation, whose results are named as the reference's. */
function callOf(an, { op, size, inputs }) {
  const { cols, dFf, heads, layers } = size;
  const { x, fx, dy, gamma, beta, weight, bias, blocks } = inputs;
  const options = { cols, gamma, beta, eps: EPS };
  const encoder = { dModel: cols, heads, dFf, eps: EPS, weights: blocks };
  switch (op) {
    case "layer_norm": return () => an.layerNorm(x, options);
    case "rms_norm": return () => an.rmsNorm(x, { cols, gamma, eps: EPS });
    case "add_norm": return () => an.addNorm(x, fx, options);
    case "layer_norm_backward": return () => an.layerNormBackward(x, dy, { cols, gamma, eps: EPS });
    case "linear": return () => ({ y: an.linear(x, { weight, bias, inFeatures: cols, outFeatures: cols }) });
    case "attention": {
      // A block whose feed-forward has one unit takes no longer than its attention.
      const zeros = new Float32Array(cols);
      const { attnInWeight, attnInBias, attnOutWeight, attnOutBias } = blocks[0];
      const feedForward = { ffnUpWeight: zeros, ffnUpBias: [0], ffnDownWeight: zeros, ffnDownBias: zeros };
      const weights = { attnInWeight, attnInBias, attnOutWeight, attnOutBias, ...feedForward };
      const config = { ...encoder, dFf: 1, residual: "none", norm: "none", weights };
      return () => ({ y: an.block(x, config).steps.find((step) => step.op === "attention").data });
    }
    case "block": return () => ({ y: an.block(x, encoder).steps.at(-1).data });
    case "stack_backward": {
      const config = { ...encoder, layers, backward: true, dy };
      return () => {
        const { backward, grads } = an.stack(x, config);
        return { dx: backward[0].gradient, grads };
      };
    }
  }
}

/** The outputs that the reference has, without mean, rstd and the like. */
function compared(op, result) {
  if (op === "stack_backward") return flatGradients(result);
  const { y, sum, dx, dgamma, dbeta } = result;
  return Object.fromEntries(Object.entries({ y, sum, dx, dgamma, dbeta }).filter(([, values]) => values));
}

/** @param an what load() gave */
export function apiContender(an) {
  return {
    prepare(task) {
      const call = callOf(an, task);
      return [{ contender: "addnorm-api", call, outputs: () => compared(task.op, call()) }];
    },
  };
}
