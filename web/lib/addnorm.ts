// The object that load() gives: every kernel and name of the package over one instance of the wasm module.
import * as check from "./check.js";
import { Heap } from "./heap.js";
import { activationKernels, type ActivationKernels } from "./kernels/activation.js";
import { addNormKernels, type AddNormKernels } from "./kernels/add-norm.js";
import { batchNormKernels, type BatchNormKernels } from "./kernels/batch-norm.js";
import { dynamicTanhKernels, type DynamicTanhKernels } from "./kernels/dynamic-tanh.js";
import { groupNormKernels, type GroupNormKernels } from "./kernels/group-norm.js";
import { l2NormKernels, type L2NormKernels } from "./kernels/l2-norm.js";
import { layerNormKernels, type LayerNormKernels } from "./kernels/layer-norm.js";
import { linearKernels, type LinearKernels } from "./kernels/linear.js";
import { randomKernels, type RandomKernels } from "./kernels/random.js";
import { residualAddKernels, type ResidualAddKernels } from "./kernels/residual-add.js";
import { rmsNormKernels, type RmsNormKernels } from "./kernels/rms-norm.js";
import { rowStatsKernels, type RowStatsKernels } from "./kernels/row-stats.js";
import { softmaxKernels, type SoftmaxKernels } from "./kernels/softmax.js";
import { layerNormClass, type LayerNormClass } from "./layers/layer-norm.js";
import { residualConnections, type ResidualConnections } from "./layers/residual-connection.js";
import type { WasmModule } from "./load/wasm-module.js";
import { models, type Models } from "./model/stack.js";
import { ResidentMatrix } from "./resident-matrix.js";

export interface AddnormInfo {
  /** Of the package, the same for JavaScript and wasm. */
  readonly version: string;
  /** Whether the kernels run in 128-bit SIMD. */
  readonly simd: boolean;
  /** Highway's name of the target: "WASM" with SIMD, "EMU128" or "SCALAR" without. */
  readonly target: string;
}

export interface Addnorm
  extends ResidualAddKernels, LayerNormKernels, RmsNormKernels, BatchNormKernels, GroupNormKernels, L2NormKernels,
    DynamicTanhKernels, AddNormKernels, RowStatsKernels, LinearKernels, SoftmaxKernels, ActivationKernels, RandomKernels,
    ResidualConnections, Models {
  readonly info: AddnormInfo;

  /** The module that runs: what a worker gives to its own `load({ wasm })`, so that nothing is fetched or compiled twice. */
  readonly wasm: WebAssembly.Module;

  /**
   * A matrix of zeros in wasm memory, so that calls on it copy nothing.
   *
   * @param rows whole, at least 0
   * @param cols whole, at least 1
   * @throws TypeError, RangeError for other values, and RangeError when memory ends
   */
  matrix(rows: number, cols: number): ResidentMatrix;

  LayerNorm: LayerNormClass;
}

export function createAddnorm(wasm: WasmModule, module: WebAssembly.Module): Addnorm {
  const heap = new Heap(wasm);
  const { target, version } = wasm;
  const kernels = {
    ...randomKernels(wasm, heap),
    ...residualAddKernels(wasm, heap),
    ...layerNormKernels(wasm, heap),
    ...rmsNormKernels(wasm, heap),
    ...batchNormKernels(wasm, heap),
    ...groupNormKernels(wasm, heap),
    ...l2NormKernels(wasm, heap),
    ...dynamicTanhKernels(wasm, heap),
    ...addNormKernels(wasm, heap),
    ...rowStatsKernels(wasm, heap),
    ...linearKernels(wasm, heap),
    ...softmaxKernels(wasm, heap),
    ...activationKernels(wasm, heap),
  };
  const Norm = layerNormClass(kernels);
  return Object.freeze({
    info: Object.freeze({ version, simd: target.startsWith("WASM"), target }),
    wasm: module,
    ...kernels,
    matrix: (rows: number, cols: number) =>
      new ResidentMatrix(heap, check.number("matrix", "rows", rows), check.number("matrix", "cols", cols)),
    LayerNorm: Norm,
    ...residualConnections(heap, kernels, Norm),
    ...models(wasm, heap),
  });
}
