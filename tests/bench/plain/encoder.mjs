// Linear maps, attention and post-norm encoder blocks in plain loops, forward and backward, in PyTorch's layouts: over
// Float64Array the double reference, over Float32Array the contender "js". `Kind` is the type of the arrays that are made.
import { layerNorm, layerNormBackward } from "./norms.mjs";

/** y = x W^T + b, W is outFeatures x inFeatures. */
export function linear(Kind, { x, weight, bias }, inFeatures) {
  const rows = x.length / inFeatures;
  const outFeatures = bias.length;
  const y = new Kind(rows * outFeatures);
  for (let r = 0; r < rows; r++) {
    for (let o = 0; o < outFeatures; o++) {
      let sum = bias[o];
      for (let i = 0; i < inFeatures; i++) sum += x[r * inFeatures + i] * weight[o * inFeatures + i];
      y[r * outFeatures + o] = sum;
    }
  }
  return y;
}

/** dx = dy W, dweight = dy^T x, dbias = sum of dy's rows. */
function linearBackward(Kind, { x, dy, weight }, inFeatures) {
  const rows = x.length / inFeatures;
  const outFeatures = weight.length / inFeatures;
  const dx = new Kind(x.length);
  const dweight = new Kind(weight.length);
  const dbias = new Kind(outFeatures);
  for (let r = 0; r < rows; r++) {
    for (let o = 0; o < outFeatures; o++) {
      const g = dy[r * outFeatures + o];
      dbias[o] += g;
      for (let i = 0; i < inFeatures; i++) {
        dx[r * inFeatures + i] += g * weight[o * inFeatures + i];
        dweight[o * inFeatures + i] += g * x[r * inFeatures + i];
      }
    }
  }
  return { dx, dweight, dbias };
}

/** One head's softmax(q k^T / sqrt(width)) of one row i, into `weights`. `at` is where the head begins in a row of qkv. */
function attentionRow(qkv, d, tokens, i, at, width, weights) {
  const scale = 1 / Math.sqrt(width);
  let largest = -Infinity;
  for (let j = 0; j < tokens; j++) {
    let sum = 0;
    for (let c = 0; c < width; c++) sum += qkv[i * 3 * d + at + c] * qkv[j * 3 * d + d + at + c];
    weights[j] = sum * scale;
    largest = Math.max(largest, weights[j]);
  }
  let total = 0;
  for (let j = 0; j < tokens; j++) {
    weights[j] = Math.exp(weights[j] - largest);
    total += weights[j];
  }
  for (let j = 0; j < tokens; j++) weights[j] /= total;
}

/** Multi-head self-attention (arXiv:1706.03762, section 3.2), and what its backward pass needs. */
export function attention(Kind, { rows: tokens, cols: d, heads }, x, w) {
  const width = d / heads;
  const qkv = linear(Kind, { x, weight: w.attnInWeight, bias: w.attnInBias }, d);
  const weights = new Kind(heads * tokens * tokens);
  const context = new Kind(tokens * d);
  for (let head = 0; head < heads; head++) {
    for (let i = 0; i < tokens; i++) {
      const row = weights.subarray((head * tokens + i) * tokens, (head * tokens + i + 1) * tokens);
      attentionRow(qkv, d, tokens, i, head * width, width, row);
      for (let j = 0; j < tokens; j++) {
        for (let c = 0; c < width; c++) context[i * d + head * width + c] += row[j] * qkv[j * 3 * d + 2 * d + head * width + c];
      }
    }
  }
  return { y: linear(Kind, { x: context, weight: w.attnOutWeight, bias: w.attnOutBias }, d), qkv, weights, context };
}

