// RowStats in scalar double: the specification, and the statistics that the
// other references stand on.
#ifndef ADDNORM_KERNELS_ROW_STATS_REFERENCE_H_
#define ADDNORM_KERNELS_ROW_STATS_REFERENCE_H_

#include <cmath>
#include <cstddef>

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

struct Stats {
  double mean = 0.0;
  double variance = 0.0;
  double mean_square = 0.0;
};

// What the sum of squared deviations of `count` values is divided by.
inline double VarianceDivisor(size_t count, Variance variance) {
  const double n = static_cast<double>(count);
  return variance == Variance::kSample ? std::fmax(n - 1.0, 1.0) : n;
}

template <typename T>
Stats Measure(const T* row, size_t count, Variance variance) {
  Stats stats;
  if (count == 0) return stats;
  double sum = 0.0, squares = 0.0, deviations = 0.0;
  for (size_t i = 0; i < count; ++i) sum += static_cast<double>(row[i]);
  stats.mean = sum / static_cast<double>(count);
  for (size_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(row[i]);
    const double deviation = value - stats.mean;
    squares += value * value;
    deviations += deviation * deviation;
  }
  stats.variance = deviations / VarianceDivisor(count, variance);
  stats.mean_square = squares / static_cast<double>(count);
  return stats;
}

template <typename T>
void RowStats(const MatrixView<const T>& x, Variance variance, T* mean, T* std,
              T* rms) {
  for (size_t row = 0; row < x.rows; ++row) {
    const Stats stats = Measure(x.Row(row), x.cols, variance);
    if (mean) mean[row] = static_cast<T>(stats.mean);
    if (std) std[row] = static_cast<T>(std::sqrt(stats.variance));
    if (rms) rms[row] = static_cast<T>(std::sqrt(stats.mean_square));
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_ROW_STATS_REFERENCE_H_
