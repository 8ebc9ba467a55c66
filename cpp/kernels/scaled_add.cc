// The scaled residual sum, forward then backward, in Highway: a vector of
// columns at a time, one pass each way, bounded by the caches as batch_norm.cc
// is.
#include "kernels/scaled_add.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scaled_add.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

// scale[0, count) from col, or the one scale of all columns.
HWY_INLINE hn::Vec<ColumnsTag> ScaleAt(const float* scale, size_t scale_count,
                                       size_t col, ColumnLanes lanes) {
  return scale_count == 1 ? hn::Set(ColumnsTag(), *scale)
                          : lanes.Load(scale + col);
}

void ForwardScaledAdd(ConstMatrix x, ConstMatrix fx, const float* scale,
                      size_t scale_count, Matrix sum) {
  ForEachColumns(x.cols, [&](size_t col, ColumnLanes lanes) HWY_ATTR {
    const auto factor = ScaleAt(scale, scale_count, col, lanes);
    for (size_t r = 0; r < x.rows; ++r) {
      const auto v = hn::MulAdd(factor, lanes.Load(fx.Row(r) + col),
                                lanes.Load(x.Row(r) + col));
      lanes.Store(v, sum.Row(r) + col);
    }
  });
}

void BackwardScaledAdd(ConstMatrix fx, ConstMatrix dsum, const float* scale,
                       size_t scale_count, Matrix dfx, float* dscale) {
  double total = 0.0;
  ForEachColumns(fx.cols, [&](size_t col, ColumnLanes lanes) HWY_ATTR {
    const auto factor = ScaleAt(scale, scale_count, col, lanes);
    const ColumnSums sums =
        SumColumns(fx.rows, nullptr, [&](size_t r, auto& a, auto&) HWY_ATTR {
          const auto upstream = lanes.Load(dsum.Row(r) + col);
          a = hn::MulAdd(upstream, lanes.Load(fx.Row(r) + col), a);
          lanes.Store(hn::Mul(factor, upstream), dfx.Row(r) + col);
        });
    for (size_t i = 0; i < lanes.count; ++i) total += sums.first[i];
    if (dscale && scale_count != 1) {
      AddSums(sums.first, lanes.count, dscale + col);
    }
  });
  if (scale_count == 1) AddSums(&total, 1, dscale);
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardScaledAdd);
HWY_EXPORT(BackwardScaledAdd);

void ScaledAdd(const ConstMatrix& x, const ConstMatrix& fx, const float* scale,
               size_t scale_count, const Matrix& sum) {
  HWY_DYNAMIC_DISPATCH(ForwardScaledAdd)(x, fx, scale, scale_count, sum);
}

void ScaledAddBackward(const ConstMatrix& fx, const ConstMatrix& dsum,
                       const float* scale, size_t scale_count,
                       const Matrix& dfx, float* dscale) {
  HWY_DYNAMIC_DISPATCH(BackwardScaledAdd)
  (fx, dsum, scale, scale_count, dfx, dscale);
}

}  // namespace addnorm
#endif  // HWY_ONCE
