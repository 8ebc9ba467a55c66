// The steps and parameters of a model, laid out before any memory is taken.
#ifndef ADDNORM_MODEL_PLAN_H_
#define ADDNORM_MODEL_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "model/config.h"
#include "model/trace.h"

namespace addnorm {

// A plan is drawn twice: without records, to learn its sizes, and with room for
// them, to fill it. Nothing is allocated here.
struct Plan {
  Step* steps = nullptr;
  Parameter* parameters = nullptr;
  uint64_t step_count = 0;
  uint64_t parameter_count = 0;
  uint64_t parameter_values = 0;  // of all parameters together
  uint64_t values = 0;            // of all steps together
  uint64_t gradient_values = 0;   // of the steps that have one, and scratch
  uint64_t scratch = 0;           // where among them scratch begins

  // Appends a record and returns its id. `step` brings op, block, site and
  // inputs; a step without_gradient lies within a sublayer or a gate.
  int32_t AddStep(Step step, size_t rows, size_t cols,
                  bool without_gradient = false);
  int32_t AddParameter(ParameterKind kind, int32_t block, int32_t site,
                       size_t rows, size_t cols);
};

// Lays out the stack that the config, which CheckConfig has passed, asks for.
Plan PlanModel(const ModelConfig& config, Step* steps, Parameter* parameters);

// Fills all parameters from NumPy's generator, in the order of their records:
// weights N(0, (gain / sqrt(fan in))^2), biases and beta 0, gamma 1 (l2: sqrt
// of the width; with a gamma_offset: 1 - it), dyt's alpha 0.5, scales and gate
// biases the config's residual_value.
template <typename T>
void DrawParameters(const ModelConfig& config, const Plan& plan, uint32_t seed,
                    double gain, T* values);

}  // namespace addnorm

#endif  // ADDNORM_MODEL_PLAN_H_
