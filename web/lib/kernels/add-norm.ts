// Add & Norm: residual addition and the norm of the sum in one pass over memory, forward and backward.
import * as check from "../check.js";
import type { Heap } from "../heap.js";
import type { Pointer, WasmModule } from "../load/wasm-module.js";
import type { MatrixInput, MatrixOutput, OutOption, Values } from "../types.js";
import { layerNormParameters, rmsNormParameters, type LayerNormOptions, type RmsNormOptions } from "./norm-parameters.js";

export interface AddLayerNormOptions extends LayerNormOptions {
  norm?: "layer";
}
export interface AddRmsNormOptions extends RmsNormOptions {
  norm: "rms";
}
export type AddNormOptions = AddLayerNormOptions | AddRmsNormOptions;

export interface AddNormOutputs<Out extends MatrixOutput, SumOut extends MatrixOutput> extends OutOption<Out> {
  /** Takes the sum instead of a fresh array; may be x or fx itself. */
  sumOut?: SumOut;
}

export interface AddNormResult<Out extends MatrixOutput, SumOut extends MatrixOutput, Mean> {
  /** x + fx, the residual stream, rows x cols. */
  sum: SumOut;
  /** The norm of the sum, rows x cols. */
  y: Out;
  /** One a row; null for RMSNorm, which takes no mean. */
  mean: Mean;
  /** One a row. */
  rstd: Float32Array;
}

export interface AddNormGradients<Dbeta> {
  /** rows x cols. */
  dx: Float32Array;
  /** rows x cols. */
  dfx: Float32Array;
  /** Summed over the rows, cols values. */
  dgamma: Float32Array;
  /** Summed over the rows, cols values; null for RMSNorm, which has no beta. */
  dbeta: Dbeta;
}

export interface ArrivingGradients {
  /** The gradient that arrives at y, rows x cols. */
  dy: MatrixInput;
  /** The gradient that arrives at the sum by another way (the residual stream), rows x cols; 0 when absent. */
  dsum?: MatrixInput | null;
}

export interface AddNormKernels {
  /**
   * sum = x + fx and y = norm(sum): the post-norm step of "Attention Is All You Need" (arXiv:1706.03762), with
   * LayerNorm (arXiv:1607.06450, the default) or RMSNorm (arXiv:1910.07467). The sum is returned because Pre-LN
   * (arXiv:2002.04745) goes on with it.
   *
   * @param x  rows x cols
   * @param fx F(x), rows x cols
   * @throws TypeError for an argument of the wrong kind, a freed matrix, a detached array, an option that the chosen
   *   norm does not have
   * @throws RangeError for lengths that do not fit, outputs that overlap, eps that is negative or not finite, an unknown
   *   norm or convention, and when memory ends
   * @example an.addNorm([[1, 2]], [[1, 4]], { cols: 2 }).y    // Float32Array [-1, 1], nearly
   */
  addNorm<Out extends MatrixOutput = Float32Array, SumOut extends MatrixOutput = Float32Array>(
    x: MatrixInput, fx: MatrixInput, options: AddLayerNormOptions & AddNormOutputs<Out, SumOut>,
  ): AddNormResult<Out, SumOut, Float32Array>;
  addNorm<Out extends MatrixOutput = Float32Array, SumOut extends MatrixOutput = Float32Array>(
    x: MatrixInput, fx: MatrixInput, options: AddRmsNormOptions & AddNormOutputs<Out, SumOut>,
  ): AddNormResult<Out, SumOut, null>;
  addNorm<Out extends MatrixOutput = Float32Array, SumOut extends MatrixOutput = Float32Array>(
    x: MatrixInput, fx: MatrixInput, options: AddNormOptions & AddNormOutputs<Out, SumOut>,
  ): AddNormResult<Out, SumOut, Float32Array | null>;

  /**
   * The gradients of addNorm, with the same options, for dy at y and, when given, dsum at the sum. dx and dfx are equal.
   *
   * @param x  rows x cols, as given to addNorm
   * @param fx rows x cols, as given to addNorm
   * @throws TypeError, RangeError as addNorm
   */
  addNormBackward(x: MatrixInput, fx: MatrixInput, options: AddLayerNormOptions & ArrivingGradients): AddNormGradients<Float32Array>;
  addNormBackward(x: MatrixInput, fx: MatrixInput, options: AddRmsNormOptions & ArrivingGradients): AddNormGradients<null>;
  addNormBackward(x: MatrixInput, fx: MatrixInput, options: AddNormOptions & ArrivingGradients): AddNormGradients<Float32Array | null>;
}

type ForwardOptions<Norm> = Norm & AddNormOutputs<MatrixOutput, MatrixOutput>;
type BackwardOptions<Norm> = Norm & ArrivingGradients;

function wantsRms(call: string, options: AddNormOptions): options is AddRmsNormOptions {
  return check.flag(call, "norm", options.norm ?? "layer");
}

