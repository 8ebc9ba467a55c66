// The exponential, once for all kernels of a target.

#if defined(ADDNORM_SIMD_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_EXP_INL_H_
#undef ADDNORM_SIMD_EXP_INL_H_
#else
#define ADDNORM_SIMD_EXP_INL_H_
#endif

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// e^x within 1 ulp; 0 below -104, infinity from 89 on. NaN gives an unspecified
// value: who may meet it has to look.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ExpOf(D d, V x) {
  const V within = hn::Min(hn::Max(x, hn::Set(d, -110.0f)), hn::Set(d, 89.0f));
  return hn::CallExp(d, within);
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_EXP_INL_H_
