// What follows a normalization: * gamma + beta, in the forms that occur.

#if defined(ADDNORM_SIMD_AFFINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_AFFINE_INL_H_
#undef ADDNORM_SIMD_AFFINE_INL_H_
#else
#define ADDNORM_SIMD_AFFINE_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Features that an affine map is read for at a time: at least what a row's sums
// take before they are emptied.
constexpr size_t kChunk = std::max<size_t>(
    1024, 2 * kRounds * hn::MaxLanes(hn::ScalableTag<float>()));

// One value again and again, for parameters that are absent.
struct Repeated {
  float values[kChunk] = {};

  constexpr explicit Repeated(float value) {
    for (float& at : values) at = value;
  }
};

inline constexpr Repeated kOnes{1.0f};
// Added, they leave every value as it is, -0 too.
inline constexpr Repeated kNothing{-0.0f};

HWY_INLINE const float* ParametersFrom(const float* values, size_t begin,
                                       const Repeated& absent) {
  return values ? values + begin : absent.values;
}

// An affine map offers From(begin), which is the map for the kChunk features
// from there; of those, the vector at i: Apply(v) = gain * v + shift on the way
// forward, and Gain alone for the way back.
class GammaBeta {
 public:
  // Either may be null.
  GammaBeta(const float* gamma, const float* beta)
      : gamma_(gamma), beta_(beta) {}

  HWY_INLINE GammaBeta From(size_t begin) const {
    return {ParametersFrom(gamma_, begin, kOnes),
            ParametersFrom(beta_, begin, kNothing)};
  }
  template <class D, class Lanes>
  HWY_INLINE hn::Vec<D> Gain(D d, size_t i, Lanes lanes) const {
    return lanes.Load(d, gamma_ + i);
  }
  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Apply(D d, size_t i, Lanes lanes, V v) const {
    return hn::MulAdd(v, lanes.Load(d, gamma_ + i), lanes.Load(d, beta_ + i));
  }

 private:
  const float* gamma_;
  const float* beta_;
};

// RMSNorm's gain, offset + gamma, or 1 where gamma is null.
class OffsetGamma {
 public:
  OffsetGamma(const float* gamma, float offset)
      : gamma_(gamma), offset_(gamma ? offset : 0.0f) {}

  HWY_INLINE OffsetGamma From(size_t begin) const {
    return {ParametersFrom(gamma_, begin, kOnes), offset_};
  }
  template <class D, class Lanes>
  HWY_INLINE hn::Vec<D> Gain(D d, size_t i, Lanes lanes) const {
    return hn::Add(hn::Set(d, offset_), lanes.Load(d, gamma_ + i));
  }
  template <class D, class Lanes, class V = hn::Vec<D>>
  HWY_INLINE V Apply(D d, size_t i, Lanes lanes, V v) const {
    return hn::Mul(v, Gain(d, i, lanes));
  }

 private:
  const float* gamma_;
  float offset_;
};

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_AFFINE_INL_H_