export function addNormKernels(wasm: WasmModule, heap: Heap): AddNormKernels {
  function addNorm(x: MatrixInput, fx: MatrixInput, options: ForwardOptions<AddNormOptions>) {
    const call = "addNorm";
    const cols = check.number(call, "cols", check.options(call, options, "cols, ...").cols);
    const stream = check.matrix(heap, call, "x", x, cols);
    const branch = check.matching(heap, call, "fx", fx, cols, stream);
    return wantsRms(call, options)
      ? addRmsNorm(call, stream, branch, cols, options)
      : addLayerNorm(call, stream, branch, cols, options);
  }

  function addLayerNorm(call: string, x: Values, fx: Values, cols: number, options: ForwardOptions<AddLayerNormOptions>) {
    const { gamma, beta, eps, epsOutside, sampleVariance } = layerNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;
    const { out, sumOut } = outputs(call, count, options);

    heap.open(call, 2 * (count + cols + rows), 6);
    const xAt = heap.input(x);
    const fxAt = heap.input(fx);
    const sum = heap.outputOver(x, xAt, sumOut);
    const y = heap.outputOver(fx, fxAt, out);
    const mean = heap.room(rows);
    const rstd = heap.room(rows);
    wasm.addLayerNorm(
      xAt, fxAt, rows, cols, heap.input(gamma), heap.input(beta), eps, epsOutside, sampleVariance,
      sum, y, mean, rstd,
    );
    const result = {
      sum: heap.deliver(sum, count, sumOut),
      y: heap.deliver(y, count, out),
      mean: heap.copy(mean, rows),
      rstd: heap.copy(rstd, rows),
    };
    heap.close();
    return result;
  }

  function addRmsNorm(call: string, x: Values, fx: Values, cols: number, options: ForwardOptions<AddRmsNormOptions>) {
    const { gamma, gammaOffset, eps } = rmsNormParameters(heap, call, cols, options);
    const count = x.length;
    const rows = count / cols;
    const { out, sumOut } = outputs(call, count, options);

    heap.open(call, 2 * count + cols + rows, 4);
    const xAt = heap.input(x);
    const fxAt = heap.input(fx);
    const sum = heap.outputOver(x, xAt, sumOut);
    const y = heap.outputOver(fx, fxAt, out);
    const rstd = heap.room(rows);
    wasm.addRmsNorm(xAt, fxAt, rows, cols, heap.input(gamma), gammaOffset, eps, sum, y, rstd);
    const result = {
      sum: heap.deliver(sum, count, sumOut),
      y: heap.deliver(y, count, out),
      mean: null,
      rstd: heap.copy(rstd, rows),
    };
    heap.close();
    return result;
  }

  function outputs(call: string, count: number, options: AddNormOutputs<MatrixOutput, MatrixOutput>) {
    const out = check.output(heap, call, "out", options.out, count);
    const sumOut = check.output(heap, call, "sumOut", options.sumOut, count);
    check.disjoint(call, out, "out", sumOut, "sumOut");
    return { out, sumOut };
  }

  function addNormBackward(x: MatrixInput, fx: MatrixInput, options: BackwardOptions<AddNormOptions>) {
    const call = "addNormBackward";
    const cols = check.number(call, "cols", check.options(call, options, "cols, dy, ...").cols);
    const stream = check.matrix(heap, call, "x", x, cols);
    const branch = check.matching(heap, call, "fx", fx, cols, stream);
    const dy = check.matching(heap, call, "dy", options.dy, cols, stream);
    const arrives = options.dsum !== undefined && options.dsum !== null;
    const dsum = arrives ? check.matching(heap, call, "dsum", options.dsum, cols, stream) : null;
    return wantsRms(call, options)
      ? addRmsNormBackward(call, stream, branch, dy, dsum, cols, options)
      : addLayerNormBackward(call, stream, branch, dy, dsum, cols, options);
  }

  function addLayerNormBackward(
    call: string, x: Values, fx: Values, dy: Values, dsum: Values | null, cols: number, options: AddLayerNormOptions,
  ) {
    const { gamma, eps, epsOutside, sampleVariance } = layerNormParameters(heap, call, cols, options);
    const count = x.length;

    heap.open(call, 4 * count + 3 * cols, 7);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dgamma = heap.zeros(cols);
    const dbeta = heap.zeros(cols);
    wasm.addLayerNormBackward(
      sumOf(x, fx), at, heap.input(dsum), count / cols, cols, heap.input(gamma),
      eps, epsOutside, sampleVariance, dx, heap.input(null), dgamma, dbeta,
    );
    const result = {
      dx: heap.copy(dx, count),
      dfx: heap.copy(dx, count),
      dgamma: heap.copy(dgamma, cols),
      dbeta: heap.copy(dbeta, cols),
    };
    heap.close();
    return result;
  }

  function addRmsNormBackward(
    call: string, x: Values, fx: Values, dy: Values, dsum: Values | null, cols: number, options: AddRmsNormOptions,
  ) {
    const { gamma, gammaOffset, eps } = rmsNormParameters(heap, call, cols, options);
    const count = x.length;

    heap.open(call, 4 * count + 2 * cols, 6);
    const at = heap.input(dy);
    const dx = heap.outputOver(dy, at, null);
    const dgamma = heap.zeros(cols);
    wasm.addRmsNormBackward(
      sumOf(x, fx), at, heap.input(dsum), count / cols, cols, heap.input(gamma), gammaOffset, eps,
      dx, heap.input(null), dgamma,
    );
    const result = {
      dx: heap.copy(dx, count),
      dfx: heap.copy(dx, count),
      dgamma: heap.copy(dgamma, cols),
      dbeta: null,
    };
    heap.close();
    return result;
  }

  function sumOf(x: Values, fx: Values): Pointer {
    const at = heap.input(x);
    const sum = heap.outputOver(x, at, null);
    wasm.residualAdd(at, heap.input(fx), x.length, 1, 1, sum);
    return sum;
  }

  return {
    addNorm: addNorm as AddNormKernels["addNorm"],
    addNormBackward: addNormBackward as AddNormKernels["addNormBackward"],
  };
}
