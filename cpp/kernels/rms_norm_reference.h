// RMSNorm in scalar double: the specification. The SIMD kernel hands it the
// rows that float32 arithmetic cannot carry (T = float).
#ifndef ADDNORM_KERNELS_RMS_NORM_REFERENCE_H_
#define ADDNORM_KERNELS_RMS_NORM_REFERENCE_H_

#include <cmath>
#include <cstddef>

#include "kernels/layer_norm_reference.h"
#include "kernels/norm_options.h"
#include "kernels/row_stats_reference.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

// gamma_offset + gamma[i], or 1 without gamma.
template <typename T>
double RmsGain(const T* gamma, size_t i, const RmsNormOptions& options) {
  return gamma ? static_cast<double>(options.gamma_offset) +
                     static_cast<double>(gamma[i])
               : 1.0;
}

// rms_norm.h's RmsNormSteps; every output may be null.
template <typename T>
void RmsNormSteps(const MatrixView<const T>& x, const T* gamma,
                  const RmsNormOptions& options,
                  const MatrixView<T>& normalized, const MatrixView<T>& y,
                  T* rms, T* rstd) {
  for (size_t row = 0; row < x.rows; ++row) {
    const T* in = x.Row(row);
    const double mean_square =
        Measure(in, x.cols, Variance::kPopulation).mean_square;
    const double scale =
        ReciprocalStd(mean_square, options.eps, EpsPlacement::kInside);
    for (size_t i = 0; i < x.cols; ++i) {
      const double unit = static_cast<double>(in[i]) * scale;
      if (normalized.data) normalized.Row(row)[i] = static_cast<T>(unit);
      if (y.data) {
        y.Row(row)[i] = static_cast<T>(unit * RmsGain(gamma, i, options));
      }
    }
    if (rms) rms[row] = static_cast<T>(std::sqrt(mean_square));
    if (rstd) rstd[row] = static_cast<T>(scale);
  }
}

template <typename T>
void RmsNorm(const MatrixView<const T>& x, const T* gamma,
             const RmsNormOptions& options, const MatrixView<T>& y, T* rstd) {
  RmsNormSteps<T>(x, gamma, options, {}, y, nullptr, rstd);
}

// One row of RmsNormBackward: emit(i, value) receives the gradient of x[i].
template <typename T, typename Emit>
void RmsNormBackwardRow(const T* x, const T* dy, size_t count, const T* gamma,
                        const RmsNormOptions& options, T* dgamma,
                        const Emit& emit) {
  if (count == 0) return;
  const double scale =
      ReciprocalStd(Measure(x, count, Variance::kPopulation).mean_square,
                    options.eps, EpsPlacement::kInside);
  double sum_gx = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double g = static_cast<double>(dy[i]) * RmsGain(gamma, i, options);
    sum_gx += g * static_cast<double>(x[i]) * scale;
  }
  const double mean_gx = sum_gx / static_cast<double>(count);
  for (size_t i = 0; i < count; ++i) {
    const double upstream = static_cast<double>(dy[i]);
    const double unit = static_cast<double>(x[i]) * scale;
    const double g = upstream * RmsGain(gamma, i, options);
    if (dgamma) dgamma[i] = static_cast<T>(dgamma[i] + upstream * unit);
    emit(i, scale * (g - unit * mean_gx));
  }
}

template <typename T>
void RmsNormBackward(const MatrixView<const T>& x,
                     const MatrixView<const T>& dy, const T* gamma,
                     const RmsNormOptions& options, const MatrixView<T>& dx,
                     T* dgamma) {
  for (size_t row = 0; row < x.rows; ++row) {
    T* out = dx.Row(row);
    RmsNormBackwardRow(
        x.Row(row), dy.Row(row), x.cols, gamma, options, dgamma,
        [out](size_t i, double value) { out[i] = static_cast<T>(value); });
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_RMS_NORM_REFERENCE_H_
