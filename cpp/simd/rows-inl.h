// Row reductions and maps in Highway, shared by the kernels.

// Per-target include guard.
#if defined(ADDNORM_SIMD_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_ROWS_INL_H_
#undef ADDNORM_SIMD_ROWS_INL_H_
#else
#define ADDNORM_SIMD_ROWS_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hwy/highway.h"

// Lambdas need the target's attributes, and these are bodies of loops: a call
// would send all that they capture through memory.
#undef ADDNORM_LAMBDA
#define ADDNORM_LAMBDA HWY_ATTR __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How a body that works on one vector touches memory: all lanes, or only the
// first `count` where the row ends inside a vector. Load pads with zeros, Keep
// clears the lanes past the end, Store writes no byte past the end.
struct AllLanes {
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, const float* from) const {
    return hn::LoadU(d, from);
  }
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE void Store(V v, D d, float* to) const {
    hn::StoreU(v, d, to);
  }
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V Keep(D /*d*/, V v) const {
    return v;
  }
};

struct FirstLanes {
  size_t count;

  template <class D>
  HWY_NOINLINE hn::Vec<D> Load(D d, const float* from) const {
    HWY_ALIGN float lanes[hn::MaxLanes(D())];
    hn::Store(hn::Zero(d), d, lanes);
    for (size_t i = 0; i < count; ++i) lanes[i] = from[i];
    return hn::Load(d, lanes);
  }
  template <class D, class V = hn::Vec<D>>
  HWY_NOINLINE void Store(V v, D d, float* to) const {
    HWY_ALIGN float lanes[hn::MaxLanes(D())];
    hn::Store(v, d, lanes);
    for (size_t i = 0; i < count; ++i) to[i] = lanes[i];
  }
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V Keep(D d, V v) const {
    return hn::IfThenElseZero(hn::FirstN(d, count), v);
  }
};

// Either: one body serves both, as a branch costs less than a second copy of
// it.
struct SomeLanes {
  size_t count;

  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, const float* from) const {
    if (HWY_LIKELY(count == hn::Lanes(d))) return hn::LoadU(d, from);
    return FirstLanes{count}.Load(d, from);
  }
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE void Store(V v, D d, float* to) const {
    if (HWY_LIKELY(count == hn::Lanes(d))) return hn::StoreU(v, d, to);
    FirstLanes{count}.Store(v, d, to);
  }
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V Keep(D d, V v) const {
    return FirstLanes{count}.Keep(d, v);
  }
};

// Calls body(i, lanes) for each vector of a row of `count` values, from
// `begin`; only the last call may be partial.
template <class D, class Body>
HWY_INLINE void ForEachVector(D d, size_t begin, size_t count,
                              const Body& body) {
  const size_t N = hn::Lanes(d);
  size_t i = begin;
  for (; i + N <= count; i += N) body(i, AllLanes());
  if (i < count) body(i, FirstLanes{count - i});
}

struct Sums {
  double first = 0.0;
  double second = 0.0;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE double LanesInDouble(D d, V v) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, v)));
}

// Float32 accumulators hold at most kRounds terms a lane before they are
// emptied into double, so that the rounding error does not grow with the row.
constexpr size_t kRounds = 24;

// Two sums over a row. term(i, lanes, a, b) adds its vector's share to the
// accumulators a and b, of which four pairs hide the latency of the additions.
template <class D, class Term>
HWY_INLINE Sums SumRow(D d, size_t count, const Term& term) {
  const size_t N = hn::Lanes(d);
  Sums sums;
  const auto empty = [&](hn::Vec<D> a, hn::Vec<D> b) ADDNORM_LAMBDA {
    sums.first += LanesInDouble(d, a);
    sums.second += LanesInDouble(d, b);
  };
  size_t i = 0;
  while (i + 4 * N <= count) {
    auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0;
    auto b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    const size_t rounds = std::min(kRounds, (count - i) / (4 * N));
    for (const size_t end = i + rounds * 4 * N; i < end; i += 4 * N) {
      term(i, AllLanes(), a0, b0);
      term(i + N, AllLanes(), a1, b1);
      term(i + 2 * N, AllLanes(), a2, b2);
      term(i + 3 * N, AllLanes(), a3, b3);
    }
    empty(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)),
          hn::Add(hn::Add(b0, b1), hn::Add(b2, b3)));
  }
  if (i < count) {
    auto a = hn::Zero(d), b = a;
    for (; i < count; i += N) term(i, SomeLanes{std::min(N, count - i)}, a, b);
    empty(a, b);
  }
  return sums;
}

