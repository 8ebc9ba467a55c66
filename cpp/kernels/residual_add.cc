// The residual connection, forward then backward, in Highway: one pass, two
// loads, one store and two or three operations a vector. Memory bounds it:
// beside the loop that only adds (memory_loops.h) it takes 1.1 to 1.3 times as
// long.
#include "kernels/residual_add.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/residual_add.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardResidualAdd(ConstMatrix x, ConstMatrix fx, float alpha, float beta,
                        Matrix sum) {
  const hn::ScalableTag<float> d;
  const auto alpha_lanes = hn::Set(d, alpha);
  const auto beta_lanes = hn::Set(d, beta);
  ForEachVector(d, 0, x.Size(), [&](size_t i, auto lanes) ADDNORM_LAMBDA {
    const auto scaled = hn::Mul(beta_lanes, lanes.Load(d, fx.data + i));
    const auto v = hn::MulAdd(alpha_lanes, lanes.Load(d, x.data + i), scaled);
    lanes.Store(v, d, sum.data + i);
  });
}

void Scale(ConstMatrix from, float factor, Matrix to) {
  const hn::ScalableTag<float> d;
  const auto factor_lanes = hn::Set(d, factor);
  ForEachVector(d, 0, from.Size(), [&](size_t i, auto lanes) ADDNORM_LAMBDA {
    const auto v = hn::Mul(factor_lanes, lanes.Load(d, from.data + i));
    lanes.Store(v, d, to.data + i);
  });
}

void BackwardResidualAdd(ConstMatrix dsum, float alpha, float beta, Matrix dx,
                         Matrix dfx) {
  // The output that overwrites dsum, if one does, comes last.
  const bool dx_first = dx.data != dsum.data;
  if (dx.data && dx_first) Scale(dsum, alpha, dx);
  if (dfx.data) Scale(dsum, beta, dfx);
  if (dx.data && !dx_first) Scale(dsum, alpha, dx);
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardResidualAdd);
HWY_EXPORT(BackwardResidualAdd);

void ResidualAdd(const ConstMatrix& x, const ConstMatrix& fx, float alpha,
                 float beta, const Matrix& sum) {
  HWY_DYNAMIC_DISPATCH(ForwardResidualAdd)(x, fx, alpha, beta, sum);
}

void ResidualAddBackward(const ConstMatrix& dsum, float alpha, float beta,
                         const Matrix& dx, const Matrix& dfx) {
  HWY_DYNAMIC_DISPATCH(BackwardResidualAdd)(dsum, alpha, beta, dx, dfx);
}

}  // namespace addnorm
#endif  // HWY_ONCE
