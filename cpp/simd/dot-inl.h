// The scalar product of two rows.

#if defined(ADDNORM_SIMD_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_DOT_INL_H_
#undef ADDNORM_SIMD_DOT_INL_H_
#else
#define ADDNORM_SIMD_DOT_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sum(a * b): products in float32, long sums in double (SumRow).
inline HWY_NOINLINE double DotRow(const float* a, const float* b,
                                  size_t count) {
  const hn::ScalableTag<float> d;
  const Sums sums =
      SumRow(d, count, [&](size_t i, auto lanes, auto& sum, auto&) HWY_ATTR {
        sum = hn::MulAdd(lanes.Load(d, a + i), lanes.Load(d, b + i), sum);
      });
  return sums.first;
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_DOT_INL_H_
