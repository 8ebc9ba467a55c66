// The kernels on arrays that lie in wasm memory, called through the module's own table of functions, and beside them the
// loops that only move the same arrays.
import { EPS } from "../tasks.mjs";
import { WasmArrays } from "./wasm-arrays.mjs";
import { encoderRun } from "./wasm-encoder.mjs";

/** The lengths of an operation's arrays, in the order in which they lie, and its call on their addresses. */
const KERNELS = {
  layer_norm: {
    arrays: ({ count, rows, cols }) => ({ x: count, y: count, gamma: cols, beta: cols, mean: rows, rstd: rows }),
    call: (wasm, { rows, cols }, at) =>
      wasm.layerNorm(at.x, rows, cols, at.gamma, at.beta, EPS, false, false, at.y, at.mean, at.rstd),
    outputs: ["y"],
    limit: "simd-copy",
  },
  rms_norm: {
    arrays: ({ count, rows, cols }) => ({ x: count, y: count, gamma: cols, rstd: rows }),
    call: (wasm, { rows, cols }, at) => wasm.rmsNorm(at.x, rows, cols, at.gamma, 0, EPS, at.y, at.rstd),
    outputs: ["y"],
    limit: "simd-copy",
  },
  add_norm: {
    arrays: ({ count, rows, cols }) => ({ x: count, fx: count, sum: count, y: count, gamma: cols, beta: cols, mean: rows, rstd: rows }),
    call: (wasm, { rows, cols }, at) =>
      wasm.addLayerNorm(at.x, at.fx, rows, cols, at.gamma, at.beta, EPS, false, false, at.sum, at.y, at.mean, at.rstd),
    outputs: ["sum", "y"],
    limit: "simd-add",
  },
  layer_norm_backward: {
    arrays: ({ count, cols }) => ({ x: count, dy: count, dx: count, gamma: cols, dgamma: cols, dbeta: cols }),
    call: (wasm, { rows, cols }, at) =>
      wasm.layerNormBackward(at.x, at.dy, rows, cols, at.gamma, EPS, false, false, at.dx, at.dgamma, at.dbeta),
    outputs: ["dx", "dgamma", "dbeta"],
    limit: "simd-copy",
  },
  linear: {
    arrays: ({ count, cols }) => ({ x: count, y: count, weight: cols * cols, bias: cols }),
    call: (wasm, { rows, cols }, at) => wasm.linear(at.x, rows, cols, at.weight, at.bias, cols, at.y),
    outputs: ["y"],
  },
};

/** One load and one store a value, or two loads and one store, over the arrays of a kernel. */
function limitOf(wasm, { limit }, { size: { count } }, arrays) {
  const to = ["sum", "y", "dx"].find((name) => name in arrays.at);
  const { x, fx, [to]: out } = arrays.at;
  const [name, moved, call] = limit === "simd-add"
    ? ["added", 3, () => wasm.simdAdd(x, fx, count, out)]
    : ["copy", 2, () => wasm.simdCopy(x, count, out)];
  const outputs = () => {
    call();
    return { [name]: arrays.copies([to])[to] };
  };
  return { contender: limit, call, outputs, bytes: 4 * moved * count };
}

function kernelEntries(wasm, contender, task, withLimits) {
  const kernel = KERNELS[task.op];
  const arrays = new WasmArrays(wasm, kernel.arrays(task.size));
  arrays.fill(task.inputs);
  const call = () => kernel.call(wasm, task.size, arrays.at);
  const outputs = () => {
    // The gradients of parameters are added to.
    arrays.zero(["dgamma", "dbeta"]);
    call();
    return arrays.copies(kernel.outputs);
  };
  const own = { contender, call, outputs, free: () => arrays.free() };
  return withLimits && kernel.limit ? [own, limitOf(wasm, kernel, task, arrays)] : [own];
}

/**
 * @param wasm the module's table of functions
 * @param limits whether the loops that only move a matrix take part
 * @param leftOut operations that it does not take part in
 */
export function memoryContender(wasm, contender, { limits, leftOut = [] }) {
  return {
    prepare(task) {
      if (leftOut.includes(task.op)) return [];
      if (KERNELS[task.op]) return kernelEntries(wasm, contender, task, limits);
      return [{ contender, ...encoderRun(wasm, task) }];
    },
  };
}
