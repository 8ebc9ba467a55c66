// ScaleNorm, forward then backward, in Highway: a dot product of the row with
// itself, emptied into double every few vectors, then one multiplication a
// vector. The dot product's operations bound it.
#include "kernels/l2_norm.h"

#include <cmath>

#include "kernels/l2_norm_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/l2_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/dot-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

struct L2NormRow {
  double length = 0.0;
  double scale = 0.0;  // 1 / max(length, eps)
  // False where float32 squares overflow or vanish, or a value is not finite:
  // the double reference has to serve the row.
  bool fits_float = true;
};

HWY_NOINLINE L2NormRow MeasureL2NormRow(const float* x, size_t count,
                                        double eps) {
  constexpr double kLeastMeanSquare = 1e-30, kLeastScale = 1e-37;
  const double squares = DotRow(x, x, count);
  L2NormRow row;
  row.length = std::sqrt(squares);
  row.scale = reference::ReciprocalLength(row.length, eps);
  row.fits_float = std::isfinite(squares) && row.scale >= kLeastScale &&
                   std::isfinite(static_cast<float>(row.scale)) &&
                   squares >= kLeastMeanSquare * static_cast<double>(count);
  return row;
}

void ForwardL2Norm(const ConstMatrix& x, const float* gain, double eps,
                   const Matrix& y, float* norm) {
  const hn::ScalableTag<float> d;
  for (size_t r = 0; r < x.rows; ++r) {
    const float* in = x.Row(r);
    const L2NormRow row = MeasureL2NormRow(in, x.cols, eps);
    const double scale = row.scale * reference::ValueOr(gain, 0, 1.0);
    if (!row.fits_float || !std::isfinite(static_cast<float>(scale))) {
      reference::L2Norm<float>({in, 1, x.cols}, gain, eps,
                               {y.Row(r), 1, x.cols},
                               norm ? norm + r : nullptr);
      continue;
    }
    const auto scale_lanes = hn::Set(d, static_cast<float>(scale));
    ForEachVector(d, 0, x.cols, [&](size_t i, auto lanes) HWY_ATTR {
      lanes.Store(hn::Mul(lanes.Load(d, in + i), scale_lanes), d, y.Row(r) + i);
    });
    if (norm) norm[r] = static_cast<float>(row.length);
  }
}

void BackwardL2Norm(const ConstMatrix& x, const ConstMatrix& dy,
                    const float* gain, double eps, const Matrix& dx,
                    float* dgain) {
  const hn::ScalableTag<float> d;
  const double factor = reference::ValueOr(gain, 0, 1.0);
  double total = 0.0;
  for (size_t r = 0; r < x.rows; ++r) {
    const float *in = x.Row(r), *upstream = dy.Row(r);
    float* gradient = dx.Row(r);
    const L2NormRow row = MeasureL2NormRow(in, x.cols, eps);
    if (!row.fits_float || row.length <= eps) {
      total += reference::L2NormBackwardRow(in, upstream, x.cols, factor, eps,
                                            gradient);
      continue;
    }
    const auto scale = hn::Set(d, static_cast<float>(row.scale));
    const double sum = DotRow(in, upstream, x.cols) * row.scale;
    total += sum;
    const auto slope = hn::Set(d, static_cast<float>(sum));
    const auto gain_lanes = hn::Set(d, static_cast<float>(factor * row.scale));
    ForEachVector(d, 0, x.cols, [&](size_t i, auto lanes) HWY_ATTR {
      const auto unit = hn::Mul(lanes.Load(d, in + i), scale);
      const auto g = hn::NegMulAdd(unit, slope, lanes.Load(d, upstream + i));
      lanes.Store(hn::Mul(gain_lanes, g), d, gradient + i);
    });
  }
  if (dgain) *dgain = static_cast<float>(static_cast<double>(*dgain) + total);
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardL2Norm);
HWY_EXPORT(BackwardL2Norm);

void L2Norm(const ConstMatrix& x, const float* gain, double eps,
            const Matrix& y, float* norm) {
  HWY_DYNAMIC_DISPATCH(ForwardL2Norm)(x, gain, eps, y, norm);
}

void L2NormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                    const float* gain, double eps, const Matrix& dx,
                    float* dgain) {
  HWY_DYNAMIC_DISPATCH(BackwardL2Norm)(x, dy, gain, eps, dx, dgain);
}

}  // namespace addnorm
#endif  // HWY_ONCE
