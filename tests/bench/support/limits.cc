// The copy and the add loop in Highway.
#include "bench/support/limits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/support/limits.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void Copy(const float* from, size_t count, float* to) {
  const hn::ScalableTag<float> d;
  ForEachVector(d, 0, count, [&](size_t i, auto lanes) HWY_ATTR {
    lanes.Store(lanes.Load(d, from + i), d, to + i);
  });
}

void Add(const float* x, const float* fx, size_t count, float* sum) {
  const hn::ScalableTag<float> d;
  ForEachVector(d, 0, count, [&](size_t i, auto lanes) HWY_ATTR {
    const auto v = hn::Add(lanes.Load(d, x + i), lanes.Load(d, fx + i));
    lanes.Store(v, d, sum + i);
  });
}

const char* Target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(Copy);
HWY_EXPORT(Add);
HWY_EXPORT(Target);

namespace bench {

void CopyLoop(const float* from, size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(Copy)(from, count, to);
}

void AddLoop(const float* x, const float* fx, size_t count, float* sum) {
  HWY_DYNAMIC_DISPATCH(Add)(x, fx, count, sum);
}

const char* TargetName() { return HWY_DYNAMIC_DISPATCH(Target)(); }

}  // namespace bench
}  // namespace addnorm
#endif  // HWY_ONCE
