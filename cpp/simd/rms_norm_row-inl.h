// RMSNorm of single rows, forward and backward: what RMSNorm and Add & Norm
// share.

#if defined(ADDNORM_SIMD_RMS_NORM_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_RMS_NORM_ROW_INL_H_
#undef ADDNORM_SIMD_RMS_NORM_ROW_INL_H_
#else
#define ADDNORM_SIMD_RMS_NORM_ROW_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/add_norm_reference.h"
#include "kernels/rms_norm_reference.h"
#include "matrix.h"
#include "simd/affine-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct RmsNormRow {
  float rstd = 0.0f;
  double rms = 0.0;
  // False where float32 squares overflow or vanish, or a value is not finite:
  // the double reference has to serve the row.
  bool fits_float = true;
};

template <class D, class Source>
HWY_NOINLINE RmsNormRow MeasureRmsNormRow(D d, const Source& source,
                                          size_t count,
                                          const RmsNormOptions& options) {
  constexpr double kLeastMeanSquare = 1e-30;
  const Sums sums = SumRow(
      d, count, [&](size_t i, auto lanes, auto& squares, auto&) HWY_ATTR {
        const auto v = source.Load(d, i, lanes);
        squares = hn::MulAdd(v, v, squares);
      });
  const double mean_square = sums.first / static_cast<double>(count);
  RmsNormRow row;
  row.rstd = static_cast<float>(reference::ReciprocalStd(
      mean_square, options.eps, EpsPlacement::kInside));
  row.rms = std::sqrt(mean_square);
  row.fits_float =
      std::isfinite(sums.first) && std::isfinite(row.rstd) &&
      (mean_square >= kLeastMeanSquare || options.eps >= kLeastMeanSquare);
  return row;
}

// y = affine(x * rstd). y may be x.
template <class D, class Affine>
HWY_NOINLINE void WriteRmsNormRow(D d, const RmsNormRow& row, const float* x,
                                  size_t count, const Affine& affine,
                                  float* y) {
  const auto rstd = hn::Set(d, row.rstd);
  ForEachVector(d, 0, count, [&](size_t i, auto lanes) HWY_ATTR {
    const auto unit = hn::Mul(lanes.Load(d, x + i), rstd);
    lanes.Store(affine.Apply(d, i, lanes, unit), d, y + i);
  });
}

// The matrices of a backward pass. dsum and dfx may have null data.
struct RmsNormGradients {
  ConstMatrix x, dy, dsum;
  Matrix dx, dfx;
  const float* gamma;
  float* dgamma;
};

// dgamma += dy * xhat over rows [begin, begin + count): the rows' shares are
// added to each other before they meet the running sum.
template <class D>
HWY_NOINLINE void AddGammaGradient(D d, const RmsNormGradients& at,
                                   const RmsNormRow* rows, size_t begin,
                                   size_t count) {
  ForEachVector(d, 0, at.x.cols, [&](size_t i, auto lanes) HWY_ATTR {
    auto dgamma = hn::Zero(d);
    for (size_t r = 0; r < count; ++r) {
      if (!rows[r].fits_float) continue;
      const auto dy = lanes.Load(d, at.dy.Row(begin + r) + i);
      const auto x = lanes.Load(d, at.x.Row(begin + r) + i);
      const auto unit = hn::Mul(x, hn::Set(d, rows[r].rstd));
      dgamma = hn::MulAdd(dy, unit, dgamma);
    }
    const auto before = lanes.Load(d, at.dgamma + i);
    lanes.Store(hn::Add(before, dgamma), d, at.dgamma + i);
  });
}

template <class D, class Affine>
HWY_INLINE void WriteRmsNormGradientRow(D d, const RmsNormGradients& at,
                                        const RmsNormRow& row, size_t r,
                                        const Affine& affine) {
  const size_t cols = at.x.cols;
  const float *x = at.x.Row(r), *dy = at.dy.Row(r), *dsum = at.dsum.Row(r);
  float *dx = at.dx.Row(r), *dfx = at.dfx.Row(r);
  const auto rstd = hn::Set(d, row.rstd);
  const Sums sums =
      SumRow(d, cols, [&](size_t i, auto lanes, auto& a, auto&) HWY_ATTR {
        const auto g = affine.Gain(d, i, lanes, lanes.Load(d, dy + i));
        const auto unit = hn::Mul(lanes.Load(d, x + i), rstd);
        a = hn::Add(a, lanes.Keep(d, hn::Mul(g, unit)));
      });
  const auto slope =
      hn::Set(d, static_cast<float>(sums.first / static_cast<double>(cols)));
  ForEachVector(d, 0, cols, [&](size_t i, auto lanes) HWY_ATTR {
    const auto g = affine.Gain(d, i, lanes, lanes.Load(d, dy + i));
    const auto unit = hn::Mul(lanes.Load(d, x + i), rstd);
    auto gradient = hn::Mul(rstd, hn::NegMulAdd(unit, slope, g));
    if (dsum) gradient = hn::Add(gradient, lanes.Load(d, dsum + i));
    lanes.Store(gradient, d, dx + i);
    if (dfx) lanes.Store(gradient, d, dfx + i);
  });
}

// The whole backward pass, a block of rows at a time: first gamma's gradient,
// which still needs the inputs that dx may overwrite, then dx.
template <class D>
HWY_NOINLINE void BackpropagateRmsNorm(D d, const RmsNormGradients& at,
                                       const RmsNormOptions& options) {
  constexpr size_t kBlock = 16;
  const size_t cols = at.x.cols;
  if (cols == 0) return;
  RmsNormRow rows[kBlock];
  WithOffsetGamma(at.gamma, options.gamma_offset, [&](auto affine) HWY_ATTR {
    for (size_t begin = 0; begin < at.x.rows; begin += kBlock) {
      const size_t count = std::min(kBlock, at.x.rows - begin);
      for (size_t r = 0; r < count; ++r) {
        rows[r] =
            MeasureRmsNormRow(d, StoredRow{at.x.Row(begin + r)}, cols, options);
      }
      if (at.dgamma) AddGammaGradient(d, at, rows, begin, count);
      for (size_t r = 0; r < count; ++r) {
        const size_t row = begin + r;
        if (rows[r].fits_float) {
          WriteRmsNormGradientRow(d, at, rows[r], row, affine);
        } else {
          reference::RmsNormBackwardRow(
              at.x.Row(row), at.dy.Row(row), cols, at.gamma, options, at.dgamma,
              reference::EmitToBoth(at.dsum.Row(row), at.dx.Row(row),
                                    at.dfx.Row(row)));
        }
      }
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_RMS_NORM_ROW_INL_H_