// Where a row's values come from: Load is called once for each vector of a
// pass. Here they lie in memory.
struct StoredRow {
  const float* row;

  template <class D, class Lanes>
  HWY_INLINE hn::Vec<D> Load(D d, size_t i, Lanes lanes) const {
    return lanes.Load(d, row + i);
  }
};

// x + fx, stored to `sum` as it is loaded.
struct SummedRow {
  const float* x;
  const float* fx;
  float* sum;

  template <class D, class Lanes>
  HWY_INLINE hn::Vec<D> Load(D d, size_t i, Lanes lanes) const {
    const auto v = hn::Add(lanes.Load(d, x + i), lanes.Load(d, fx + i));
    lanes.Store(v, d, sum + i);
    return v;
  }
};

// A row's mean and its sum of squared deviations.
struct Moments {
  double mean = 0.0;
  double squares = 0.0;
  bool finite = true;
  // Whether sums over x serve as well as sums over x - mean.
  bool one_pass = true;
};

// The sums of x and x^2 over a row.
template <class D, class Source>
HWY_NOINLINE Sums RawSums(D d, const Source& where, size_t count) {
  const Source source = where;  // which no store can change
  return SumRow(d, count,
                [&](size_t i, auto lanes, auto& a, auto& b) ADDNORM_LAMBDA {
                  const auto v = source.Load(d, i, lanes);
                  a = hn::Add(a, v);
                  b = hn::MulAdd(v, v, b);
                });
}

// The second of them alone.
template <class D, class Source>
HWY_NOINLINE Sums SumOfSquares(D d, const Source& where, size_t count) {
  const Source source = where;
  return SumRow(d, count,
                [&](size_t i, auto lanes, auto& /*a*/, auto& b) ADDNORM_LAMBDA {
                  const auto v = source.Load(d, i, lanes);
                  b = hn::MulAdd(v, v, b);
                });
}

// The sums of x - shift and of its square over a row.
template <class D>
HWY_NOINLINE Sums ShiftedSums(D d, const float* row, size_t count,
                              float shift) {
  const auto shift_lanes = hn::Set(d, shift);
  return SumRow(
      d, count, [&](size_t i, auto lanes, auto& a, auto& b) ADDNORM_LAMBDA {
        const auto v =
            lanes.Keep(d, hn::Sub(lanes.Load(d, row + i), shift_lanes));
        a = hn::Add(a, v);
        b = hn::MulAdd(v, v, b);
      });
}

// From the sums of x and x^2 over a row. They give mean and spread at once, as
// long as subtracting the mean's square takes at most a quarter of the sum: its
// rounding error then grows by 4/3 (by 2, y would miss 4 ulp), and |mean| is at
// most 0.58 standard deviations. Other rows take a second pass around the mean
// just found. `stored` is where the values lie; count is at least 1.
template <class D>
HWY_NOINLINE Moments MomentsOf(D d, const Sums& raw, const float* stored,
                               size_t count) {
  const double n = static_cast<double>(count);
  // Ready before the sums are.
  const double inverse = 1.0 / n;
  Moments moments;
  moments.mean = raw.first * inverse;
  moments.squares = raw.second - raw.first * moments.mean;
  moments.finite = std::isfinite(raw.first) && std::isfinite(raw.second);
  if (moments.finite && moments.squares < 0.75 * raw.second) {
    const float shift = static_cast<float>(moments.mean);
    const Sums rest = ShiftedSums(d, stored, count, shift);
    // Divided, the share of equal values is exact.
    const double correction = rest.first / n;
    moments.mean = static_cast<double>(shift) + correction;
    moments.squares = std::max(0.0, rest.second - rest.first * correction);
    moments.one_pass = false;
  }
  return moments;
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_ROWS_INL_H_
