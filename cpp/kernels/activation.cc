// Activations, forward then backward, in Highway: one pass. ReLU is bounded by
// memory; GELU and the sigmoid by their exponential, division and polynomials
// (some 60 and 25 operations a vector).
#include "kernels/activation.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/activation.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/exp-inl.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;

// The normal distribution's density without its factor 1 / sqrt(2 pi):
// exp(-a^2 / 2) for a on [0, 15]. a is split, so that the square of its upper
// part is exact: rounding a^2 would cost a^2 / 2 ulp.
Floats Bell(Floats a) {
  const FloatTag d;
  const hn::RebindToUnsigned<FloatTag> bits;
  const auto upper =
      hn::And(a, hn::BitCast(d, hn::Set(bits, uint32_t{0xfffff000u})));
  const auto half = hn::Set(d, -0.5f);
  const auto exact = ExpOf(d, hn::Mul(half, hn::Mul(upper, upper)));
  const auto rest =
      hn::Mul(half, hn::Mul(hn::Sub(a, upper), hn::Add(a, upper)));
  auto series = hn::MulAdd(rest, hn::Set(d, 1.0f / 6.0f), hn::Set(d, 0.5f));
  series = hn::MulAdd(rest, series, hn::Set(d, 1.0f));
  return hn::MulAdd(exact, hn::Mul(rest, series), exact);
}

// (1 - Phi(a)) / Bell(a) for a on [0, 15], as a polynomial in 1 / (1 + 0.34 a)
// through Chebyshev's nodes: within 3e-9 of itself before rounding.
Floats TailRatio(Floats a) {
  constexpr float kCoefficients[] = {
      0.01892736f,  -0.112321921f,  0.264932185f,  -0.293065429f,
      0.134111315f, -0.0509016104f, 0.0601405837f, 0.0868291631f,
      0.120065995f, 0.135642394f,   0.135639966f};
  const FloatTag d;
  const auto one = hn::Set(d, 1.0f);
  const auto t = hn::Div(one, hn::MulAdd(a, hn::Set(d, 0.34f), one));
  auto sum = hn::Zero(d);
  for (const float coefficient : kCoefficients) {
    sum = hn::MulAdd(sum, t, hn::Set(d, coefficient));
  }
  return hn::Mul(sum, t);
}

// f(x), or f'(x) where kSlope.
template <bool kSlope>
HWY_NOINLINE Floats Gelu(Floats x) {
  const FloatTag d;
  const auto a = hn::Min(hn::Abs(x), hn::Set(d, 15.0f));
  const auto bell = Bell(a);
  const auto tail = hn::Mul(bell, TailRatio(a));
  const auto phi = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail,
                                  hn::Sub(hn::Set(d, 1.0f), tail));
  if constexpr (!kSlope) return hn::Mul(x, phi);
  const auto density = hn::Mul(bell, hn::Set(d, 0.3989422804f));
  return hn::MulAdd(x, density, phi);
}

template <bool kSlope>
HWY_NOINLINE Floats Sigmoid(Floats x) {
  const FloatTag d;
  const auto one = hn::Set(d, 1.0f);
  const auto e = ExpOf(d, hn::Neg(hn::Abs(x)));
  const auto low = hn::Div(e, hn::Add(one, e));  // sigmoid(-|x|)
  const auto high = hn::Div(one, hn::Add(one, e));
  const auto y = kSlope ? hn::Mul(low, high)
                        : hn::IfThenElse(hn::Lt(x, hn::Zero(d)), low, high);
  return hn::IfThenElse(hn::Eq(x, x), y, x);
}

template <class Body>
HWY_INLINE void ForEachValue(size_t count, const Body& body) {
  ForEachVector(FloatTag(), 0, count, body);
}

void ForwardActivation(Activation f, ConstMatrix x, Matrix y) {
  const FloatTag d;
  const auto apply = [&](auto function) HWY_ATTR {
    ForEachValue(x.Size(), [&](size_t i, auto lanes) HWY_ATTR {
      lanes.Store(function(lanes.Load(d, x.data + i)), d, y.data + i);
    });
  };
  switch (f) {
    case Activation::kRelu:
      return apply([](Floats v) HWY_ATTR {
        const FloatTag tag;
        return hn::IfThenElse(hn::Lt(v, hn::Zero(tag)), hn::Zero(tag), v);
      });
    case Activation::kGelu:
      return apply([](Floats v) HWY_ATTR { return Gelu<false>(v); });
    case Activation::kSigmoid:
      return apply([](Floats v) HWY_ATTR { return Sigmoid<false>(v); });
  }
}

void BackwardActivation(Activation f, ConstMatrix x, ConstMatrix dy,
                        Matrix dx) {
  const FloatTag d;
  const auto apply = [&](auto slope) HWY_ATTR {
    ForEachValue(x.Size(), [&](size_t i, auto lanes) HWY_ATTR {
      const auto upstream = lanes.Load(d, dy.data + i);
      lanes.Store(hn::Mul(upstream, slope(lanes.Load(d, x.data + i))), d,
                  dx.data + i);
    });
  };
  switch (f) {
    case Activation::kRelu:
      return apply([](Floats v) HWY_ATTR {
        const FloatTag tag;
        return hn::IfThenElseZero(hn::Gt(v, hn::Zero(tag)), hn::Set(tag, 1.0f));
      });
    case Activation::kGelu:
      return apply([](Floats v) HWY_ATTR { return Gelu<true>(v); });
    case Activation::kSigmoid:
      return apply([](Floats v) HWY_ATTR { return Sigmoid<true>(v); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardActivation);
HWY_EXPORT(BackwardActivation);

void Activate(Activation f, const ConstMatrix& x, const Matrix& y) {
  HWY_DYNAMIC_DISPATCH(ForwardActivation)(f, x, y);
}

void ActivateBackward(Activation f, const ConstMatrix& x, const ConstMatrix& dy,
                      const Matrix& dx) {
  HWY_DYNAMIC_DISPATCH(BackwardActivation)(f, x, dy, dx);
}

}  // namespace addnorm
#endif  // HWY_ONCE
