// LayerNorm of single rows, forward and backward: what LayerNorm and Add & Norm
// share.

#if defined(ADDNORM_SIMD_LAYER_NORM_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_LAYER_NORM_ROW_INL_H_
#undef ADDNORM_SIMD_LAYER_NORM_ROW_INL_H_
#else
#define ADDNORM_SIMD_LAYER_NORM_ROW_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/add_norm_reference.h"
#include "kernels/layer_norm_reference.h"
#include "matrix.h"
#include "simd/affine-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What normalizes one row: (x - shift - correction) * rstd.
struct LayerNormRow {
  float shift = 0.0f;
  float correction = 0.0f;
  float rstd = 0.0f;
  double mean = 0.0;
  double std = 0.0;
  // False where float32 squares overflow or vanish, or a value is not finite:
  // the double reference has to serve the row.
  bool fits_float = true;
};

// Whether squares too small for float32 could change the result beside eps.
HWY_INLINE bool EpsHidesUnderflow(double eps, EpsPlacement placement) {
  return eps >= (placement == EpsPlacement::kInside ? 1e-30 : 1e-12);
}

template <class D, class Source>
HWY_NOINLINE LayerNormRow MeasureLayerNormRow(D d, const Source& source,
                                              const float* stored, size_t count,
                                              const LayerNormOptions& options) {
  constexpr double kLeastMeanSquare = 1e-30;
  const Moments moments = MeasureMoments(d, source, stored, count);
  const double variance =
      moments.squares / reference::VarianceDivisor(count, options.variance);
  const double rstd =
      reference::ReciprocalStd(variance, options.eps, options.eps_placement);
  LayerNormRow row;
  row.shift = moments.shift;
  row.correction = static_cast<float>(moments.correction);
  row.rstd = static_cast<float>(rstd);
  row.mean = static_cast<double>(moments.shift) + moments.correction;
  row.std = std::sqrt(variance);
  row.fits_float = moments.finite && std::isfinite(row.rstd) &&
                   (variance >= kLeastMeanSquare ||
                    EpsHidesUnderflow(options.eps, options.eps_placement));
  return row;
}

template <class D>
HWY_INLINE hn::Vec<D> Deviation(D d, const LayerNormRow& row, hn::Vec<D> x) {
  return hn::Sub(hn::Sub(x, hn::Set(d, row.shift)), hn::Set(d, row.correction));
}

template <class D>
HWY_INLINE hn::Vec<D> Normalized(D d, const LayerNormRow& row, hn::Vec<D> x) {
  return hn::Mul(Deviation(d, row, x), hn::Set(d, row.rstd));
}

// y = affine(normalized x). y may be x.
template <class D, class Affine>
HWY_NOINLINE void WriteLayerNormRow(D d, const LayerNormRow& row,
                                    const float* x, size_t count,
                                    const Affine& affine, float* y) {
  ForEachVector(d, 0, count, [&](size_t i, auto lanes) HWY_ATTR {
    const auto unit = Normalized(d, row, lanes.Load(d, x + i));
    lanes.Store(affine.Apply(d, i, lanes, unit), d, y + i);
  });
}

// The matrices of a backward pass. dsum and dfx may have null data.
struct LayerNormGradients {
  ConstMatrix x, dy, dsum;
  Matrix dx, dfx;
  const float* gamma;
  float* dgamma;
  float* dbeta;
};

// dgamma += dy * xhat and dbeta += dy over rows [begin, begin + count): the
// rows' shares are added to each other before they meet the running sum.
template <class D>
HWY_NOINLINE void AddParameterGradients(D d, const LayerNormGradients& at,
                                        const LayerNormRow* rows, size_t begin,
                                        size_t count) {
  ForEachVector(d, 0, at.x.cols, [&](size_t i, auto lanes) HWY_ATTR {
    auto dgamma = hn::Zero(d), dbeta = dgamma;
    for (size_t r = 0; r < count; ++r) {
      if (!rows[r].fits_float) continue;
      const auto dy = lanes.Load(d, at.dy.Row(begin + r) + i);
      const auto x = lanes.Load(d, at.x.Row(begin + r) + i);
      dgamma = hn::MulAdd(dy, Normalized(d, rows[r], x), dgamma);
      dbeta = hn::Add(dbeta, dy);
    }
    if (at.dgamma) {
      const auto before = lanes.Load(d, at.dgamma + i);
      lanes.Store(hn::Add(before, dgamma), d, at.dgamma + i);
    }
    if (at.dbeta) {
      const auto before = lanes.Load(d, at.dbeta + i);
      lanes.Store(hn::Add(before, dbeta), d, at.dbeta + i);
    }
  });
}

