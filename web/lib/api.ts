// The public types of the package, the same for every entry.
export type { Addnorm, AddnormInfo } from "./addnorm.js";
export type { Activation, ActivationOptions } from "./kernels/activation.js";
export type {
  AddLayerNormOptions, AddNormGradients, AddNormOptions, AddNormOutputs, AddNormResult, AddRmsNormOptions, ArrivingGradients,
} from "./kernels/add-norm.js";
export type { BatchNormOptions } from "./kernels/batch-norm.js";
export type { DynamicTanhGradients, DynamicTanhOptions } from "./kernels/dynamic-tanh.js";
export type { GroupNormOptions } from "./kernels/group-norm.js";
export type { L2NormGradients, L2NormOptions } from "./kernels/l2-norm.js";
export type { LayerNormGradients, LayerNormSteps } from "./kernels/layer-norm.js";
export type { LinearGradients, LinearOptions, LinearWeightOptions } from "./kernels/linear.js";
export type { LayerNormOptions, RmsNormOptions } from "./kernels/norm-parameters.js";
export type { ResidualAddOptions } from "./kernels/residual-add.js";
export type { RmsNormGradients, RmsNormSteps } from "./kernels/rms-norm.js";
export type { RowStats } from "./kernels/row-stats.js";
export type { SoftmaxOptions } from "./kernels/softmax.js";
export type { LayerNorm, LayerNormClass, LayerNormSettings } from "./layers/layer-norm.js";
export type { PreNormResidual, Sublayer } from "./layers/residual-connection.js";
export type { WasmSource } from "./load/compile.js";
export type { Load, LoadOptions } from "./load/loader.js";
export type { Branches, Keep, ModelConfig, ModelNorm, Placement, Residual, Scaling } from "./model/config.js";
export type { BlockArrays, BlockWeights, Op, WeightName } from "./model/names.js";
export type { StackAsyncOptions } from "./model/stack.js";
export type { StackRun } from "./model/stack-run.js";
export type { AnyTrace, StateGradient, Trace, TraceStep, WholeStatistics } from "./model/trace.js";
export type { ResidentMatrix } from "./resident-matrix.js";
export type { EpsPlacement, FloatArray, MaskInput, MatrixInput, MatrixOutput, Variance, VectorInput } from "./types.js";
