// The steps and parameters of a model, laid out before any memory is taken.
#include "model/plan.h"

#include <algorithm>
#include <cmath>

#include "model/block.h"
#include "random/numpy_random.h"

namespace addnorm {

Refusal CheckConfig(const ModelConfig& config) {
  constexpr size_t kMostLayers = 128;
  // No index of a value of the largest single matrix may leave 32 bits.
  constexpr double kMostValues = 536870912.0;
  for (const size_t size :
       {config.sequences, config.tokens, config.d_input, config.d_model,
        config.heads, config.d_ff, config.groups}) {
    if (size == 0) return Refusal::kZero;
  }
  if (config.layers == 0 || config.layers > kMostLayers) {
    return Refusal::kLayers;
  }
  if (config.d_model % config.heads != 0) return Refusal::kHeads;
  const bool equal = config.d_input == config.d_model;
  const bool norms_input = config.placement == Placement::kPre ||
                           config.placement == Placement::kSandwich;
  if (config.norm == Norm::kGroup &&
      (config.d_model % config.groups != 0 ||
       (norms_input && config.d_input % config.groups != 0))) {
    return Refusal::kGroups;
  }
  const bool adds = config.residual != Residual::kNone;
  if (!equal && adds && !config.projection) return Refusal::kWidths;
  if (config.projection && (equal || !adds)) return Refusal::kProjection;
  if (config.final_norm && config.norm == Norm::kNone) {
    return Refusal::kFinalNorm;
  }
  const double rows = static_cast<double>(config.sequences) *
                      static_cast<double>(config.tokens);
  const double d = static_cast<double>(
      std::max(config.d_input, std::max(config.d_model, config.d_ff)));
  const double widest =
      std::max(3.0 * d, static_cast<double>(config.heads) *
                            static_cast<double>(config.tokens));
  if (rows * widest > kMostValues || 3.0 * d * d > kMostValues) {
    return Refusal::kTooLarge;
  }
  const Plan plan = PlanModel(config, nullptr, nullptr);
  const double largest = static_cast<double>(std::max(
      plan.values, std::max(plan.gradient_values, plan.parameter_values)));
  return largest > kMostValues ? Refusal::kTooLarge : Refusal::kNone;
}

int32_t Plan::AddStep(Step step, size_t rows, size_t cols,
                      bool without_gradient) {
  step.state = -1;
  step.rows = static_cast<uint32_t>(rows);
  step.cols = static_cast<uint32_t>(cols);
  step.data = static_cast<uint32_t>(values);
  step.gradient =
      without_gradient ? kNoPlace : static_cast<uint32_t>(gradient_values);
  values += static_cast<uint64_t>(rows) * cols;
  if (!without_gradient) gradient_values += static_cast<uint64_t>(rows) * cols;
  if (steps) steps[step_count] = step;
  return static_cast<int32_t>(step_count++);
}

int32_t Plan::AddParameter(ParameterKind kind, int32_t block, int32_t site,
                           size_t rows, size_t cols) {
  if (parameters) {
    parameters[parameter_count] = {kind,
                                   block,
                                   site,
                                   static_cast<uint32_t>(rows),
                                   static_cast<uint32_t>(cols),
                                   static_cast<uint32_t>(parameter_values)};
  }
  parameter_values += static_cast<uint64_t>(rows) * cols;
  return static_cast<int32_t>(parameter_count++);
}

namespace {

// What the backward pass of the hungriest step needs beside the gradients: two
// or three matrices of the stream's width, and what lies within a sublayer.
uint64_t ScratchValues(const ModelConfig& config) {
  const uint64_t rows = config.Rows();
  const uint64_t widest = std::max(config.d_input, config.d_model);
  const uint64_t attention =
      rows * (4 * config.d_model + config.heads * config.tokens);
  const uint64_t within =
      std::max<uint64_t>(std::max<uint64_t>(attention, rows * config.d_ff),
                         2 * rows * config.d_model);
  return rows * widest + within;
}

}  // namespace

Plan PlanModel(const ModelConfig& config, Step* steps, Parameter* parameters) {
  Plan plan;
  plan.steps = steps;
  plan.parameters = parameters;
  Step input = {};
  input.op = Op::kInput;
  input.inputs[0] = input.inputs[1] = input.inputs[2] = kNoStep;
  input.parameter = -1;
  Stream stream = {plan.AddStep(input, config.Rows(), config.d_input),
                   config.d_input};
  const int32_t layers = static_cast<int32_t>(config.layers);
  for (int32_t block = 0; block <= layers; ++block) {
    if (steps) steps[stream.step].state = block;
    if (block < layers) stream = AppendBlock(config, block, stream, &plan);
  }
  if (config.final_norm) AppendNorm(config, layers, 5, stream, &plan);
  plan.scratch = plan.gradient_values;
  plan.gradient_values += ScratchValues(config);
  return plan;
}

template <typename T>
void DrawParameters(const ModelConfig& config, const Plan& plan, uint32_t seed,
                    double gain, T* values) {
  NumpyRandom random(seed);
  for (uint64_t i = 0; i < plan.parameter_count; ++i) {
    const Parameter& at = plan.parameters[i];
    double constant = 0.0, spread = 0.0;
    switch (at.kind) {
      case ParameterKind::kAttnInWeight:
      case ParameterKind::kAttnOutWeight:
      case ParameterKind::kFfnUpWeight:
      case ParameterKind::kFfnDownWeight:
      case ParameterKind::kGateWeight:
      case ParameterKind::kProjectionWeight:
        spread = gain / std::sqrt(static_cast<double>(at.cols));
        break;
      case ParameterKind::kNormGamma:
        constant = config.norm == Norm::kL2
                       ? std::sqrt(static_cast<double>(config.d_model))
                   : config.norm == Norm::kRms ? 1.0 - config.gamma_offset
                                               : 1.0;
        break;
      case ParameterKind::kNormAlpha:
        constant = 0.5;
        break;
      case ParameterKind::kResidualScale:
      case ParameterKind::kGateBias:
        constant = config.residual_value;
        break;
      case ParameterKind::kAttnInBias:
      case ParameterKind::kAttnOutBias:
      case ParameterKind::kFfnUpBias:
      case ParameterKind::kFfnDownBias:
      case ParameterKind::kNormBeta:
        break;
    }
    const uint64_t count = static_cast<uint64_t>(at.rows) * at.cols;
    for (uint64_t k = 0; k < count; ++k) {
      values[at.data + k] =
          static_cast<T>(spread == 0.0 ? constant : spread * random.Normal());
    }
  }
}

template void DrawParameters<float>(const ModelConfig&, const Plan&, uint32_t,
                                    double, float*);
template void DrawParameters<double>(const ModelConfig&, const Plan&, uint32_t,
                                     double, double*);

}  // namespace addnorm
