// The scaled residual sum, forward then backward, in Highway.
#include "kernels/scaled_add.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/scaled_add.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

// Calls body(col, lanes, scale) for each vector of columns.
template <class Body>
HWY_INLINE void WithScale(const float* scale, size_t scale_count, size_t cols,
                          const Body& body) {
  const ColumnsTag d;
  ForEachVector(d, 0, cols, [&](size_t col, auto lanes) HWY_ATTR {
    body(col, lanes,
         scale_count == 1 ? hn::Set(d, *scale) : lanes.Load(d, scale + col));
  });
}

void ForwardScaledAdd(ConstMatrix x, ConstMatrix fx, const float* scale,
                      size_t scale_count, Matrix sum) {
  const ColumnsTag d;
  WithScale(scale, scale_count, x.cols,
            [&](size_t col, auto lanes, auto factor) HWY_ATTR {
              for (size_t r = 0; r < x.rows; ++r) {
                const auto v =
                    hn::MulAdd(factor, lanes.Load(d, fx.Row(r) + col),
                               lanes.Load(d, x.Row(r) + col));
                lanes.Store(v, d, sum.Row(r) + col);
              }
            });
}

void BackwardScaledAdd(ConstMatrix fx, ConstMatrix dsum, const float* scale,
                       size_t scale_count, Matrix dfx, float* dscale) {
  const ColumnsTag d;
  double total = 0.0;
  WithScale(scale, scale_count, fx.cols,
            [&](size_t col, auto lanes, auto factor) HWY_ATTR {
              const size_t count = std::min(hn::Lanes(d), fx.cols - col);
              const ColumnSums sums = SumColumns(
                  fx.rows, nullptr, [&](size_t r, auto& a, auto&) HWY_ATTR {
                    const auto upstream = lanes.Load(d, dsum.Row(r) + col);
                    a = hn::MulAdd(upstream, lanes.Load(d, fx.Row(r) + col), a);
                    lanes.Store(hn::Mul(factor, upstream), d, dfx.Row(r) + col);
                  });
              for (size_t i = 0; i < count; ++i) total += sums.first[i];
              if (dscale && scale_count != 1) {
                AddSums(sums.first, count, dscale + col);
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

void ScaledAdd(ConstMatrix x, ConstMatrix fx, const float* scale,
               size_t scale_count, Matrix sum) {
  HWY_DYNAMIC_DISPATCH(ForwardScaledAdd)(x, fx, scale, scale_count, sum);
}

void ScaledAddBackward(ConstMatrix fx, ConstMatrix dsum, const float* scale,
                       size_t scale_count, Matrix dfx, float* dscale) {
  HWY_DYNAMIC_DISPATCH(BackwardScaledAdd)
  (fx, dsum, scale, scale_count, dfx, dscale);
}

}  // namespace addnorm
#endif  // HWY_ONCE
