// Normalizing row after row, forward: what LayerNorm, RMSNorm and Add & Norm
// share. The loops over a row exist once for each form that they need; what
// stands around them exists once, and is told at run time which norm it serves.

#if defined(ADDNORM_SIMD_NORM_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_NORM_ROWS_INL_H_
#undef ADDNORM_SIMD_NORM_ROWS_INL_H_
#else
#define ADDNORM_SIMD_NORM_ROWS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/layer_norm_reference.h"
#include "kernels/norm_options.h"
#include "kernels/rms_norm_reference.h"
#include "matrix.h"
#include "simd/affine-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using RowTag = hn::ScalableTag<float>;

// LayerNorm, or RMSNorm.
struct RowNorm {
  RowNorm(const float* gamma_row, const float* beta_row,
          const LayerNormOptions& layer_norm)
      : centres(true), gamma(gamma_row), beta(beta_row), options(layer_norm) {}
  RowNorm(const float* gamma_row, const RmsNormOptions& rms_norm)
      : centres(false), gamma(gamma_row), gamma_offset(rms_norm.gamma_offset) {
    options.eps = rms_norm.eps;
  }

  GammaBeta LayerNormAffine() const { return {gamma, beta}; }
  OffsetGamma RmsNormAffine() const { return {gamma, gamma_offset}; }
  RmsNormOptions RmsOptions() const { return {options.eps, gamma_offset}; }

  bool centres;  // LayerNorm does
  const float* gamma;
  const float* beta = nullptr;
  float gamma_offset = 0.0f;
  LayerNormOptions options;
};

// What normalizes one row: ((x - shift) - correction) * rstd. Where the mean
// does not fit one float32, shift + correction is the mean, and their float32
// sum is not.
struct NormRow {
  float shift = 0.0f;
  float correction = 0.0f;
  float rstd = 0.0f;
  double mean = 0.0;
  // The standard deviation, or RMSNorm's root mean square, without eps.
  double spread = 0.0;
  // False where float32 squares overflow or vanish, a value is not finite, or
  // there are too few: the double reference has to serve the row.
  bool fits_float = true;
  // Whether sums over x serve as well as sums over the centred x.
  bool one_pass = true;
};

// In a row of fewer values, rounding errors find nothing to average out with.
// The reference serves it, as fast as part of one vector would.
constexpr size_t kLeastCount = 4;

// Below this mean square, float32 squares lose digits to underflow.
constexpr double kLeastMeanSquare = 1e-30;

// Above this one, a gradient's slope, which is about 1 / mean square, does.
constexpr double kMostMeanSquare = 1e34;

// Whether what they lose could not change the result beside eps.
HWY_INLINE bool EpsHidesUnderflow(double eps, EpsPlacement placement) {
  return eps >= (placement == EpsPlacement::kInside ? 1e-30 : 1e-12);
}

// From the sums of x and x^2 over the row (of which RMSNorm needs the second).
inline HWY_NOINLINE void Measure(const RowNorm& norm, const Sums& raw,
                                 const float* x, size_t count, NormRow* row) {
  // What rounding the mean to float32 may shift a normalized value by.
  constexpr double kHidden = 0x1p-24;
  const LayerNormOptions& options = norm.options;
  const double inverse =
      1.0 / reference::VarianceDivisor(count, options.variance);
  const Moments moments =
      norm.centres ? MomentsOf(RowTag(), raw, x, count)
                   : Moments{0.0, raw.second, std::isfinite(raw.second), true};
  const double variance = moments.squares * inverse;
  const double spread = std::sqrt(variance);
  const float shift = static_cast<float>(moments.mean);
  const float correction =
      static_cast<float>(moments.mean - static_cast<double>(shift));
  const float rstd = static_cast<float>(
      reference::ReciprocalStd(variance, options.eps, options.eps_placement));
  row->shift = shift;
  row->correction =
      std::fabs(correction) <= spread * kHidden ? 0.f : correction;
  row->rstd = rstd;
  row->mean = moments.mean;
  row->spread = spread;
  row->one_pass = moments.one_pass;
  row->fits_float = count >= kLeastCount && moments.finite &&
                    std::isfinite(rstd) && variance <= kMostMeanSquare &&
                    (variance >= kLeastMeanSquare ||
                     EpsHidesUnderflow(options.eps, options.eps_placement));
}

