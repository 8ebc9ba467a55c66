// What the rounding errors of gradients are measured against.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_GRADIENT_SCALE_H_
#define ADDNORM_TESTS_CPP_SUPPORT_GRADIENT_SCALE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cpp/support/problem.h"
#include "kernels/layer_norm_reference.h"
#include "kernels/rms_norm_reference.h"
#include "kernels/row_stats_reference.h"

namespace addnorm {
namespace testing {

// A gradient is a difference of terms that may cancel, so its error cannot be
// small beside itself, only beside the terms. For the gradient of a row that is
//   rstd * (max|g| + mean|g| + max|xhat| * sum|g * xhat| * k) + max|dsum|,
// for a parameter's, over all rows,
//   |value before| + sum |dy| * (|xhat| + std * rstd)  and  + sum |dy|,
// where std * rstd stands for the subtraction of the mean in xhat.
struct GradientScale {
  std::vector<double> row;     // of dx, by row
  std::vector<double> dgamma;  // by feature
  std::vector<double> dbeta;

  explicit GradientScale(const Problem& problem)
      : row(problem.rows), dgamma(problem.cols), dbeta(problem.cols) {
    for (size_t i = 0; i < problem.cols; ++i) {
      dgamma[i] = std::fabs(static_cast<double>(problem.first_dgamma[i]));
      dbeta[i] = std::fabs(static_cast<double>(problem.first_dbeta[i]));
    }
  }

  // Adds one row, of which xhat(i) and gain(i) are known.
  template <class Unit, class Gain>
  void AddRow(const Problem& problem, size_t r, double rstd, double k,
              double centring, const Unit& unit, const Gain& gain) {
    const size_t cols = problem.cols;
    double largest_g = 0, sum_g = 0, largest_unit = 0, sum_gx = 0,
           largest_dsum = 0;
    for (size_t i = 0; i < cols; ++i) {
      const double dy =
          std::fabs(static_cast<double>(problem.dy[r * cols + i]));
      const double xhat = std::fabs(unit(i));
      const double g = dy * std::fabs(gain(i));
      largest_g = std::max(largest_g, g);
      sum_g += g;
      largest_unit = std::max(largest_unit, xhat);
      sum_gx += g * xhat;
      dgamma[i] += dy * (xhat + centring);
      dbeta[i] += dy;
      if (problem.has_dsum) {
        largest_dsum = std::max(
            largest_dsum,
            std::fabs(static_cast<double>(problem.dsum[r * cols + i])));
      }
    }
    row[r] = rstd * (largest_g + sum_g / static_cast<double>(cols) +
                     largest_unit * sum_gx * k) +
             largest_dsum;
  }
};

inline GradientScale LayerNormGradientScale(const Problem& problem,
                                            const DoubleInputs& in) {
  GradientScale scale(problem);
  const size_t cols = problem.cols;
  const LayerNormOptions& options = problem.layer_norm;
  for (size_t r = 0; r < problem.rows && cols > 0; ++r) {
    const double* x = in.X().Row(r);
    const reference::Stats stats =
        reference::Measure(x, cols, options.variance);
    const double std = std::sqrt(stats.variance);
    const double rstd = reference::ReciprocalStd(stats.variance, options.eps,
                                                 options.eps_placement);
    double k = 1.0 / reference::VarianceDivisor(cols, options.variance);
    if (options.eps_placement == EpsPlacement::kOutside) {
      k *= std == 0.0 ? 0.0 : (std + options.eps) / std;
    }
    scale.AddRow(
        problem, r, rstd, k, std * rstd,
        [&](size_t i) { return (x[i] - stats.mean) * rstd; },
        [&](size_t i) { return reference::ValueOr(in.Gamma(), i, 1.0); });
  }
  return scale;
}

inline GradientScale RmsNormGradientScale(const Problem& problem,
                                          const DoubleInputs& in) {
  GradientScale scale(problem);
  const size_t cols = problem.cols;
  const RmsNormOptions& options = problem.rms_norm;
  for (size_t r = 0; r < problem.rows && cols > 0; ++r) {
    const double* x = in.X().Row(r);
    const reference::Stats stats =
        reference::Measure(x, cols, Variance::kPopulation);
    const double rstd = reference::ReciprocalStd(stats.mean_square, options.eps,
                                                 EpsPlacement::kInside);
    scale.AddRow(
        problem, r, rstd, 1.0 / static_cast<double>(cols), 0.0,
        [&](size_t i) { return x[i] * rstd; },
        [&](size_t i) { return reference::RmsGain(in.Gamma(), i, options); });
  }
  return scale;
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_GRADIENT_SCALE_H_
