// From the plain numbers that JavaScript passes to the kernels' arguments.
#ifndef ADDNORM_BINDINGS_CONVERT_H_
#define ADDNORM_BINDINGS_CONVERT_H_

#include <cstddef>
#include <cstdint>

#include "kernels/norm_options.h"
#include "matrix.h"
#include "model/config.h"
#include "model/plan.h"
#include "model/stack.h"

namespace addnorm {
namespace bindings {

// A byte address in wasm memory; 0 stands for an argument that is absent.
using Address = uintptr_t;

inline float* Floats(Address address) {
  return reinterpret_cast<float*>(address);
}

inline Matrix View(Address address, size_t rows, size_t cols) {
  return {Floats(address), rows, cols};
}

inline LayerNormOptions LayerOptions(double eps, bool eps_outside,
                                     bool sample_variance) {
  return {eps, eps_outside ? EpsPlacement::kOutside : EpsPlacement::kInside,
          sample_variance ? Variance::kSample : Variance::kPopulation};
}

inline const uint8_t* Bytes(Address address) {
  return reinterpret_cast<const uint8_t*>(address);
}

// A whole number that JavaScript holds in a double.
inline size_t Whole(double value) {
  return value < 4294967295.0 ? static_cast<size_t>(value) : SIZE_MAX;
}

// The table of bindings.cc, "config".
[[gnu::noinline]] inline ModelConfig Config(Address address) {
  const double* at = reinterpret_cast<const double*>(address);
  const auto choice = [at](int place) { return static_cast<int>(at[place]); };
  ModelConfig config;
  config.sequences = Whole(at[0]);
  config.tokens = Whole(at[1]);
  config.d_input = Whole(at[2]);
  config.d_model = Whole(at[3]);
  config.heads = Whole(at[4]);
  config.d_ff = Whole(at[5]);
  config.layers = Whole(at[6]);
  config.sublayers = static_cast<Sublayers>(choice(7));
  config.activation = static_cast<Activation>(choice(8));
  config.causal = at[9] != 0.0;
  config.placement = static_cast<Placement>(choice(10));
  config.branches = static_cast<Branches>(choice(11));
  config.residual = static_cast<Residual>(choice(12));
  config.residual_value = at[13];
  config.projection = at[14] != 0.0;
  config.norm = static_cast<Norm>(choice(15));
  config.groups = Whole(at[16]);
  config.norm_options = LayerOptions(at[17], at[18] != 0.0, at[19] != 0.0);
  config.gamma_offset = at[20];
  config.final_norm = at[21] != 0.0;
  return config;
}

inline void WriteSizes(const Plan& plan, double* out) {
  out[0] = static_cast<double>(plan.step_count);
  out[1] = static_cast<double>(plan.parameter_count);
  out[2] = static_cast<double>(plan.parameter_values);
  out[3] = static_cast<double>(plan.values);
  out[4] = static_cast<double>(plan.gradient_values);
}

// The table of bindings.cc, "run".
struct Run {
  explicit Run(const Address* at)
      : config(Config(at[0])),
        plan(PlanModel(config, nullptr, nullptr)),
        run{config,        plan,         Floats(at[3]), Floats(at[4]),
            Floats(at[5]), Bytes(at[6]), Floats(at[7])} {
    plan.steps = reinterpret_cast<Step*>(at[1]);
    plan.parameters = reinterpret_cast<Parameter*>(at[2]);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  ModelConfig config;
  Plan plan;
  ModelRun<float> run;
};

}  // namespace bindings
}  // namespace addnorm

#endif  // ADDNORM_BINDINGS_CONVERT_H_