template <class Source>
HWY_INLINE void MeasureFrom(const RowNorm& norm, const Source& source,
                            const float* x, size_t count, NormRow* row) {
  const RowTag d;
  if (norm.centres) {
    Measure(norm, RawSums(d, source, count), x, count, row);
  } else {
    Measure(norm, SumOfSquares(d, source, count), x, count, row);
  }
}

// How a row is centred: not at all (RMSNorm), by one subtraction, or by two.
enum class Centre { kNone, kMean, kCorrected };

template <Centre kCentre, class D, class Row>
HWY_INLINE hn::Vec<D> Centred(D d, const Row& row, hn::Vec<D> x) {
  if constexpr (kCentre == Centre::kNone) return x;
  const auto deviation = hn::Sub(x, hn::Set(d, row.shift));
  if constexpr (kCentre == Centre::kMean) return deviation;
  return hn::Sub(deviation, hn::Set(d, row.correction));
}

// A measured row on its way from x to y.
struct PendingRow {
  NormRow norm;
  const float* x = nullptr;
  float* y = nullptr;
};

// y = affine(normalized x) for two rows together, so that gamma and beta are
// loaded once. Each y may be its x; both rows may be the same. The copies tell
// the compiler that a store to y changes none of them.
template <Centre kCentre, class Affine>
HWY_NOINLINE void WriteRowPair(const PendingRow& first,
                               const PendingRow& second, size_t begin,
                               size_t count, const Affine& gain) {
  const RowTag d;
  const NormRow row_a = first.norm, row_b = second.norm;
  const float *x_a = first.x + begin, *x_b = second.x + begin;
  float *y_a = first.y + begin, *y_b = second.y + begin;
  const Affine affine = gain.From(begin);
  const size_t N = hn::Lanes(d);
  const auto rstd_a = hn::Set(d, row_a.rstd);
  const auto rstd_b = hn::Set(d, row_b.rstd);
  const auto write = [&](size_t i, auto lanes) ADDNORM_LAMBDA {
    const auto in_a = Centred<kCentre>(d, row_a, lanes.Load(d, x_a + i));
    const auto in_b = Centred<kCentre>(d, row_b, lanes.Load(d, x_b + i));
    const auto a = affine.Apply(d, i, lanes, hn::Mul(in_a, rstd_a));
    const auto b = affine.Apply(d, i, lanes, hn::Mul(in_b, rstd_b));
    lanes.Store(a, d, y_a + i);
    lanes.Store(b, d, y_b + i);
  };
  size_t i = 0;
  for (; i + 2 * N <= count; i += 2 * N) {
    write(i, AllLanes());
    write(i + N, AllLanes());
  }
  for (; i < count; i += N) write(i, SomeLanes{std::min(N, count - i)});
}

inline HWY_NOINLINE void WriteRows(const RowNorm& norm, const PendingRow& a,
                                   const PendingRow& b, size_t cols) {
  for (size_t i = 0; i < cols; i += kChunk) {
    const size_t count = std::min(kChunk, cols - i);
    if (!norm.centres) {
      WriteRowPair<Centre::kNone>(a, b, i, count, norm.RmsNormAffine());
    } else if (a.norm.correction == 0.0f && b.norm.correction == 0.0f) {
      WriteRowPair<Centre::kMean>(a, b, i, count, norm.LayerNormAffine());
    } else {
      WriteRowPair<Centre::kCorrected>(a, b, i, count, norm.LayerNormAffine());
    }
  }
}

