// Backward through a normalization, a block of rows at a time: what LayerNorm,
// RMSNorm and Add & Norm share.

#if defined(ADDNORM_SIMD_NORM_GRADIENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
#undef ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
#else
#define ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"
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

// With u = the centred x and g = gain * dy, one row's gradient is
// dx = g * rstd - (u * slope + offset).
struct GradientRow {
  NormRow norm;
  float slope = 0.0f;
  float offset = 0.0f;
  size_t index = 0;
};

// The sums of g and of g * u over a row.
template <Centre kCentre, class D, class Affine>
HWY_NOINLINE Sums GradientSums(D d, const NormRow& row, const float* x,
                               const float* dy, size_t count,
                               const Affine& affine) {
  return SumRow(
      d, count, [&](size_t i, auto lanes, auto& a, auto& b) ADDNORM_LAMBDA {
        const auto g =
            lanes.Keep(d, affine.Gain(d, i, lanes, lanes.Load(d, dy + i)));
        a = hn::Add(a, g);
        b = hn::MulAdd(g, Centred<kCentre>(d, row, lanes.Load(d, x + i)), b);
      });
}

// Features that a block works on at a time.
constexpr size_t kTile = 256;

// The parameters' gradients of one block of rows at one tile of features: the
// rows' shares are added to each other before they meet the running sums.
struct TileSums {
  HWY_ALIGN float dgamma[kTile];
  HWY_ALIGN float dbeta[kTile];
};

// One row's gradient at features [begin, end), and its share of the
// parameters'.
template <Centre kCentre, class D, class Affine>
HWY_NOINLINE void WriteGradientTile(D d, const NormGradients& at,
                                    const GradientRow& source, size_t begin,
                                    size_t end, const Affine& gain,
                                    TileSums& sums) {
  const GradientRow row = source;
  const Affine affine = gain;
  const float *x = at.x.Row(row.index), *dy = at.dy.Row(row.index);
  const float* dsum = at.dsum.Row(row.index);
  float *dx = at.dx.Row(row.index), *dfx = at.dfx.Row(row.index);
  const auto rstd = hn::Set(d, row.norm.rstd);
  const auto slope = hn::Set(d, row.slope), offset = hn::Set(d, row.offset);
  float *dgamma = sums.dgamma, *dbeta = sums.dbeta;
  ForEachVector(d, begin, end, [&](size_t i, auto lanes) ADDNORM_LAMBDA {
    const size_t t = i - begin;
    const auto u = Centred<kCentre>(d, row.norm, lanes.Load(d, x + i));
    const auto upstream = lanes.Load(d, dy + i);
    const auto scaled = hn::Mul(upstream, rstd);
    lanes.Store(hn::MulAdd(scaled, u, lanes.Load(d, dgamma + t)), d,
                dgamma + t);
    if constexpr (kCentre != Centre::kNone) {
      lanes.Store(hn::Add(upstream, lanes.Load(d, dbeta + t)), d, dbeta + t);
    }
    auto gradient =
        hn::Sub(affine.Gain(d, i, lanes, scaled), hn::MulAdd(u, slope, offset));
    if (dsum) gradient = hn::Add(gradient, lanes.Load(d, dsum + i));
    lanes.Store(gradient, d, dx + i);
    if (dfx) lanes.Store(gradient, d, dfx + i);
  });
}

// total[0, count) += part[0, count); total may be null.
template <class D>
HWY_NOINLINE void Accumulate(D d, const float* part, size_t count,
                             float* total) {
  if (!total) return;
  ForEachVector(d, 0, count, [&](size_t i, auto lanes) ADDNORM_LAMBDA {
    const auto sum = hn::Add(lanes.Load(d, total + i), lanes.Load(d, part + i));
    lanes.Store(sum, d, total + i);
  });
}

// Calls body(integral constant of the Centre that the row needs).
template <bool kCentres, class Body>
HWY_INLINE void WithCentre(const NormRow& row, const Body& body) {
  if constexpr (!kCentres) {
    body(std::integral_constant<Centre, Centre::kNone>());
  } else if (row.correction == 0.0f) {
    body(std::integral_constant<Centre, Centre::kMean>());
  } else {
    body(std::integral_constant<Centre, Centre::kCorrected>());
  }
}

template <bool kCentres, class D, class Affine>
HWY_NOINLINE void BackpropagateBlock(D d, const Affine& affine,
                                     const NormGradients& at,
                                     const GradientRow* rows, size_t count) {
  const size_t cols = at.x.cols;
  for (size_t begin = 0; begin < cols; begin += kTile) {
    const size_t end = std::min(cols, begin + kTile);
    TileSums sums = {};
    for (const GradientRow* row = rows; row < rows + count; ++row) {
      WithCentre<kCentres>(row->norm, [&](auto centre) ADDNORM_LAMBDA {
        WriteGradientTile<centre()>(d, at, *row, begin, end, affine, sums);
      });
    }
    Accumulate(d, sums.dgamma, end - begin,
               at.dgamma ? at.dgamma + begin : nullptr);
    Accumulate(d, sums.dbeta, end - begin,
               at.dbeta ? at.dbeta + begin : nullptr);
  }
}

// The whole backward pass. Rows that float32 cannot carry go to the reference.
template <class D, class Norm>
HWY_INLINE void BackpropagateRows(D d, const Norm& norm,
                                  const NormGradients& at) {
  constexpr size_t kBlock = 16;
  const size_t cols = at.x.cols;
  if (cols == 0) return;
  GradientRow rows[kBlock];
  norm.WithAffine([&](auto affine) ADDNORM_LAMBDA {
    size_t count = 0;
    for (size_t r = 0; r < at.x.rows; ++r) {
      const float* x = at.x.Row(r);
      GradientRow& row = rows[count];
      row.index = r;
      row.norm = norm.Measure(d, StoredRow{x}, x, cols);
      if (!row.norm.fits_float) {
        norm.ReferenceGradientRow(at, r);
        continue;
      }
      WithCentre<Norm::kCentres>(row.norm, [&](auto centre) ADDNORM_LAMBDA {
        const Sums sums =
            GradientSums<centre()>(d, row.norm, x, at.dy.Row(r), cols, affine);
        norm.SetCoefficients(sums, cols, row);
      });
      if (++count < kBlock) continue;
      BackpropagateBlock<Norm::kCentres>(d, affine, at, rows, count);
      count = 0;
    }
    BackpropagateBlock<Norm::kCentres>(d, affine, at, rows, count);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_NORM_GRADIENTS_INL_H_
