// What the compiled kernels offer to JavaScript: the table of cpp/bindings/bindings.cc, typed.

/** Byte address in wasm memory; 0 stands for an absent array. */
export type Pointer = number;

export interface WasmModule {
  /** Views of wasm memory, replaced when it grows: read them afresh after every call that may allocate. */
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;

  /** Highway's name of the target. */
  readonly target: string;
  /** Of the package that the module comes from. */
  readonly version: string;
  /** 64-byte aligned, 0 when out of memory. */
  allocate(bytes: number): Pointer;
  release(pointer: Pointer): void;

  randn(seed: number, count: number, out: Pointer): void;

  residualAdd(x: Pointer, fx: Pointer, count: number, alpha: number, beta: number, sum: Pointer): void;

  layerNorm(
    x: Pointer, rows: number, cols: number, gamma: Pointer, beta: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    y: Pointer, mean: Pointer, rstd: Pointer,
  ): void;
  layerNormSteps(
    x: Pointer, rows: number, cols: number, gamma: Pointer, beta: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    deviation: Pointer, normalized: Pointer, y: Pointer, mean: Pointer, std: Pointer, rstd: Pointer,
  ): void;
  /** dgamma and dbeta are added to, dx is overwritten. */
  layerNormBackward(
    x: Pointer, dy: Pointer, rows: number, cols: number, gamma: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    dx: Pointer, dgamma: Pointer, dbeta: Pointer,
  ): void;

  rmsNorm(
    x: Pointer, rows: number, cols: number, gamma: Pointer, gammaOffset: number, eps: number,
    y: Pointer, rstd: Pointer,
  ): void;
  rmsNormSteps(
    x: Pointer, rows: number, cols: number, gamma: Pointer, gammaOffset: number, eps: number,
    normalized: Pointer, y: Pointer, rms: Pointer, rstd: Pointer,
  ): void;
  /** dgamma is added to, dx is overwritten. */
  rmsNormBackward(
    x: Pointer, dy: Pointer, rows: number, cols: number, gamma: Pointer, gammaOffset: number, eps: number,
    dx: Pointer, dgamma: Pointer,
  ): void;

  addLayerNorm(
    x: Pointer, fx: Pointer, rows: number, cols: number, gamma: Pointer, beta: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    sum: Pointer, y: Pointer, mean: Pointer, rstd: Pointer,
  ): void;
  /** dgamma and dbeta are added to, dx and dfx are overwritten. */
  addLayerNormBackward(
    sum: Pointer, dy: Pointer, dsum: Pointer, rows: number, cols: number, gamma: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    dx: Pointer, dfx: Pointer, dgamma: Pointer, dbeta: Pointer,
  ): void;
  addRmsNorm(
    x: Pointer, fx: Pointer, rows: number, cols: number, gamma: Pointer, gammaOffset: number, eps: number,
    sum: Pointer, y: Pointer, rstd: Pointer,
  ): void;
  /** dgamma is added to, dx and dfx are overwritten. */
  addRmsNormBackward(
    sum: Pointer, dy: Pointer, dsum: Pointer, rows: number, cols: number, gamma: Pointer,
    gammaOffset: number, eps: number,
    dx: Pointer, dfx: Pointer, dgamma: Pointer,
  ): void;

  rowStats(x: Pointer, rows: number, cols: number, sampleVariance: boolean, mean: Pointer, std: Pointer, rms: Pointer): void;
  linear(x: Pointer, rows: number, inFeatures: number, weight: Pointer, bias: Pointer, outFeatures: number, y: Pointer): void;
  /** dweight and dbias are added to, dx is overwritten. */
  linearBackward(
    x: Pointer, dy: Pointer, rows: number, inFeatures: number, weight: Pointer, outFeatures: number,
    dx: Pointer, dweight: Pointer, dbias: Pointer,
  ): void;

  softmax(x: Pointer, rows: number, cols: number, leftOut: Pointer, causal: boolean, y: Pointer): void;
  softmaxBackward(y: Pointer, dy: Pointer, rows: number, cols: number, dx: Pointer): void;
  activation(kind: number, x: Pointer, count: number, y: Pointer): void;
  activationBackward(kind: number, x: Pointer, dy: Pointer, count: number, dx: Pointer): void;

  batchNorm(
    x: Pointer, rows: number, cols: number, padding: Pointer, gamma: Pointer, beta: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    y: Pointer, mean: Pointer, rstd: Pointer,
  ): void;
  /** dgamma and dbeta are added to, dx is overwritten. */
  batchNormBackward(
    x: Pointer, dy: Pointer, rows: number, cols: number, padding: Pointer, gamma: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    dx: Pointer, dgamma: Pointer, dbeta: Pointer,
  ): void;
  groupNorm(
    x: Pointer, rows: number, cols: number, groups: number, gamma: Pointer, beta: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    y: Pointer, mean: Pointer, rstd: Pointer,
  ): void;
  /** dgamma and dbeta are added to, dx is overwritten. */
  groupNormBackward(
    x: Pointer, dy: Pointer, rows: number, cols: number, groups: number, gamma: Pointer,
    eps: number, epsOutside: boolean, sampleVariance: boolean,
    dx: Pointer, dgamma: Pointer, dbeta: Pointer,
  ): void;
  l2Norm(x: Pointer, rows: number, cols: number, gain: Pointer, eps: number, y: Pointer, norm: Pointer): void;
  /** dgain is added to, dx is overwritten. */
  l2NormBackward(
    x: Pointer, dy: Pointer, rows: number, cols: number, gain: Pointer, eps: number, dx: Pointer, dgain: Pointer,
  ): void;
  dynamicTanh(x: Pointer, rows: number, cols: number, alpha: number, gamma: Pointer, beta: Pointer, y: Pointer): void;
  /** dalpha, dgamma and dbeta are added to, dx is overwritten. */
  dynamicTanhBackward(
    x: Pointer, dy: Pointer, rows: number, cols: number, alpha: number, gamma: Pointer,
    dx: Pointer, dalpha: Pointer, dgamma: Pointer, dbeta: Pointer,
  ): void;

  /** The benchmark's yardsticks: one load and one store a vector, two loads and one store. */
  simdCopy(x: Pointer, count: number, y: Pointer): void;
  simdAdd(x: Pointer, fx: Pointer, count: number, sum: Pointer): void;

  /** 0, or why the config (the records are told in bindings.cc) is refused. */
  modelCheck(config: Pointer): number;
  modelSizes(config: Pointer, out: Pointer): void;
  modelPlan(config: Pointer, steps: Pointer, parameters: Pointer): void;
  modelDraw(config: Pointer, steps: Pointer, parameters: Pointer, seed: number, gain: number, weights: Pointer): void;
  /** Computes the steps first to end - 1. */
  modelForward(run: Pointer, first: number, end: number): void;
  /** Goes back through the steps end - 1 to first; dweights is added to. */
  modelBackward(run: Pointer, dy: Pointer, gradients: Pointer, dweights: Pointer, first: number, end: number): void;
}