function attentionBackward(Kind, { rows: tokens, cols: d, heads }, x, w, { qkv, weights, context }, dy) {
  const width = d / heads;
  const scale = 1 / Math.sqrt(width);
  const out = linearBackward(Kind, { x: context, dy, weight: w.attnOutWeight }, d);
  const dqkv = new Kind(qkv.length);
  const dweights = new Kind(tokens);
  for (let head = 0; head < heads; head++) {
    const at = head * width;
    for (let i = 0; i < tokens; i++) {
      const row = weights.subarray((head * tokens + i) * tokens, (head * tokens + i + 1) * tokens);
      let product = 0;
      for (let j = 0; j < tokens; j++) {
        dweights[j] = 0;
        for (let c = 0; c < width; c++) {
          const g = out.dx[i * d + at + c];
          dweights[j] += g * qkv[j * 3 * d + 2 * d + at + c];
          dqkv[j * 3 * d + 2 * d + at + c] += row[j] * g;
        }
        product += dweights[j] * row[j];
      }
      for (let j = 0; j < tokens; j++) {
        const dscore = row[j] * (dweights[j] - product) * scale;
        for (let c = 0; c < width; c++) {
          dqkv[i * 3 * d + at + c] += dscore * qkv[j * 3 * d + d + at + c];
          dqkv[j * 3 * d + d + at + c] += dscore * qkv[i * 3 * d + at + c];
        }
      }
    }
  }
  const inner = linearBackward(Kind, { x, dy: dqkv, weight: w.attnInWeight }, d);
  const grads = { attnInWeight: inner.dweight, attnInBias: inner.dbias, attnOutWeight: out.dweight, attnOutBias: out.dbias };
  return { dx: inner.dx, grads };
}

function added(Kind, a, b) {
  const sum = new Kind(a.length);
  for (let i = 0; i < a.length; i++) sum[i] = a[i] + b[i];
  return sum;
}

/** norm2(h + feedForward(h)) for h = norm1(x + attention(x)), as torch.nn.TransformerEncoderLayer, and what its backward pass needs. */
export function block(Kind, size, x, w) {
  const { cols: d, dFf } = size;
  const attended = attention(Kind, size, x, w);
  const sum1 = added(Kind, x, attended.y);
  const norm1 = layerNorm(Kind, size, { x: sum1, gamma: w.norm1Gamma, beta: w.norm1Beta }).y;
  const activated = linear(Kind, { x: norm1, weight: w.ffnUpWeight, bias: w.ffnUpBias }, d);
  for (let i = 0; i < activated.length; i++) activated[i] = Math.max(0, activated[i]);
  const fed = linear(Kind, { x: activated, weight: w.ffnDownWeight, bias: w.ffnDownBias }, dFf);
  const sum2 = added(Kind, norm1, fed);
  const y = layerNorm(Kind, size, { x: sum2, gamma: w.norm2Gamma, beta: w.norm2Beta }).y;
  return { y, x, attended, sum1, norm1, activated, sum2 };
}

function blockBackward(Kind, size, w, { x, attended, sum1, norm1, activated, sum2 }, dy) {
  const { cols: d, dFf } = size;
  const second = layerNormBackward(Kind, size, { x: sum2, dy, gamma: w.norm2Gamma });
  const down = linearBackward(Kind, { x: activated, dy: second.dx, weight: w.ffnDownWeight }, dFf);
  for (let i = 0; i < activated.length; i++) if (activated[i] === 0) down.dx[i] = 0;
  const up = linearBackward(Kind, { x: norm1, dy: down.dx, weight: w.ffnUpWeight }, d);
  const first = layerNormBackward(Kind, size, { x: sum1, dy: added(Kind, second.dx, up.dx), gamma: w.norm1Gamma });
  const within = attentionBackward(Kind, size, x, w, attended, first.dx);
  const grads = {
    ...within.grads,
    ffnUpWeight: up.dweight, ffnUpBias: up.dbias, ffnDownWeight: down.dweight, ffnDownBias: down.dbias,
    norm1Gamma: first.dgamma, norm1Beta: first.dbeta, norm2Gamma: second.dgamma, norm2Beta: second.dbeta,
  };
  return { dx: added(Kind, first.dx, within.dx), grads };
}

/** The gradients of a stack of blocks at x and at every weight, for the gradient dy that arrives at its output. */
export function stackBackward(Kind, size, { x, dy, blocks }) {
  const done = [];
  for (const w of blocks) done.push(block(Kind, size, done.at(-1)?.y ?? x, w));
  const grads = new Array(blocks.length);
  let gradient = dy;
  for (let k = blocks.length - 1; k >= 0; k--) {
    const { dx, grads: own } = blockBackward(Kind, size, blocks[k], done[k], gradient);
    gradient = dx;
    grads[k] = own;
  }
  return { dx: gradient, grads };
}
