// Runs a planned stack of blocks: forward, and backward as a vector-Jacobian
// product through every step.
#ifndef ADDNORM_MODEL_STACK_H_
#define ADDNORM_MODEL_STACK_H_

#include <cstddef>
#include <cstdint>

#include "model/config.h"
#include "model/plan.h"

namespace addnorm {

// One run's memory, all of it the caller's. The plan has its records.
template <typename T>
struct ModelRun {
  const ModelConfig& config;
  const Plan& plan;
  const T* parameters;     // plan.parameter_values
  const T* x;              // rows x d_input
  const T* given;          // Sublayers::kGiven: for each block attention's
                           // output, then feed-forward's (rows x d_model each)
  const uint8_t* padding;  // a byte a row, not 0 where it is padding; or null
  T* values;               // plan.values: receives every step's matrix
};

// Computes the steps first to end - 1 (those before are computed). In pieces,
// so that who calls can stop in between; the result does not depend on them.
// Made for float, over the kernels, and for double, over their references.
template <typename T>
void RunForward(const ModelRun<T>& run, size_t first, size_t end);

// Propagates gradients back through the steps end - 1 down to first of a run
// whose forward pass is complete. A call with end = plan.step_count begins: it
// clears `gradients` (plan.gradient_values) and seeds the last step with dy, or
// where dy is null with 2 y / count, the gradient of the mean square of y.
//
// Afterwards a step's gradient is that of the loss by its matrix; that of step
// 0 is dx. parameter_gradients (plan.parameter_values) are accumulated.
template <typename T>
void RunBackward(const ModelRun<T>& run, const T* dy, size_t first, size_t end,
                 T* gradients, T* parameter_gradients);

}  // namespace addnorm

#endif  // ADDNORM_MODEL_STACK_H_
