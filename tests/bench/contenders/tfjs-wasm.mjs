// TensorFlow.js on its wasm backend in one thread: norms as its users write them, typed arrays in and out, weights kept as
// tensors, gradients by tf.grads.
import { EPS, flatGradients } from "../tasks.mjs";
import { transposed } from "./transposed.mjs";

function layerNorm(tf, x, gamma, beta) {
  const { mean, variance } = tf.moments(x, -1, true);
  return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, EPS))), gamma), beta);
}

function rmsNorm(tf, x, gamma) {
  return tf.mul(tf.mul(x, tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), EPS))), gamma);
}

/** y = x W + b, W is inFeatures x outFeatures. */
function linear(tf, x, weight, bias, activation = "linear") {
  return tf.fused.matMul({ a: x, b: weight, bias, activation });
}

function attention(tf, x, w, { rows: tokens, cols: d, heads }) {
  const width = d / heads;
  const qkv = linear(tf, x, w.attnInWeight, w.attnInBias);
  const [q, k, v] = tf.split(qkv, 3, 1).map((part) => tf.transpose(tf.reshape(part, [tokens, heads, width]), [1, 0, 2]));
  const weights = tf.softmax(tf.mul(tf.matMul(q, k, false, true), width ** -0.5));
  const context = tf.reshape(tf.transpose(tf.matMul(weights, v), [1, 0, 2]), [tokens, d]);
  return linear(tf, context, w.attnOutWeight, w.attnOutBias);
}

function block(tf, x, w, size) {
  const norm1 = layerNorm(tf, tf.add(x, attention(tf, x, w, size)), w.norm1Gamma, w.norm1Beta);
  const activated = linear(tf, norm1, w.ffnUpWeight, w.ffnUpBias, "relu");
  return layerNorm(tf, tf.add(norm1, linear(tf, activated, w.ffnDownWeight, w.ffnDownBias)), w.norm2Gamma, w.norm2Beta);
}

const inFeaturesOf = (name, { cols, dFf }) => (name === "ffnDownWeight" ? dFf : cols);

/** A weight as a tensor in TensorFlow's layout. */
function weightTensor(tf, name, values, size) {
  if (!/weight$/i.test(name)) return tf.tensor1d(values);
  const inFeatures = inFeaturesOf(name, size);
  return tf.tensor2d(transposed(values, inFeatures), [inFeatures, values.length / inFeatures]);
}

/** The outputs by name, as tensors, for x, fx and dy as tensors; undefined where nothing computes it. */
function graphOf(tf, { op, size }, w) {
  const { gamma, beta, weight, bias, blocks } = w;
  switch (op) {
    case "layer_norm": return ({ x }) => ({ y: layerNorm(tf, x, gamma, beta) });
    case "rms_norm": return ({ x }) => ({ y: rmsNorm(tf, x, gamma) });
    case "add_norm":
      return ({ x, fx }) => {
        const sum = tf.add(x, fx);
        return { sum, y: layerNorm(tf, sum, gamma, beta) };
      };
    case "layer_norm_backward": {
      const gradients = tf.grads((x, g, b) => layerNorm(tf, x, g, b));
      return ({ x, dy }) => {
        const [dx, dgamma, dbeta] = gradients([x, gamma, beta], dy);
        return { dx, dgamma, dbeta };
      };
    }
    case "linear": return ({ x }) => ({ y: linear(tf, x, weight, bias) });
    case "attention": return ({ x }) => ({ y: attention(tf, x, blocks[0], size) });
    case "block": return ({ x }) => ({ y: block(tf, x, blocks[0], size) });
    case "stack_backward": return stackGradients(tf, size, blocks);
  }
}

function stackGradients(tf, size, blocks) {
  const names = Object.keys(blocks[0]);
  const recordsOf = (values) =>
    blocks.map((_, k) => Object.fromEntries(names.map((name, i) => [name, values[k * names.length + i]])));
  const gradients = tf.grads((x, ...weights) => recordsOf(weights).reduce((h, w) => block(tf, h, w, size), x));
  const all = blocks.flatMap((record) => Object.values(record));
  return ({ x, dy }) => {
    const [dx, ...rest] = gradients([x, ...all], dy);
    return flatGradients({ dx, grads: recordsOf(rest) });
  };
}

/** @param tf TensorFlow.js, whose backend is set */
export function tfjsContender(tf) {
  return {
    prepare(task) {
      const { op, size, inputs } = task;
      const { x, fx, dy, blocks, ...vectors } = inputs;
      const tensorsOf = (record) =>
        Object.fromEntries(Object.entries(record).map(([name, values]) => [name, weightTensor(tf, name, values, size)]));
      const weights = { ...tensorsOf(vectors), blocks: blocks?.map(tensorsOf) };
      const graph = graphOf(tf, task, weights);
      const matrices = op === "add_norm" ? { x, fx } : op.endsWith("backward") ? { x, dy } : { x };
      const computed = () => graph(Object.fromEntries(
        Object.entries(matrices).map(([name, values]) => [name, tf.tensor2d(values, [size.rows, size.cols])]),
      ));
      // Of a stack's gradients only dx leaves wasm memory; an optimizer would take the others there.
      const wanted = op === "stack_backward" ? ["dx"] : undefined;
      const read = (outputs, names = Object.keys(outputs)) =>
        Object.fromEntries(names.map((name) => [name, outputs[name].dataSync()]));
      const call = () => tf.tidy(() => void read(computed(), wanted));
      const outputs = () => {
        let arrays;
        tf.tidy(() => { arrays = read(computed()); });
        for (const [name, values] of Object.entries(arrays)) {
          // Its layout is the transpose of the reference's.
          const weight = name.slice(name.indexOf(".") + 1);
          if (/Weight$/.test(weight)) arrays[name] = transposed(values, values.length / inFeaturesOf(weight, size));
        }
        return arrays;
      };
      const free = () => tf.dispose(weights);
      return [{ contender: "tfjs-wasm", call, outputs, free }];
    },
  };
}
