// The gated residual sum, forward then backward, in Highway: one pass each way
// over four or seven matrices, bounded by memory.
#include "kernels/gated_add.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gated_add.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardGatedAdd(ConstMatrix x, ConstMatrix fx, ConstMatrix gate,
                     Matrix sum) {
  const hn::ScalableTag<float> d;
  ForEachVector(d, 0, x.Size(), [&](size_t i, auto lanes) HWY_ATTR {
    const auto open = lanes.Load(d, gate.data + i);
    const auto closed = hn::Sub(hn::Set(d, 1.0f), open);
    const auto kept = hn::Mul(closed, lanes.Load(d, x.data + i));
    lanes.Store(hn::MulAdd(open, lanes.Load(d, fx.data + i), kept), d,
                sum.data + i);
  });
}

void BackwardGatedAdd(ConstMatrix x, ConstMatrix fx, ConstMatrix gate,
                      ConstMatrix dsum, Matrix dx, Matrix dfx, Matrix dgate) {
  const hn::ScalableTag<float> d;
  ForEachVector(d, 0, x.Size(), [&](size_t i, auto lanes) HWY_ATTR {
    const auto open = lanes.Load(d, gate.data + i);
    const auto closed = hn::Sub(hn::Set(d, 1.0f), open);
    const auto upstream = lanes.Load(d, dsum.data + i);
    const auto difference =
        hn::Sub(lanes.Load(d, fx.data + i), lanes.Load(d, x.data + i));
    lanes.Store(hn::Mul(closed, upstream), d, dx.data + i);
    lanes.Store(hn::Mul(open, upstream), d, dfx.data + i);
    lanes.Store(hn::Mul(difference, upstream), d, dgate.data + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardGatedAdd);
HWY_EXPORT(BackwardGatedAdd);

void GatedAdd(const ConstMatrix& x, const ConstMatrix& fx,
              const ConstMatrix& gate, const Matrix& sum) {
  HWY_DYNAMIC_DISPATCH(ForwardGatedAdd)(x, fx, gate, sum);
}

void GatedAddBackward(const ConstMatrix& x, const ConstMatrix& fx,
                      const ConstMatrix& gate, const ConstMatrix& dsum,
                      const Matrix& dx, const Matrix& dfx,
                      const Matrix& dgate) {
  HWY_DYNAMIC_DISPATCH(BackwardGatedAdd)(x, fx, gate, dsum, dx, dfx, dgate);
}

}  // namespace addnorm
#endif  // HWY_ONCE
