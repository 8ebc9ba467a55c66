// BatchNorm, forward then backward, in Highway: a vector of columns at a time,
// three passes over the rows forward, two more backward. Each pass strides by
// whole rows and uses one vector of a cache line, so that the caches bound it.
#include "kernels/batch_norm.h"

#include <cmath>

#include "kernels/batch_norm_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/batch_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/columns-inl.h"
#include "simd/norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

// What normalizes a vector of columns: (x - shift - correction) * rstd.
struct BatchNormColumns {
  HWY_ALIGN float shift[kMostColumns] = {};
  HWY_ALIGN float correction[kMostColumns] = {};
  HWY_ALIGN float rstd[kMostColumns] = {};
  double mean[kMostColumns] = {};
  double std[kMostColumns] = {};
  size_t rows = 0;  // that are not padding
  // False where the double reference has to serve one of the columns.
  bool fits_float = true;

  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V Normalized(D d, V x) const {
    const V deviation =
        hn::Sub(hn::Sub(x, hn::Load(d, shift)), hn::Load(d, correction));
    return hn::Mul(deviation, hn::Load(d, rstd));
  }
};

HWY_NOINLINE ColumnSums SumDeviations(const ConstMatrix& x,
                                      const uint8_t* padding, size_t col,
                                      ColumnLanes lanes, const float* shift) {
  const ColumnsTag d;
  const auto shift_lanes = hn::Load(d, shift);
  return SumColumns(x.rows, padding, [&](size_t r, auto& a, auto& b) HWY_ATTR {
    const auto deviation = hn::Sub(lanes.Load(x.Row(r) + col), shift_lanes);
    a = hn::Add(a, deviation);
    b = hn::MulAdd(deviation, deviation, b);
  });
}

// Two passes: one around the first row's values finds the means, one around the
// rounded means what they miss and the variances.
HWY_NOINLINE void MeasureColumns(const ConstMatrix& x, const uint8_t* padding,
                                 size_t col, ColumnLanes lanes,
                                 const LayerNormOptions& options,
                                 BatchNormColumns* columns) {
  const ColumnsTag d;
  size_t first = x.rows;
  columns->rows = 0;
  columns->fits_float = true;
  for (size_t r = x.rows; r-- > 0;) {
    if (reference::IsPadding(padding, r)) continue;
    first = r;
    ++columns->rows;
  }
  if (first == x.rows) return;
  const double n = static_cast<double>(columns->rows);
  hn::Store(lanes.Load(x.Row(first) + col), d, columns->shift);
  ColumnSums sums = SumDeviations(x, padding, col, lanes, columns->shift);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    columns->shift[i] = static_cast<float>(
        static_cast<double>(columns->shift[i]) + sums.first[i] / n);
  }
  sums = SumDeviations(x, padding, col, lanes, columns->shift);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    const double correction = sums.first[i] / n;
    const double squares =
        std::max(0.0, sums.second[i] - sums.first[i] * correction);
    const double variance =
        squares / reference::VarianceDivisor(columns->rows, options.variance);
    columns->mean[i] = static_cast<double>(columns->shift[i]) + correction;
    columns->std[i] = std::sqrt(variance);
    columns->correction[i] = static_cast<float>(correction);
    columns->rstd[i] = static_cast<float>(
        reference::ReciprocalStd(variance, options.eps, options.eps_placement));
    columns->fits_float =
        columns->fits_float && std::isfinite(sums.first[i]) &&
        std::isfinite(sums.second[i]) && std::isfinite(columns->rstd[i]) &&
        (variance >= kLeastMeanSquare ||
         EpsHidesUnderflow(options.eps, options.eps_placement));
  }
}

