// The conventions in which normalizations differ between frameworks.
#ifndef ADDNORM_KERNELS_NORM_OPTIONS_H_
#define ADDNORM_KERNELS_NORM_OPTIONS_H_

namespace addnorm {

// Where eps stands: 1 / sqrt(variance + eps), as in PyTorch, or
// 1 / (sqrt(variance) + eps), as in many NumPy tutorials.
enum class EpsPlacement { kInside, kOutside };

// Divisor of the sum of squared deviations: d, or d - 1 (Bessel's correction;
// the variance of a single value then counts as 0).
enum class Variance { kPopulation, kSample };

// eps is at least 0 and finite.
struct LayerNormOptions {
  double eps = 1e-5;
  EpsPlacement eps_placement = EpsPlacement::kInside;
  Variance variance = Variance::kPopulation;
};

// gamma_offset is added to gamma: 0 as published, 1 in Gemma.
struct RmsNormOptions {
  double eps = 1e-5;
  float gamma_offset = 0.0f;
};

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_NORM_OPTIONS_H_
