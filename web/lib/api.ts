// The public types of the package, the same for every entry.
export type { Addnorm, AddnormInfo } from "./addnorm.js";
export type {
  AddLayerNormOptions, AddNormGradients, AddNormOptions, AddNormOutputs, AddNormResult, AddRmsNormOptions, ArrivingGradients,
} from "./kernels/add-norm.js";
export type { LayerNormGradients, LayerNormSteps } from "./kernels/layer-norm.js";
export type { LinearOptions } from "./kernels/linear.js";
export type { LayerNormOptions, RmsNormOptions } from "./kernels/norm-parameters.js";
export type { ResidualAddOptions } from "./kernels/residual-add.js";
export type { RmsNormGradients, RmsNormSteps } from "./kernels/rms-norm.js";
export type { RowStats } from "./kernels/row-stats.js";
export type { LayerNorm, LayerNormClass, LayerNormSettings } from "./layers/layer-norm.js";
export type { PreNormResidual, Sublayer } from "./layers/residual-connection.js";
export type { WasmSource } from "./load/compile.js";
export type { Load, LoadOptions } from "./load/loader.js";
export type { ResidentMatrix } from "./resident-matrix.js";
export type { EpsPlacement, FloatArray, MatrixInput, MatrixOutput, Variance, VectorInput } from "./types.js";
