// Backward through a normalization, a block of rows at a time: what LayerNorm,
// RMSNorm and Add & Norm share.

#if defined(ADDNORM_SIMD_NORM_GRADIENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
#undef ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
#else
#define ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/add_norm_reference.h"
#include "matrix.h"
#include "simd/norm_rows-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The matrices of a backward pass. dsum and dfx may have null data, dgamma and
// dbeta may be null.
struct NormGradients {
  ConstMatrix x, dy, dsum;
  Matrix dx, dfx;
  float* dgamma;
  float* dbeta;
};

// With u = (x - shift) - correction and g = gain * dy, one row's gradient is
// dx = g * rstd - (u * slope + offset).
struct GradientRow {
  float shift = 0.0f;
  float correction = 0.0f;
  float rstd = 0.0f;
  float slope = 0.0f;
  float offset = 0.0f;
};

// The sums of x and x^2, and of g and g * x over a row.
struct RawGradientSums {
  Sums x;
  Sums g;
};

template <class Affine>
HWY_NOINLINE RawGradientSums SumRawGradients(const float* x, const float* dy,
                                             size_t count,
                                             const Affine& affine) {
  const RowTag d;
  const size_t N = hn::Lanes(d);
  RawGradientSums sums;
  size_t i = 0;
  while (i < count) {
    auto x0 = hn::Zero(d), squares0 = x0, g0 = x0, gx0 = x0;
    auto x1 = x0, squares1 = x0, g1 = x0, gx1 = x0;
    const size_t begin = i, end = std::min(count, i + 2 * N * kRounds);
    const Affine at = affine.From(begin);
    const auto look = [&](size_t k, auto lanes, auto& sum, auto& squares,
                          auto& g_sum, auto& gx_sum) ADDNORM_LAMBDA {
      const auto v = lanes.Load(d, x + k);
      const auto g = lanes.Keep(
          d, hn::Mul(at.Gain(d, k - begin, lanes), lanes.Load(d, dy + k)));
      sum = hn::Add(sum, v);
      squares = hn::MulAdd(v, v, squares);
      g_sum = hn::Add(g_sum, g);
      gx_sum = hn::MulAdd(g, v, gx_sum);
    };
    for (; i + 2 * N <= end; i += 2 * N) {
      look(i, AllLanes(), x0, squares0, g0, gx0);
      look(i + N, AllLanes(), x1, squares1, g1, gx1);
    }
    for (; i < end; i += N) {
      look(i, SomeLanes{std::min(N, end - i)}, x0, squares0, g0, gx0);
    }
    sums.x.first += LanesInDouble(d, hn::Add(x0, x1));
    sums.x.second += LanesInDouble(d, hn::Add(squares0, squares1));
    sums.g.first += LanesInDouble(d, hn::Add(g0, g1));
    sums.g.second += LanesInDouble(d, hn::Add(gx0, gx1));
  }
  return sums;
}

// The sums of g and of g * u over a row of LayerNorm.
inline HWY_NOINLINE Sums SumGradients(const NormRow& row, const float* x,
                                      const float* dy, size_t count,
                                      const GammaBeta& affine) {
  const RowTag d;
  return SumRow(
      d, count, [&](size_t i, auto lanes, auto& a, auto& b) ADDNORM_LAMBDA {
        const auto gain = affine.From(i).Gain(d, 0, lanes);
        const auto g = lanes.Keep(d, hn::Mul(gain, lanes.Load(d, dy + i)));
        a = hn::Add(a, g);
        b = hn::MulAdd(
            g, Centred<Centre::kCorrected>(d, row, lanes.Load(d, x + i)), b);
      });
}

// Rows whose shares of the parameters' gradients are added to each other in
// registers, a vector of features at a time, before they meet the running sums.
constexpr size_t kBlock = 16;

// to[0, lanes) += share; nothing where `to` is null.
template <class Lanes>
HWY_INLINE void AddShare(hn::Vec<RowTag> share, Lanes lanes, float* to) {
  const RowTag d;
  if (to) lanes.Store(hn::Add(lanes.Load(d, to), share), d, to);
}