// The place of row r in an output of one value a row that may be absent.
HWY_INLINE float* At(float* values, size_t r) {
  return values ? values + r : nullptr;
}

// Normalizes the rows of x or, where fx has data, of x + fx, which goes to sum.
// mean and rstd may be null; the outputs may be inputs.
inline HWY_NOINLINE void NormalizeRows(const RowNorm& norm,
                                       const ConstMatrix& x,
                                       const ConstMatrix& fx, const Matrix& sum,
                                       const Matrix& y, float* mean,
                                       float* rstd) {
  const size_t cols = x.cols;
  if (cols == 0) return;
  PendingRow pair[2];
  size_t pending = 0;
  for (size_t r = 0; r < x.rows; ++r) {
    PendingRow& row = pair[pending];
    row.y = y.Row(r);
    if (fx.data) {
      row.x = sum.Row(r);
      const SummedRow source{x.Row(r), fx.Row(r), sum.Row(r)};
      MeasureFrom(norm, source, row.x, cols, &row.norm);
    } else {
      row.x = x.Row(r);
      MeasureFrom(norm, StoredRow{row.x}, row.x, cols, &row.norm);
    }
    if (!row.norm.fits_float) {
      const ConstMatrix in{row.x, 1, cols};
      const Matrix out{row.y, 1, cols};
      if (norm.centres) {
        reference::LayerNorm<float>(in, norm.gamma, norm.beta, norm.options,
                                    out, At(mean, r), At(rstd, r));
      } else {
        reference::RmsNorm<float>(in, norm.gamma, norm.RmsOptions(), out,
                                  At(rstd, r));
      }
      continue;
    }
    if (mean) mean[r] = static_cast<float>(row.norm.mean);
    if (rstd) rstd[r] = row.norm.rstd;
    if (++pending == 2) {
      WriteRows(norm, pair[0], pair[1], cols);
      pending = 0;
    }
  }
  if (pending == 1) WriteRows(norm, pair[0], pair[0], cols);
}

// The rows of x on their way to y (NormalizeRows): centred (deviation may have
// null data), normalized, and the spread that divides them, before eps.
inline HWY_NOINLINE void StepThroughRows(const RowNorm& norm,
                                         const ConstMatrix& x,
                                         const Matrix& deviation,
                                         const Matrix& normalized,
                                         float* spread) {
  const RowTag d;
  const size_t cols = x.cols;
  for (size_t r = 0; r < x.rows && cols > 0; ++r) {
    const float* in = x.Row(r);
    float *centred = deviation.Row(r), *unit = normalized.Row(r);
    NormRow row;
    MeasureFrom(norm, StoredRow{in}, in, cols, &row);
    if (!row.fits_float) {
      const ConstMatrix one{in, 1, cols};
      const Matrix unit_out{unit, 1, cols};
      if (norm.centres) {
        reference::LayerNormSteps<float>(
            one, norm.gamma, norm.beta, norm.options, {centred, 1, cols},
            unit_out, {}, nullptr, spread + r, nullptr);
      } else {
        reference::RmsNormSteps<float>(one, norm.gamma, norm.RmsOptions(),
                                       unit_out, {}, spread + r, nullptr);
      }
      continue;
    }
    spread[r] = static_cast<float>(row.spread);
    // Squares that underflow are hidden by eps in y, but not in their mean.
    if (row.spread * row.spread < kLeastMeanSquare) {
      const reference::Stats stats =
          reference::Measure(in, cols, norm.options.variance);
      spread[r] = static_cast<float>(
          std::sqrt(norm.centres ? stats.variance : stats.mean_square));
    }
    ForEachVector(d, 0, cols, [&](size_t i, auto lanes) ADDNORM_LAMBDA {
      const auto v = Centred<Centre::kCorrected>(d, row, lanes.Load(d, in + i));
      if (centred) lanes.Store(v, d, centred + i);
      lanes.Store(hn::Mul(v, hn::Set(d, row.rstd)), d, unit + i);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_NORM_ROWS_INL_H_
