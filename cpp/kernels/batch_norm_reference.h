// BatchNorm in scalar double: the specification. The SIMD kernel hands it the
// columns that float32 arithmetic cannot carry (T = float).
#ifndef ADDNORM_KERNELS_BATCH_NORM_REFERENCE_H_
#define ADDNORM_KERNELS_BATCH_NORM_REFERENCE_H_

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/layer_norm_reference.h"
#include "kernels/norm_options.h"
#include "kernels/row_stats_reference.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

inline bool IsPadding(const uint8_t* padding, size_t row) {
  return padding && padding[row] != 0;
}

struct ColumnStats {
  size_t count = 0;
  double mean = 0.0;
  double variance = 0.0;
};

template <typename T>
ColumnStats MeasureColumn(const MatrixView<const T>& x, const uint8_t* padding,
                          size_t col, Variance variance) {
  ColumnStats stats;
  double sum = 0.0, deviations = 0.0;
  for (size_t row = 0; row < x.rows; ++row) {
    if (IsPadding(padding, row)) continue;
    ++stats.count;
    sum += static_cast<double>(x.Row(row)[col]);
  }
  if (stats.count == 0) return stats;
  stats.mean = sum / static_cast<double>(stats.count);
  for (size_t row = 0; row < x.rows; ++row) {
    if (IsPadding(padding, row)) continue;
    const double deviation = static_cast<double>(x.Row(row)[col]) - stats.mean;
    deviations += deviation * deviation;
  }
  stats.variance = deviations / VarianceDivisor(stats.count, variance);
  return stats;
}

template <typename T>
void BatchNormColumn(const MatrixView<const T>& x, const uint8_t* padding,
                     size_t col, const T* gamma, const T* beta,
                     const LayerNormOptions& options, const MatrixView<T>& y,
                     T* mean, T* rstd) {
  const ColumnStats stats = MeasureColumn(x, padding, col, options.variance);
  const double scale =
      stats.count == 0
          ? 0.0
          : ReciprocalStd(stats.variance, options.eps, options.eps_placement);
  for (size_t row = 0; row < x.rows; ++row) {
    const double unit =
        (static_cast<double>(x.Row(row)[col]) - stats.mean) * scale;
    y.Row(row)[col] = IsPadding(padding, row)
                          ? T{0}
                          : static_cast<T>(unit * ValueOr(gamma, col, 1.0) +
                                           ValueOr(beta, col, 0.0));
  }
  if (mean) mean[col] = static_cast<T>(stats.mean);
  if (rstd) rstd[col] = static_cast<T>(scale);
}

template <typename T>
void BatchNorm(const MatrixView<const T>& x, const uint8_t* padding,
               const T* gamma, const T* beta, const LayerNormOptions& options,
               const MatrixView<T>& y, T* mean, T* rstd) {
  for (size_t col = 0; col < x.cols; ++col) {
    BatchNormColumn(x, padding, col, gamma, beta, options, y, mean, rstd);
  }
}

template <typename T>
void BatchNormBackwardColumn(const MatrixView<const T>& x,
                             const MatrixView<const T>& dy,
                             const uint8_t* padding, size_t col, const T* gamma,
                             const LayerNormOptions& options,
                             const MatrixView<T>& dx, T* dgamma, T* dbeta) {
  const ColumnStats stats = MeasureColumn(x, padding, col, options.variance);
  const double scale =
      ReciprocalStd(stats.variance, options.eps, options.eps_placement);
  const double std = std::sqrt(stats.variance);
  double sum = 0.0, sum_unit = 0.0;
  for (size_t row = 0; row < x.rows; ++row) {
    if (IsPadding(padding, row)) continue;
    const double upstream = static_cast<double>(dy.Row(row)[col]);
    sum += upstream;
    sum_unit +=
        upstream * (static_cast<double>(x.Row(row)[col]) - stats.mean) * scale;
  }
  double k = 1.0 / VarianceDivisor(stats.count, options.variance);
  if (options.eps_placement == EpsPlacement::kOutside) {
    k *= std == 0.0 ? 0.0 : (std + options.eps) / std;
  }
  const double mean = sum / static_cast<double>(stats.count);
  for (size_t row = 0; row < x.rows; ++row) {
    const double unit =
        (static_cast<double>(x.Row(row)[col]) - stats.mean) * scale;
    const double upstream = static_cast<double>(dy.Row(row)[col]);
    dx.Row(row)[col] =
        IsPadding(padding, row)
            ? T{0}
            : static_cast<T>(scale * ValueOr(gamma, col, 1.0) *
                             (upstream - mean - unit * sum_unit * k));
  }
  if (dgamma) dgamma[col] = static_cast<T>(dgamma[col] + sum_unit);
  if (dbeta) dbeta[col] = static_cast<T>(dbeta[col] + sum);
}

template <typename T>
void BatchNormBackward(const MatrixView<const T>& x,
                       const MatrixView<const T>& dy, const uint8_t* padding,
                       const T* gamma, const LayerNormOptions& options,
                       const MatrixView<T>& dx, T* dgamma, T* dbeta) {
  for (size_t col = 0; col < x.cols; ++col) {
    BatchNormBackwardColumn(x, dy, padding, col, gamma, options, dx, dgamma,
                            dbeta);
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_BATCH_NORM_REFERENCE_H_
