// The benchmark's copy and add loops in Highway.
#include "kernels/memory_loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/memory_loops.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void CopyLoop(const ConstMatrix& x, const Matrix& y) {
  const hn::ScalableTag<float> d;
  ForEachVector(d, 0, x.Size(), [&](size_t i, auto lanes) ADDNORM_LAMBDA {
    lanes.Store(lanes.Load(d, x.data + i), d, y.data + i);
  });
}

void AddLoop(const ConstMatrix& x, const ConstMatrix& fx, const Matrix& sum) {
  const hn::ScalableTag<float> d;
  ForEachVector(d, 0, x.Size(), [&](size_t i, auto lanes) ADDNORM_LAMBDA {
    const auto v =
        hn::Add(lanes.Load(d, x.data + i), lanes.Load(d, fx.data + i));
    lanes.Store(v, d, sum.data + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(CopyLoop);
HWY_EXPORT(AddLoop);

void SimdCopy(const ConstMatrix& x, const Matrix& y) {
  HWY_DYNAMIC_DISPATCH(CopyLoop)(x, y);
}

void SimdAdd(const ConstMatrix& x, const ConstMatrix& fx, const Matrix& sum) {
  HWY_DYNAMIC_DISPATCH(AddLoop)(x, fx, sum);
}

}  // namespace addnorm
#endif  // HWY_ONCE
