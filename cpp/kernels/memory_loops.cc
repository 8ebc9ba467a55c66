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

// Pointers of their own, and four vectors a turn: else loading addresses and
// counting would take longer than moving the values.
void CopyLoop(const ConstMatrix& x, const Matrix& y) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d), count = x.Size();
  const float* from = x.data;
  float* to = y.data;
  const auto move = [=](size_t i, auto lanes) ADDNORM_LAMBDA {
    lanes.Store(lanes.Load(d, from + i), d, to + i);
  };
  size_t i = 0;
  for (; i + 4 * N <= count; i += 4 * N) {
    move(i, AllLanes());
    move(i + N, AllLanes());
    move(i + 2 * N, AllLanes());
    move(i + 3 * N, AllLanes());
  }
  ForEachVector(d, i, count, move);
}

void AddLoop(const ConstMatrix& x, const ConstMatrix& fx, const Matrix& sum) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d), count = x.Size();
  const float *a = x.data, *b = fx.data;
  float* to = sum.data;
  const auto add = [=](size_t i, auto lanes) ADDNORM_LAMBDA {
    lanes.Store(hn::Add(lanes.Load(d, a + i), lanes.Load(d, b + i)), d, to + i);
  };
  size_t i = 0;
  for (; i + 4 * N <= count; i += 4 * N) {
    add(i, AllLanes());
    add(i + N, AllLanes());
    add(i + 2 * N, AllLanes());
    add(i + 3 * N, AllLanes());
  }
  ForEachVector(d, i, count, add);
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
