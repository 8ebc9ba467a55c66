// What follows a normalization: * gamma + beta, in the forms that occur.

#if defined(ADDNORM_SIMD_AFFINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_AFFINE_INL_H_
#undef ADDNORM_SIMD_AFFINE_INL_H_
#else
#define ADDNORM_SIMD_AFFINE_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// An affine map offers Apply(v) = gain * v + shift on the way forward and
// Gain(v) = gain * v on the way back, at the features from i.
struct Identity {
  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Apply(D /*d*/, size_t /*i*/, Lanes /*lanes*/, V v) const {
    return v;
  }
  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Gain(D /*d*/, size_t /*i*/, Lanes /*lanes*/, V v) const {
    return v;
  }
};

template <bool kGamma, bool kBeta>
struct GammaBeta {
  const float* gamma;
  const float* beta;

  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Apply(D d, size_t i, Lanes lanes, V v) const {
    if constexpr (kGamma && kBeta) {
      return hn::MulAdd(v, lanes.Load(d, gamma + i), lanes.Load(d, beta + i));
    } else if constexpr (kGamma) {
      return hn::Mul(v, lanes.Load(d, gamma + i));
    } else {
      return hn::Add(v, lanes.Load(d, beta + i));
    }
  }
  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Gain(D d, size_t i, Lanes lanes, V v) const {
    if constexpr (kGamma) return hn::Mul(v, lanes.Load(d, gamma + i));
    return v;
  }
};

struct OffsetGamma {
  const float* gamma;
  float offset;

  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Apply(D d, size_t i, Lanes lanes, V v) const {
    return hn::Mul(v, hn::Add(hn::Set(d, offset), lanes.Load(d, gamma + i)));
  }
  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Gain(D d, size_t i, Lanes lanes, V v) const {
    return Apply(d, i, lanes, v);
  }
};

// Calls body with the affine map that gamma and beta (either may be null) make.
template <class Body>
HWY_INLINE void WithGammaBeta(const float* gamma, const float* beta,
                              const Body& body) {
  if (gamma && beta) {
    body(GammaBeta<true, true>{gamma, beta});
  } else if (gamma) {
    body(GammaBeta<true, false>{gamma, beta});
  } else if (beta) {
    body(GammaBeta<false, true>{gamma, beta});
  } else {
    body(Identity());
  }
}

// The same for RMSNorm's gain, offset + gamma.
template <class Body>
HWY_INLINE void WithOffsetGamma(const float* gamma, float offset,
                                const Body& body) {
  if (gamma) {
    body(OffsetGamma{gamma, offset});
  } else {
    body(Identity());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_AFFINE_INL_H_
