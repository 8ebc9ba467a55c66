// onnxruntime-web's wasm backend in one thread: the fused operator where it has one, weights inside the model.
import { EPS } from "../tasks.mjs";
import { encodeModel, node } from "./onnx-model.mjs";
import { transposed } from "./transposed.mjs";

const MICROSOFT = "com.microsoft";
const epsilon = { epsilon: { float: EPS } };

/** Inputs, outputs, nodes and weights of an operation's graph; undefined where there is none. */
function graphOf({ op, size, inputs }) {
  const { rows, cols } = size;
  const matrix = [rows, cols];
  const batch = [1, rows, cols];
  const { gamma, beta, weight, bias, blocks } = inputs;
  const affine = { gamma: [gamma, [cols]], beta: [beta, [cols]] };
  switch (op) {
    case "layer_norm":
      return { inputs: { x: matrix }, outputs: { y: matrix }, weights: affine, nodes: [node("LayerNormalization", ["x", "gamma", "beta"], ["y"], epsilon)] };
    case "rms_norm":
      return { inputs: { x: matrix }, outputs: { y: matrix }, weights: { gamma: affine.gamma }, nodes: [node("RMSNormalization", ["x", "gamma"], ["y"], epsilon)] };
    case "add_norm":
      return {
        inputs: { x: batch, fx: batch }, outputs: { y: batch, sum: batch }, weights: affine,
        nodes: [node("SkipLayerNormalization", ["x", "fx", "gamma", "beta"], ["y", "", "", "sum"], epsilon, MICROSOFT)],
      };
    case "linear":
      return {
        inputs: { x: matrix }, outputs: { y: matrix }, weights: { weight: [transposed(weight, cols), [cols, cols]], bias: [bias, [cols]] },
        nodes: [node("Gemm", ["x", "weight", "bias"], ["y"])],
      };
    case "attention": {
      const { nodes, weights } = attentionGraph(blocks[0], size, "attended");
      return { inputs: { x: batch }, outputs: { y: batch }, weights, nodes: [...nodes, node("Add", ["attended", "attnOutBias"], ["y"])] };
    }
    case "block":
      return { inputs: { x: batch }, outputs: { y: batch }, ...blockGraph(blocks[0], size) };
  }
}

/** Attention with its out-projection, whose bias is left to what comes next. */
function attentionGraph(w, { cols: d, heads }, output) {
  return {
    nodes: [
      node("Attention", ["x", "attnInWeight", "attnInBias"], ["context"], { num_heads: heads }, MICROSOFT),
      node("MatMul", ["context", "attnOutWeight"], [output]),
    ],
    weights: {
      attnInWeight: [transposed(w.attnInWeight, d), [d, 3 * d]], attnInBias: [w.attnInBias, [3 * d]],
      attnOutWeight: [transposed(w.attnOutWeight, d), [d, d]], attnOutBias: [w.attnOutBias, [d]],
    },
  };
}

/** As its own optimizer for transformers writes a post-norm block: biases are added where the residual sum is. */
function blockGraph(w, size) {
  const { cols: d, dFf } = size;
  const { nodes, weights } = attentionGraph(w, size, "attended");
  const skipNorm = (x, fx, site, bias, y) =>
    node("SkipLayerNormalization", [x, fx, `norm${site}Gamma`, `norm${site}Beta`, bias], [y], epsilon, MICROSOFT);
  return {
    nodes: [
      ...nodes,
      skipNorm("x", "attended", 1, "attnOutBias", "norm1"),
      node("MatMul", ["norm1", "ffnUpWeight"], ["up"]),
      node("Add", ["up", "ffnUpBias"], ["upBiased"]),
      node("Relu", ["upBiased"], ["activated"]),
      node("MatMul", ["activated", "ffnDownWeight"], ["fed"]),
      skipNorm("norm1", "fed", 2, "ffnDownBias", "y"),
    ],
    weights: {
      ...weights,
      ffnUpWeight: [transposed(w.ffnUpWeight, d), [d, dFf]], ffnUpBias: [w.ffnUpBias, [dFf]],
      ffnDownWeight: [transposed(w.ffnDownWeight, dFf), [dFf, d]], ffnDownBias: [w.ffnDownBias, [d]],
      norm1Gamma: [w.norm1Gamma, [d]], norm1Beta: [w.norm1Beta, [d]], norm2Gamma: [w.norm2Gamma, [d]], norm2Beta: [w.norm2Beta, [d]],
    },
  };
}

/**
 * @param ort onnxruntime-web
 * @param protobuf protobufjs (light)
 */
export function onnxContender(ort, protobuf) {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.proxy = false;
  return {
    async prepare(task) {
      const graph = graphOf(task);
      if (!graph) return [];
      const session = await ort.InferenceSession.create(encodeModel(protobuf, graph), { executionProviders: ["wasm"] });
      const shapes = Object.entries(graph.inputs);
      const call = () =>
        session.run(Object.fromEntries(shapes.map(([name, dims]) => [name, new ort.Tensor("float32", task.inputs[name], dims)])));
      const outputs = async () => Object.fromEntries(Object.entries(await call()).map(([name, tensor]) => [name, tensor.data]));
      return [{ contender: "onnxruntime-web", call, outputs, asynchronous: true, free: () => session.release() }];
    },
  };
}
