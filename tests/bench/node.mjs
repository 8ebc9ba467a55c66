// The run in Node.
import { startContenders } from "./contenders/index.mjs";
import { runTasks } from "./suite.mjs";
import { tasksOf } from "./tasks.mjs";
import { instantiate } from "../../build/bench/embind.js";
import { load } from "../../dist/index.node.js";

async function onnx() {
  const [ort, { default: protobuf }] = await Promise.all([import("onnxruntime-web"), import("protobufjs/light.js")]);
  return { ort, protobuf };
}

async function tensorflow() {
  const [{ default: tf }] = await Promise.all([import("@tensorflow/tfjs-core"), import("@tensorflow/tfjs-backend-wasm")]);
  await import("../../build/bench/tfjs-gradients.js");
  return { tf };
}

export async function runInNode({ ops, contenders: names, quick, report, ...timing }) {
  const { an, contenders } = await startContenders(names, { load, instantiate, onnx, tensorflow });
  return runTasks(tasksOf(an.randn, { ops, quick }), contenders, { report, ...timing });
}
