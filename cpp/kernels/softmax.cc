// Softmax, forward then backward, in Highway: a row is read for its largest
// value, then for the exponentials, whose 20 or so operations a vector bound
// it, and scaled. Backward, a dot product and one pass.
#include "kernels/softmax.h"

#include <cmath>

#include "kernels/softmax_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/dot-inl.h"
#include "simd/exp-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

// The largest of `count` (at least 1) values; NaN where one is not finite.
float LargestFinite(const float* x, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  float largest = x[0], poison = 0.0f;
  if (count < N) {
    for (size_t i = 0; i < count; ++i) {
      largest = std::max(largest, x[i]);
      poison += 0.0f * x[i];
    }
    return largest + poison;
  }
  auto most = hn::LoadU(d, x), zeros = hn::Zero(d);
  const auto look = [&](size_t i) HWY_ATTR {
    const auto v = hn::LoadU(d, x + i);
    most = hn::Max(most, v);
    zeros = hn::MulAdd(v, hn::Zero(d), zeros);
  };
  for (size_t i = 0; i + N <= count; i += N) look(i);
  look(count - N);
  return hn::GetLane(hn::MaxOfLanes(d, most)) +
         hn::GetLane(hn::SumOfLanes(d, zeros));
}

void SoftmaxOf(const float* x, size_t count, float* y) {
  if (count == 0) return;
  const hn::CappedTag<float, 16> d;
  const float largest = LargestFinite(x, count);
  if (std::isnan(largest)) return reference::SoftmaxRow(x, count, y);
  const auto shift = hn::Set(d, largest);
  // Summed with the rounding errors beside it (Knuth's TwoSum): a 1 would eat
  // the digits of the small values that are added to it one by one.
  auto sum = hn::Zero(d), lost = sum;
  ForEachVector(d, 0, count, [&](size_t i, auto lanes) HWY_ATTR {
    const auto e = ExpOf(d, hn::Sub(lanes.Load(d, x + i), shift));
    lanes.Store(e, d, y + i);
    const auto term = lanes.Keep(d, e);
    const auto next = hn::Add(sum, term);
    const auto added = hn::Sub(next, sum);
    lost = hn::Add(lost, hn::Add(hn::Sub(sum, hn::Sub(next, added)),
                                 hn::Sub(term, added)));
    sum = next;
  });
  HWY_ALIGN float sums[hn::MaxLanes(d)], rests[hn::MaxLanes(d)];
  hn::Store(sum, d, sums);
  hn::Store(lost, d, rests);
  double total = 0.0;
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    total += static_cast<double>(sums[i]) + static_cast<double>(rests[i]);
  }
  const auto scale = hn::Set(d, static_cast<float>(1.0 / total));
  ForEachVector(d, 0, count, [&](size_t i, auto lanes) HWY_ATTR {
    lanes.Store(hn::Mul(scale, lanes.Load(d, y + i)), d, y + i);
  });
}

void ForwardSoftmax(const ConstMatrix& x, const SoftmaxMask& mask,
                    const Matrix& y) {
  for (size_t r = 0; r < x.rows; ++r) {
    reference::SoftmaxMaskedRow(x.Row(r), x.cols, r, mask, y.Row(r), SoftmaxOf);
  }
}

void BackwardSoftmax(const ConstMatrix& y, const ConstMatrix& dy,
                     const Matrix& dx) {
  const hn::ScalableTag<float> d;
  for (size_t r = 0; r < y.rows; ++r) {
    const float *out = y.Row(r), *upstream = dy.Row(r);
    float* gradient = dx.Row(r);
    const double sum = DotRow(out, upstream, y.cols);
    const auto mean = hn::Set(d, static_cast<float>(sum));
    ForEachVector(d, 0, y.cols, [&](size_t i, auto lanes) HWY_ATTR {
      const auto g = hn::Sub(lanes.Load(d, upstream + i), mean);
      lanes.Store(hn::Mul(lanes.Load(d, out + i), g), d, gradient + i);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardSoftmax);
HWY_EXPORT(BackwardSoftmax);

void Softmax(const ConstMatrix& x, const SoftmaxMask& mask, const Matrix& y) {
  HWY_DYNAMIC_DISPATCH(ForwardSoftmax)(x, mask, y);
}

void SoftmaxBackward(const ConstMatrix& y, const ConstMatrix& dy,
                     const Matrix& dx) {
  HWY_DYNAMIC_DISPATCH(BackwardSoftmax)(y, dy, dx);
}

}  // namespace addnorm
#endif  // HWY_ONCE