void ForwardBatchNorm(ConstMatrix x, const uint8_t* padding, const float* gamma,
                      const float* beta, const LayerNormOptions& options,
                      Matrix y, float* mean, float* rstd) {
  const ColumnsTag d;
  ForEachColumns(x.cols, [&](size_t col, ColumnLanes lanes) HWY_ATTR {
    const size_t count = lanes.count;
    BatchNormColumns columns;
    MeasureColumns(x, padding, col, lanes, options, &columns);
    if (!columns.fits_float) {
      for (size_t i = 0; i < count; ++i) {
        reference::BatchNormColumn(x, padding, col + i, gamma, beta, options, y,
                                   mean, rstd);
      }
      return;
    }
    const auto gain = lanes.LoadOr(gamma, col, 1.0f);
    const auto offset = lanes.LoadOr(beta, col, 0.0f);
    for (size_t r = 0; r < x.rows; ++r) {
      const auto unit = columns.Normalized(d, lanes.Load(x.Row(r) + col));
      const auto v = reference::IsPadding(padding, r)
                         ? hn::Zero(d)
                         : hn::MulAdd(unit, gain, offset);
      lanes.Store(v, y.Row(r) + col);
    }
    for (size_t i = 0; i < count; ++i) {
      if (mean) mean[col + i] = static_cast<float>(columns.mean[i]);
      if (rstd) rstd[col + i] = columns.rstd[i];
    }
  });
}

void BackwardBatchNorm(ConstMatrix x, ConstMatrix dy, const uint8_t* padding,
                       const float* gamma, const LayerNormOptions& options,
                       Matrix dx, float* dgamma, float* dbeta) {
  const ColumnsTag d;
  ForEachColumns(x.cols, [&](size_t col, ColumnLanes lanes) HWY_ATTR {
    const size_t count = lanes.count;
    BatchNormColumns columns;
    MeasureColumns(x, padding, col, lanes, options, &columns);
    if (!columns.fits_float) {
      for (size_t i = 0; i < count; ++i) {
        reference::BatchNormBackwardColumn(x, dy, padding, col + i, gamma,
                                           options, dx, dgamma, dbeta);
      }
      return;
    }
    const ColumnSums sums =
        SumColumns(x.rows, padding, [&](size_t r, auto& a, auto& b) HWY_ATTR {
          const auto g = lanes.Load(dy.Row(r) + col);
          a = hn::Add(a, g);
          b = hn::MulAdd(g, columns.Normalized(d, lanes.Load(x.Row(r) + col)),
                         b);
        });
    HWY_ALIGN float means[kMostColumns] = {}, slopes[kMostColumns] = {};
    for (size_t i = 0; i < count && columns.rows > 0; ++i) {
      double k =
          1.0 / reference::VarianceDivisor(columns.rows, options.variance);
      if (options.eps_placement == EpsPlacement::kOutside) {
        k *= columns.std[i] == 0.0
                 ? 0.0
                 : (columns.std[i] + options.eps) / columns.std[i];
      }
      means[i] =
          static_cast<float>(sums.first[i] / static_cast<double>(columns.rows));
      slopes[i] = static_cast<float>(sums.second[i] * k);
    }
    const auto scale =
        hn::Mul(lanes.LoadOr(gamma, col, 1.0f), hn::Load(d, columns.rstd));
    for (size_t r = 0; r < x.rows; ++r) {
      const auto unit = columns.Normalized(d, lanes.Load(x.Row(r) + col));
      const auto centred =
          hn::Sub(lanes.Load(dy.Row(r) + col), hn::Load(d, means));
      const auto v =
          reference::IsPadding(padding, r)
              ? hn::Zero(d)
              : hn::Mul(scale,
                        hn::NegMulAdd(unit, hn::Load(d, slopes), centred));
      lanes.Store(v, dx.Row(r) + col);
    }
    AddSums(sums.second, count, dgamma ? dgamma + col : nullptr);
    AddSums(sums.first, count, dbeta ? dbeta + col : nullptr);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardBatchNorm);
HWY_EXPORT(BackwardBatchNorm);

void BatchNorm(const ConstMatrix& x, const uint8_t* padding, const float* gamma,
               const float* beta, const LayerNormOptions& options,
               const Matrix& y, float* mean, float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardBatchNorm)
  (x, padding, gamma, beta, options, y, mean, rstd);
}

void BatchNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                       const uint8_t* padding, const float* gamma,
                       const LayerNormOptions& options, const Matrix& dx,
                       float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(BackwardBatchNorm)
  (x, dy, padding, gamma, options, dx, dgamma, dbeta);
}

}  // namespace addnorm
#endif  // HWY_ONCE
