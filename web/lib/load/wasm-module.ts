// What the compiled kernels offer to JavaScript: the table of cpp/bindings/bindings.cc, typed.

/** Byte address in wasm memory; 0 stands for an absent array. */
export type Pointer = number;

export interface WasmModule {
  /** Views of wasm memory, replaced when it grows: read them afresh after every call that may allocate. */
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;

  info(): { target: string; version: string };
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
}

/** The factory that Emscripten writes. */
export type CreateModule = (overrides: {
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
}) => Promise<WasmModule>;
