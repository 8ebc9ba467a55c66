// Dynamic Tanh, forward then backward, in Highway: one pass, in which the
// exponential, two divisions and a polynomial of each vector (some 50
// operations) take all the time.
#include "kernels/dynamic_tanh.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dynamic_tanh.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/columns-inl.h"
#include "simd/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

using Floats = hn::Vec<ColumnsTag>;

// tanh(u), and 1 - tanh(u)^2 without the cancellation. Below 0.625 an odd
// polynomial (Cephes' tanhf, Moshier), above it 1 - 2 / (exp(2 |u|) + 1).
HWY_NOINLINE Floats TanhAndSlope(Floats u, Floats& slope) {
  const ColumnsTag d;
  const auto one = hn::Set(d, 1.0f), two = hn::Set(d, 2.0f);
  const auto magnitude = hn::Abs(u);
  const auto e = ExpOf(d, hn::Mul(hn::Neg(two), magnitude));
  const auto divisor = hn::Add(one, e);
  const auto large = hn::CopySign(hn::Div(hn::Sub(one, e), divisor), u);
  slope = hn::Div(hn::Mul(hn::Set(d, 4.0f), e), hn::Mul(divisor, divisor));
  const auto square = hn::Mul(u, u);
  auto sum = hn::Set(d, -5.70498872745e-3f);
  sum = hn::MulAdd(sum, square, hn::Set(d, 2.06390887954e-2f));
  sum = hn::MulAdd(sum, square, hn::Set(d, -5.37397155531e-2f));
  sum = hn::MulAdd(sum, square, hn::Set(d, 1.33314422036e-1f));
  sum = hn::MulAdd(sum, square, hn::Set(d, -3.33332819422e-1f));
  const auto small = hn::MulAdd(hn::Mul(sum, square), u, u);
  const auto t =
      hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.625f)), small, large);
  return hn::IfThenElse(hn::Eq(u, u), t, u);
}

void ForwardDynamicTanh(ConstMatrix x, float alpha, const float* gamma,
                        const float* beta, Matrix y) {
  const ColumnsTag d;
  const auto alpha_lanes = hn::Set(d, alpha);
  ForEachColumns(x.cols, [&](size_t col, ColumnLanes lanes) HWY_ATTR {
    const auto gain = lanes.LoadOr(gamma, col, 1.0f);
    const auto shift = lanes.LoadOr(beta, col, 0.0f);
    for (size_t r = 0; r < x.rows; ++r) {
      Floats slope;
      const auto t =
          TanhAndSlope(hn::Mul(alpha_lanes, lanes.Load(x.Row(r) + col)), slope);
      lanes.Store(hn::MulAdd(t, gain, shift), y.Row(r) + col);
    }
  });
}

void BackwardDynamicTanh(ConstMatrix x, ConstMatrix dy, float alpha,
                         const float* gamma, Matrix dx, float* dalpha,
                         float* dgamma, float* dbeta) {
  const ColumnsTag d;
  const auto alpha_lanes = hn::Set(d, alpha);
  double total = 0.0;
  ForEachColumns(x.cols, [&](size_t col, ColumnLanes lanes) HWY_ATTR {
    const auto gain = lanes.LoadOr(gamma, col, 1.0f);
    const size_t count = lanes.count;
    // One walk over the rows serves all four gradients, as dx may overwrite
    // what the others need.
    auto of_alpha = hn::Zero(d);
    const ColumnSums sums =
        SumColumns(x.rows, nullptr, [&](size_t r, auto& a, auto& b) HWY_ATTR {
          Floats slope;
          const auto in = lanes.Load(x.Row(r) + col);
          const auto t = TanhAndSlope(hn::Mul(alpha_lanes, in), slope);
          const auto upstream = lanes.Load(dy.Row(r) + col);
          const auto g = hn::Mul(hn::Mul(upstream, gain), slope);
          a = hn::MulAdd(upstream, t, a);
          b = hn::Add(b, upstream);
          of_alpha = hn::MulAdd(g, in, of_alpha);
          lanes.Store(hn::Mul(g, alpha_lanes), dx.Row(r) + col);
        });
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, of_alpha)));
    AddSums(sums.first, count, dgamma ? dgamma + col : nullptr);
    AddSums(sums.second, count, dbeta ? dbeta + col : nullptr);
  });
  if (dalpha) {
    *dalpha = static_cast<float>(static_cast<double>(*dalpha) + total);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardDynamicTanh);
HWY_EXPORT(BackwardDynamicTanh);

void DynamicTanh(const ConstMatrix& x, float alpha, const float* gamma,
                 const float* beta, const Matrix& y) {
  HWY_DYNAMIC_DISPATCH(ForwardDynamicTanh)(x, alpha, gamma, beta, y);
}

void DynamicTanhBackward(const ConstMatrix& x, const ConstMatrix& dy,
                         float alpha, const float* gamma, const Matrix& dx,
                         float* dalpha, float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(BackwardDynamicTanh)
  (x, dy, alpha, gamma, dx, dalpha, dgamma, dbeta);
}

}  // namespace addnorm
#endif  // HWY_ONCE
