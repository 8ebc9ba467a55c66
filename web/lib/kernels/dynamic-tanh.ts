// Dynamic Tanh, which may stand in a norm's place without measuring anything: forward and backward.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import type { BetaOption, GammaOption, MatrixInput, MatrixOutput, OutOption } from "../types.js";

export interface DynamicTanhOptions extends GammaOption, BetaOption {
  /** Width of a row: the number of features d. */
  cols: number;
  /** What x is multiplied by; 0.5, where the paper begins, when absent. */
  alpha?: number;
}

export interface DynamicTanhGradients {
  /** rows x cols. */
  dx: Float32Array;
  dalpha: number;
  /** Summed over the rows, cols values. */
  dgamma: Float32Array;
  /** Summed over the rows, cols values. */
  dbeta: Float32Array;
}

export interface DynamicTanhKernels {
  /**
   * y = gamma * tanh(alpha * x) + beta (Zhu et al., arXiv:2503.10622), each value by itself.
   *
   * @param x rows x cols
   * @returns y, rows x cols; `out` itself when given
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array
   * @throws RangeError for lengths that do not fit, an alpha that is not finite, and when memory ends
   * @example an.dynamicTanh([[0, 2]], { cols: 2 }).y    // Float32Array [0, 0.7616]
   */
  dynamicTanh<Out extends MatrixOutput = Float32Array>(x: MatrixInput, options: DynamicTanhOptions & OutOption<Out>): { y: Out };

  /**
   * The gradients of dynamicTanh for the gradient dy that arrives at y, with the same options.
   *
   * @param x  rows x cols, as given to dynamicTanh
   * @param dy rows x cols
   * @throws TypeError, RangeError as dynamicTanh
   */
  dynamicTanhBackward(x: MatrixInput, dy: MatrixInput, options: DynamicTanhOptions): DynamicTanhGradients;
}

export function dynamicTanhKernels(wasm: WasmModule, heap: Heap): DynamicTanhKernels {
  function checked(call: string, input: MatrixInput, options: DynamicTanhOptions) {
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const x = check.matrix(heap, call, "x", input, cols);
    const alpha = check.number(call, "alpha", options.alpha ?? 0.5);
    const gamma = check.vector(heap, call, "gamma", options.gamma, cols, "cols");
    const beta = check.vector(heap, call, "beta", options.beta, cols, "cols");
    return { cols, x, rows: x.length / cols, alpha, gamma, beta };
  }

  function dynamicTanh(input: MatrixInput, options: DynamicTanhOptions & OutOption<MatrixOutput>) {
    const call = "dynamicTanh";
    const { cols, x, rows, alpha, gamma, beta } = checked(call, input, options);
    const count = x.length;
    const out = check.output(heap, call, "out", options.out, count);

    heap.open(call, count + 2 * cols, 3);
    const at = heap.input(x);
    const y = heap.outputOver(x, at, out);
    wasm.dynamicTanh(at, rows, cols, alpha, heap.input(gamma), heap.input(beta), y);
    const result = { y: heap.deliver(y, count, out) };
    heap.close();
    return result;
  }

  function dynamicTanhBackward(input: MatrixInput, gradient: MatrixInput, options: DynamicTanhOptions): DynamicTanhGradients {
    const call = "dynamicTanhBackward";
    const { cols, x, rows, alpha, gamma } = checked(call, input, options);
    const dy = check.matching(heap, call, "dy", gradient, cols, x);
    const count = x.length;

    heap.open(call, 2 * count + 3 * cols + 1, 6);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dalpha = heap.zeros(1);
    const dgamma = heap.zeros(cols);
    const dbeta = heap.zeros(cols);
    wasm.dynamicTanhBackward(heap.input(x), at, rows, cols, alpha, heap.input(gamma), dx, dalpha, dgamma, dbeta);
    const result = {
      dx: heap.copy(dx, count),
      dalpha: heap.copy(dalpha, 1)[0]!,
      dgamma: heap.copy(dgamma, cols),
      dbeta: heap.copy(dbeta, cols),
    };
    heap.close();
    return result;
  }

  return { dynamicTanh: dynamicTanh as DynamicTanhKernels["dynamicTanh"], dynamicTanhBackward };
}