template <class D, class Affine>
HWY_INLINE void WriteLayerNormGradientRow(D d, const LayerNormGradients& at,
                                          const LayerNormRow& row, size_t r,
                                          const LayerNormOptions& options,
                                          const Affine& affine) {
  const size_t cols = at.x.cols;
  const float *x = at.x.Row(r), *dy = at.dy.Row(r), *dsum = at.dsum.Row(r);
  float *dx = at.dx.Row(r), *dfx = at.dfx.Row(r);
  const Sums sums =
      SumRow(d, cols, [&](size_t i, auto lanes, auto& a, auto& b) HWY_ATTR {
        const auto g = affine.Gain(d, i, lanes, lanes.Load(d, dy + i));
        const auto unit = Normalized(d, row, lanes.Load(d, x + i));
        a = hn::Add(a, lanes.Keep(d, g));
        b = hn::Add(b, lanes.Keep(d, hn::Mul(g, unit)));
      });
  double k = 1.0 / reference::VarianceDivisor(cols, options.variance);
  if (options.eps_placement == EpsPlacement::kOutside) {
    k *= row.std == 0.0 ? 0.0 : (row.std + options.eps) / row.std;
  }
  const auto mean_g =
      hn::Set(d, static_cast<float>(sums.first / static_cast<double>(cols)));
  const auto slope = hn::Set(d, static_cast<float>(sums.second * k));
  const auto rstd = hn::Set(d, row.rstd);
  ForEachVector(d, 0, cols, [&](size_t i, auto lanes) HWY_ATTR {
    const auto g = affine.Gain(d, i, lanes, lanes.Load(d, dy + i));
    const auto unit = Normalized(d, row, lanes.Load(d, x + i));
    auto gradient =
        hn::Mul(rstd, hn::NegMulAdd(unit, slope, hn::Sub(g, mean_g)));
    if (dsum) gradient = hn::Add(gradient, lanes.Load(d, dsum + i));
    lanes.Store(gradient, d, dx + i);
    if (dfx) lanes.Store(gradient, d, dfx + i);
  });
}

// The whole backward pass, a block of rows at a time: first the parameters'
// gradients, which still need the inputs that dx may overwrite, then dx.
template <class D>
HWY_NOINLINE void BackpropagateLayerNorm(D d, const LayerNormGradients& at,
                                         const LayerNormOptions& options) {
  constexpr size_t kBlock = 16;
  const size_t cols = at.x.cols;
  if (cols == 0) return;
  LayerNormRow rows[kBlock];
  WithGammaBeta(at.gamma, nullptr, [&](auto affine) HWY_ATTR {
    for (size_t begin = 0; begin < at.x.rows; begin += kBlock) {
      const size_t count = std::min(kBlock, at.x.rows - begin);
      for (size_t r = 0; r < count; ++r) {
        const float* x = at.x.Row(begin + r);
        rows[r] = MeasureLayerNormRow(d, StoredRow{x}, x, cols, options);
      }
      if (at.dgamma || at.dbeta) {
        AddParameterGradients(d, at, rows, begin, count);
      }
      for (size_t r = 0; r < count; ++r) {
        const size_t row = begin + r;
        if (rows[r].fits_float) {
          WriteLayerNormGradientRow(d, at, rows[r], row, options, affine);
        } else {
          reference::LayerNormBackwardRow(
              at.x.Row(row), at.dy.Row(row), cols, at.gamma, options, at.dgamma,
              at.dbeta,
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

#endif  // ADDNORM_SIMD_LAYER_NORM_ROW_INL_H_
