// All contenders, the same in Node and in a browser, which hand in what they have loaded.
import { apiContender } from "./addnorm-api.mjs";
import { memoryContender } from "./addnorm-memory.mjs";
import { jsContender } from "./js.mjs";
import { onnxContender } from "./onnxruntime-web.mjs";
import { tfjsContender } from "./tfjs-wasm.mjs";

/** What the bench needs no installation for. */
export const OWN = ["addnorm-memory", "addnorm-api", "addnorm-nosimd", "js"];
export const OTHERS = ["onnxruntime-web", "tfjs-wasm"];

async function tensorflow({ tf, wasmPaths }) {
  if (wasmPaths) tf.wasm.setWasmPaths(wasmPaths);
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  await tf.setBackend("wasm");
  if (!(await tf.env().getAsync("WASM_HAS_SIMD_SUPPORT"))) throw new Error("bench: TensorFlow.js would run without SIMD here");
  return tfjsContender(tf);
}

/**
 * @param names which of OWN and OTHERS take part, in this order
 * @param loaded { load, instantiate (web/lib/load/embind), onnx: () => Promise<{ ort, protobuf }>,
 *   tensorflow: () => Promise<{ tf, wasmPaths? }> }
 * @returns an, what load() gave, and the contenders
 */
export async function startContenders(names, { load, instantiate, onnx, tensorflow: loadTensorflow }) {
  const an = await load({ simd: "on" });
  const starts = {
    "addnorm-memory": async () => memoryContender(await instantiate(an.wasm), "addnorm-memory", { limits: true }),
    "addnorm-api": () => apiContender(an),
    "addnorm-nosimd": async () =>
      memoryContender(await instantiate((await load({ simd: "off" })).wasm), "addnorm-nosimd", { limits: false, leftOut: ["stack_backward"] }),
    "onnxruntime-web": async () => {
      const { ort, protobuf } = await onnx();
      return onnxContender(ort, protobuf);
    },
    "tfjs-wasm": async () => tensorflow(await loadTensorflow()),
    js: jsContender,
  };
  const contenders = [];
  for (const name of names) contenders.push(await starts[name]());
  return { an, contenders };
}
