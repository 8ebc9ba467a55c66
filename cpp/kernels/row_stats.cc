// Mean, standard deviation and root mean square of each row, in Highway:
// LayerNorm's first pass alone, bounded by its three operations a vector.
#include "kernels/row_stats.h"

#include <cmath>

#include "kernels/row_stats_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_stats.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

reference::Stats MeasureStats(const float* row, size_t count,
                              Variance variance) {
  constexpr double kLeastSquares = 1e-24;
  if (count == 0) return {};
  const hn::ScalableTag<float> d;
  const Moments moments =
      MomentsOf(d, RawSums(d, StoredRow{row}, count), row, count);
  if (!moments.finite || moments.squares < kLeastSquares) {
    return reference::Measure(row, count, variance);
  }
  reference::Stats stats;
  stats.mean = moments.mean;
  stats.variance =
      moments.squares / reference::VarianceDivisor(count, variance);
  stats.mean_square =
      stats.mean * stats.mean + moments.squares / static_cast<double>(count);
  return stats;
}

void MeasureRows(const ConstMatrix& x, Variance variance, float* mean,
                 float* std, float* rms) {
  for (size_t row = 0; row < x.rows; ++row) {
    const reference::Stats stats = MeasureStats(x.Row(row), x.cols, variance);
    if (mean) mean[row] = static_cast<float>(stats.mean);
    if (std) std[row] = static_cast<float>(std::sqrt(stats.variance));
    if (rms) rms[row] = static_cast<float>(std::sqrt(stats.mean_square));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(MeasureRows);

void RowStats(const ConstMatrix& x, Variance variance, float* mean, float* std,
              float* rms) {
  HWY_DYNAMIC_DISPATCH(MeasureRows)(x, variance, mean, std, rms);
}

}  // namespace addnorm
#endif  // HWY_ONCE
