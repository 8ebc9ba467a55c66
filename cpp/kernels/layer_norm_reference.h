// LayerNorm in scalar double: the specification. The SIMD kernel hands it the
// rows that float32 arithmetic cannot carry (T = float).
#ifndef ADDNORM_KERNELS_LAYER_NORM_REFERENCE_H_
#define ADDNORM_KERNELS_LAYER_NORM_REFERENCE_H_

#include <cmath>
#include <cstddef>

#include "kernels/norm_options.h"
#include "kernels/row_stats_reference.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

// 1 / sqrt(variance + eps) or 1 / (sqrt(variance) + eps); 0 where that divides
// by 0, since every deviation is then 0 too.
inline double ReciprocalStd(double variance, double eps,
                            EpsPlacement placement) {
  const double divisor = placement == EpsPlacement::kInside
                             ? std::sqrt(variance + eps)
                             : std::sqrt(variance) + eps;
  return divisor == 0.0 ? 0.0 : 1.0 / divisor;
}

template <typename T>
double ValueOr(const T* values, size_t index, double absent) {
  return values ? static_cast<double>(values[index]) : absent;
}

// layer_norm.h's LayerNormSteps; every output may be null.
template <typename T>
void LayerNormSteps(const MatrixView<const T>& x, const T* gamma, const T* beta,
                    const LayerNormOptions& options,
                    const MatrixView<T>& deviation,
                    const MatrixView<T>& normalized, const MatrixView<T>& y,
                    T* mean, T* std, T* rstd) {
  for (size_t row = 0; row < x.rows; ++row) {
    const T* in = x.Row(row);
    const Stats stats = Measure(in, x.cols, options.variance);
    const double scale =
        ReciprocalStd(stats.variance, options.eps, options.eps_placement);
    for (size_t i = 0; i < x.cols; ++i) {
      const double centred = static_cast<double>(in[i]) - stats.mean;
      const double unit = centred * scale;
      if (deviation.data) deviation.Row(row)[i] = static_cast<T>(centred);
      if (normalized.data) normalized.Row(row)[i] = static_cast<T>(unit);
      if (y.data) {
        y.Row(row)[i] = static_cast<T>(unit * ValueOr(gamma, i, 1.0) +
                                       ValueOr(beta, i, 0.0));
      }
    }
    if (mean) mean[row] = static_cast<T>(stats.mean);
    if (std) std[row] = static_cast<T>(std::sqrt(stats.variance));
    if (rstd) rstd[row] = static_cast<T>(scale);
  }
}

template <typename T>
void LayerNorm(const MatrixView<const T>& x, const T* gamma, const T* beta,
               const LayerNormOptions& options, const MatrixView<T>& y, T* mean,
               T* rstd) {
  LayerNormSteps<T>(x, gamma, beta, options, {}, {}, y, mean, nullptr, rstd);
}

// One row of LayerNormBackward: emit(i, value) receives the gradient of x[i].
template <typename T, typename Emit>
void LayerNormBackwardRow(const T* x, const T* dy, size_t count, const T* gamma,
                          const LayerNormOptions& options, T* dgamma, T* dbeta,
                          const Emit& emit) {
  if (count == 0) return;
  const Stats stats = Measure(x, count, options.variance);
  const double scale =
      ReciprocalStd(stats.variance, options.eps, options.eps_placement);
  const double std = std::sqrt(stats.variance);
  double sum_g = 0.0, sum_gx = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double g = static_cast<double>(dy[i]) * ValueOr(gamma, i, 1.0);
    sum_g += g;
    sum_gx += g * (static_cast<double>(x[i]) - stats.mean) * scale;
  }
  double k = 1.0 / VarianceDivisor(count, options.variance);
  if (options.eps_placement == EpsPlacement::kOutside) {
    k *= std == 0.0 ? 0.0 : (std + options.eps) / std;
  }
  const double mean_g = sum_g / static_cast<double>(count);
  for (size_t i = 0; i < count; ++i) {
    const double upstream = static_cast<double>(dy[i]);
    const double unit = (static_cast<double>(x[i]) - stats.mean) * scale;
    const double g = upstream * ValueOr(gamma, i, 1.0);
    if (dgamma) dgamma[i] = static_cast<T>(dgamma[i] + upstream * unit);
    if (dbeta) dbeta[i] = static_cast<T>(dbeta[i] + upstream);
    emit(i, scale * (g - mean_g - unit * sum_gx * k));
  }
}

template <typename T>
void LayerNormBackward(const MatrixView<const T>& x,
                       const MatrixView<const T>& dy, const T* gamma,
                       const LayerNormOptions& options, const MatrixView<T>& dx,
                       T* dgamma, T* dbeta) {
  for (size_t row = 0; row < x.rows; ++row) {
    T* out = dx.Row(row);
    LayerNormBackwardRow(
        x.Row(row), dy.Row(row), x.cols, gamma, options, dgamma, dbeta,
        [out](size_t i, double value) { out[i] = static_cast<T>(value); });
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_LAYER_NORM_REFERENCE_H_
