// Normalizing row after row, forward: what LayerNorm, RMSNorm and Add & Norm
// share. A norm is a policy (layer_norm_rows-inl.h, rms_norm_rows-inl.h).

#if defined(ADDNORM_SIMD_NORM_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_NORM_ROWS_INL_H_
#undef ADDNORM_SIMD_NORM_ROWS_INL_H_
#else
#define ADDNORM_SIMD_NORM_ROWS_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/norm_options.h"
#include "matrix.h"
#include "simd/affine-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// How a row is centred: not at all (RMSNorm), by one subtraction, or by two.
enum class Centre { kNone, kMean, kCorrected };

template <Centre kCentre, class D>
HWY_INLINE hn::Vec<D> Centred(D d, const NormRow& row, hn::Vec<D> x) {
  if constexpr (kCentre == Centre::kNone) return x;
  const auto deviation = hn::Sub(x, hn::Set(d, row.shift));
  if constexpr (kCentre == Centre::kMean) return deviation;
  return hn::Sub(deviation, hn::Set(d, row.correction));
}

// y = affine(normalized x) for two rows together, so that gamma and beta are
// loaded once. Each y may be its x; both rows may be the same. The copies
// tell the compiler that a store to y changes none of them.
template <Centre kCentre, class D, class Affine>
HWY_NOINLINE void WriteRowPair(D d, const NormRow& first, const NormRow& second,
                               const float* x_a, const float* x_b, size_t count,
                               const Affine& gain, float* y_a, float* y_b) {
  const NormRow row_a = first, row_b = second;
  const Affine affine = gain;
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
  ForEachVector(d, i, count, write);
}

// Takes measured rows one by one and writes them in pairs.
template <bool kCentres, class D, class Affine>
class PairWriter {
 public:
  PairWriter(D d, size_t count, const Affine& affine)
      : d_(d), count_(count), affine_(affine) {}

  HWY_INLINE void Add(const NormRow& row, const float* x, float* y) {
    if (waiting_) {
      Write(row, x, y);
      waiting_ = false;
      return;
    }
    row_ = row;
    x_ = x;
    y_ = y;
    waiting_ = true;
  }

  // Writes a row that found no partner.
  HWY_INLINE void Finish() {
    if (waiting_) Write(row_, x_, y_);
  }

 private:
  HWY_INLINE void Write(const NormRow& row, const float* x, float* y) {
    if constexpr (!kCentres) {
      WriteAs<Centre::kNone>(row, x, y);
    } else if (row.correction == 0.0f && row_.correction == 0.0f) {
      WriteAs<Centre::kMean>(row, x, y);
    } else {
      WriteAs<Centre::kCorrected>(row, x, y);
    }
  }
  template <Centre kCentre>
  HWY_INLINE void WriteAs(const NormRow& row, const float* x, float* y) {
    WriteRowPair<kCentre>(d_, row_, row, x_, x, count_, affine_, y_, y);
  }

  D d_;
  size_t count_;
  Affine affine_;
  NormRow row_;
  const float* x_ = nullptr;
  float* y_ = nullptr;
  bool waiting_ = false;
};

// The place of row r in an output of one value a row that may be absent.
HWY_INLINE float* At(float* values, size_t r) {
  return values ? values + r : nullptr;
}

// Normalizes every row of `stored`, whose values source_at(row) yields, and
// stores where they are computed.
template <class D, class Norm, class SourceAt>
HWY_INLINE void NormalizeRows(D d, const Norm& norm, const SourceAt& source_at,
                              ConstMatrix stored, Matrix y, float* mean,
                              float* rstd) {
  const size_t cols = stored.cols;
  if (cols == 0) return;
  norm.WithAffine([&](auto affine) ADDNORM_LAMBDA {
    PairWriter<Norm::kCentres, D, decltype(affine)> writer(d, cols, affine);
    for (size_t r = 0; r < stored.rows; ++r) {
      const float* x = stored.Row(r);
      const NormRow row = norm.Measure(d, source_at(r), x, cols);
      if (row.fits_float) {
        if (mean) mean[r] = static_cast<float>(row.mean);
        if (rstd) rstd[r] = row.rstd;
        writer.Add(row, x, y.Row(r));
      } else {
        norm.ReferenceRow(x, cols, y.Row(r), At(mean, r), At(rstd, r));
      }
    }
    writer.Finish();
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_NORM_ROWS_INL_H_