// The gradients of `count` rows from `first`; kStream: where dsum or dfx have
// data.
template <Centre kCentre, bool kStream, class Affine>
HWY_NOINLINE void WriteGradients(const NormGradients& at, size_t first,
                                 const GradientRow* rows, size_t count,
                                 const Affine& affine) {
  const RowTag d;
  const size_t N = hn::Lanes(d), cols = at.x.cols;
  const float *x = at.x.Row(first), *dy = at.dy.Row(first);
  const float* dsum = at.dsum.Row(first);
  float *dx = at.dx.Row(first), *dfx = at.dfx.Row(first);
  const auto write = [&](size_t k, auto lanes, const GradientRow& row,
                         auto gain, auto& dgamma, auto& dbeta) ADDNORM_LAMBDA {
    const auto u = Centred<kCentre>(d, row, lanes.Load(d, x + k));
    const auto upstream = lanes.Load(d, dy + k);
    const auto scaled = hn::Mul(upstream, hn::Set(d, row.rstd));
    dgamma = hn::MulAdd(scaled, u, dgamma);
    dbeta = hn::Add(dbeta, upstream);
    auto gradient =
        hn::Sub(hn::Mul(gain, scaled),
                hn::MulAdd(u, hn::Set(d, row.slope), hn::Set(d, row.offset)));
    if (kStream && dsum) gradient = hn::Add(gradient, lanes.Load(d, dsum + k));
    lanes.Store(gradient, d, dx + k);
    if (kStream && dfx) lanes.Store(gradient, d, dfx + k);
  };
  const auto share = [&](size_t i, auto lanes, auto dgamma, auto dbeta)
                         ADDNORM_LAMBDA {
                           AddShare(dgamma, lanes, At(at.dgamma, i));
                           AddShare(dbeta, lanes, At(at.dbeta, i));
                         };
  size_t i = 0;
  for (; i + 2 * N <= cols; i += 2 * N) {
    const AllLanes all;
    const Affine here = affine.From(i);
    const auto gain0 = here.Gain(d, 0, all), gain1 = here.Gain(d, N, all);
    auto dgamma0 = hn::Zero(d), dgamma1 = dgamma0;
    auto dbeta0 = dgamma0, dbeta1 = dgamma0;
    size_t k = i;
    for (size_t r = 0; r < count; ++r, k += cols) {
      write(k, all, rows[r], gain0, dgamma0, dbeta0);
      write(k + N, all, rows[r], gain1, dgamma1, dbeta1);
    }
    share(i, all, dgamma0, dbeta0);
    share(i + N, all, dgamma1, dbeta1);
  }
  for (; i < cols; i += N) {
    const SomeLanes lanes{std::min(N, cols - i)};
    const auto gain = affine.From(i).Gain(d, 0, lanes);
    auto dgamma = hn::Zero(d), dbeta = dgamma;
    size_t k = i;
    for (size_t r = 0; r < count; ++r, k += cols) {
      write(k, lanes, rows[r], gain, dgamma, dbeta);
    }
    share(i, lanes, dgamma, dbeta);
  }
}

inline HWY_NOINLINE void WriteBlock(const RowNorm& norm,
                                    const NormGradients& at, size_t first,
                                    const GradientRow* rows, size_t count) {
  if (count == 0) return;
  const bool stream = at.dsum.data || at.dfx.data;
  bool corrected = false;
  for (size_t r = 0; r < count; ++r) corrected |= rows[r].correction != 0.0f;
  if (!norm.centres) {
    const OffsetGamma affine = norm.RmsNormAffine();
    if (stream) {
      WriteGradients<Centre::kNone, true>(at, first, rows, count, affine);
    } else {
      WriteGradients<Centre::kNone, false>(at, first, rows, count, affine);
    }
  } else if (stream || corrected) {
    WriteGradients<Centre::kCorrected, true>(at, first, rows, count,
                                             norm.LayerNormAffine());
  } else {
    WriteGradients<Centre::kMean, false>(at, first, rows, count,
                                         norm.LayerNormAffine());
  }
}

// From the sums of g and g * u to dx = g * rstd - (u * slope + offset).
inline GradientRow Coefficients(const RowNorm& norm, const NormRow& row,
                                const Sums& sums, size_t count) {
  const LayerNormOptions& options = norm.options;
  const double rstd = static_cast<double>(row.rstd);
  double k = 1.0 / reference::VarianceDivisor(count, options.variance);
  if (options.eps_placement == EpsPlacement::kOutside) {
    k *= row.spread == 0.0 ? 0.0 : (row.spread + options.eps) / row.spread;
  }
  GradientRow to;
  to.shift = row.shift;
  to.correction = row.correction;
  to.rstd = row.rstd;
  to.slope = static_cast<float>(rstd * rstd * rstd * k * sums.second);
  if (norm.centres) {
    to.offset =
        static_cast<float>(rstd * sums.first / static_cast<double>(count));
  }
  return to;
}

// The whole backward pass. Rows that float32 cannot carry go to the reference.
inline HWY_NOINLINE void BackpropagateRows(const RowNorm& norm,
                                           const NormGradients& at) {
  const size_t cols = at.x.cols;
  if (cols == 0) return;
  GradientRow rows[kBlock];
  size_t count = 0;
  for (size_t r = 0; r < at.x.rows; ++r) {
    const float *x = at.x.Row(r), *dy = at.dy.Row(r);
    const RawGradientSums raw =
        norm.centres ? SumRawGradients(x, dy, cols, norm.LayerNormAffine())
                     : SumRawGradients(x, dy, cols, norm.RmsNormAffine());
    NormRow row;
    Measure(norm, raw.x, x, cols, &row);
    bool fits_float = row.fits_float;
    if (fits_float) {
      Sums sums = raw.g;
      if (row.one_pass) {
        sums.second -= row.mean * sums.first;
      } else {
        sums = SumGradients(row, x, dy, cols, norm.LayerNormAffine());
      }
      rows[count] = Coefficients(norm, row, sums, cols);
      // Not where sums of large gradients overflow.
      fits_float =
          std::isfinite(rows[count].slope) && std::isfinite(rows[count].offset);
      count += fits_float;
      if (fits_float && count < kBlock) continue;
    }
    WriteBlock(norm, at, r + fits_float - count, rows, count);
    count = 0;
    if (fits_float) continue;
    const auto emit =
        reference::EmitToBoth(at.dsum.Row(r), at.dx.Row(r), at.dfx.Row(r));
    if (norm.centres) {
      reference::LayerNormBackwardRow(x, dy, cols, norm.gamma, norm.options,
                                      at.dgamma, at.dbeta, emit);
    } else {
      reference::RmsNormBackwardRow(x, dy, cols, norm.gamma, norm.RmsOptions(),
                                    at.dgamma, emit);
    }
  }
  WriteBlock(norm, at, at.x.rows - count, rows, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
