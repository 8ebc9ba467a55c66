// What stands between the two linear maps of a feed-forward layer, and the sigmoid of highway gates.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { ResidentMatrix } from "../resident-matrix.js";
import type { MatrixInput, MatrixOutput, OutOption } from "../types.js";

/** In the order in which the kernels count them. */
export const ACTIVATIONS = ["relu", "gelu", "sigmoid"] as const;

/**
 * "relu" max(0, x); "gelu" x * Phi(x) with the exact error function, as torch.nn.GELU() (arXiv:1606.08415);
 * "sigmoid" 1 / (1 + exp(-x)).
 */
export type Activation = (typeof ACTIVATIONS)[number];

export interface ActivationOptions {
  kind: Activation;
}

export interface ActivationKernels {
  /**
   * The activation of each value.
   *
   * @param x of any width
   * @returns as many values; `out` itself when given
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array
   * @throws RangeError for an unknown kind, an `out` of another length, and when memory ends
   * @example an.activation([-1, 2], { kind: "relu" })    // Float32Array [0, 2]
   */
  activation(x: MatrixInput, options: ActivationOptions & OutOption<Float32Array>): Float32Array;
  activation(x: MatrixInput, options: ActivationOptions & OutOption<ResidentMatrix>): ResidentMatrix;

  /**
   * dx = dy * f'(x) for the gradient dy that arrives at the result; relu'(0) is 0.
   *
   * @param x  as given to activation
   * @param dy as many values
   * @throws TypeError, RangeError as activation
   */
  activationBackward(x: MatrixInput, dy: MatrixInput, options: ActivationOptions): Float32Array;
}

export function activationKernels(wasm: WasmModule, heap: Heap): ActivationKernels {
  function activation(input: MatrixInput, options: ActivationOptions & OutOption<MatrixOutput>): MatrixOutput {
    const call = "activation";
    const kind = check.choice(call, "kind", check.options(call, options, "kind, ...").kind, ACTIVATIONS);
    const x = check.matrix(heap, call, "x", input, 0);
    const count = x.length;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count, 1);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    wasm.activation(kind, at, count, y);
    const result = heap.deliver(y, count, out);
    heap.close();
    return result;
  }

  function activationBackward(input: MatrixInput, gradient: MatrixInput, options: ActivationOptions): Float32Array {
    const call = "activationBackward";
    const kind = check.choice(call, "kind", check.options(call, options, "kind").kind, ACTIVATIONS);
    const x = check.matrix(heap, call, "x", input, 0);
    const dy = check.matching(heap, call, "dy", gradient, 0, x);
    const count = x.length;

    heap.open(call, 2 * count, 2);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    wasm.activationBackward(kind, heap.input(x), at, count, dx);
    const result = heap.copy(dx, count);
    heap.close();
    return result;
  }

  return { activation: activation as ActivationKernels["activation"], activationBackward };
}
