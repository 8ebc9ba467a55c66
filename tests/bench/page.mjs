// The run in a browser's page, which has TensorFlow.js as `tf` and protobufjs as `protobuf`: browser.mjs calls `bench`.
import { startContenders } from "./contenders/index.mjs";
import { runTasks } from "./suite.mjs";
import { tasksOf } from "./tasks.mjs";
import { instantiate } from "../../build/bench/embind.js";
import { load } from "../../dist/index.js";

const MODULES = new URL("./node_modules/", import.meta.url);

globalThis.bench = async ({ ops, contenders: names, quick, ...timing }) => {
  const { an, contenders } = await startContenders(names, {
    load,
    instantiate,
    onnx: async () => ({ ort: await import(new URL("onnxruntime-web/dist/ort.wasm.bundle.min.mjs", MODULES)), protobuf: globalThis.protobuf }),
    tensorflow: async () => {
      await import("../../build/bench/tfjs-gradients.js");
      return { tf: globalThis.tf, wasmPaths: `${MODULES}@tensorflow/tfjs-backend-wasm/dist/` };
    },
  });
  return runTasks(tasksOf(an.randn, { ops, quick }), contenders, { report: (task) => globalThis.measured(task.name), ...timing });
};
