// The row reductions and maps that the kernels share, on every target.
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpp/rows_test.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

// Not inlined: within a test, where Emscripten's exceptions lead each call
// through JavaScript, no vector could be passed on.

HWY_NOINLINE size_t LaneCount() { return hn::Lanes(hn::ScalableTag<float>()); }

// to[i] = from[i] + 1 through every vector that ForEachVector visits; returns
// how many of them were partial.
HWY_NOINLINE size_t AddOne(const float* from, size_t begin, size_t count,
                           float* to) {
  const hn::ScalableTag<float> d;
  size_t partial = 0;
  ForEachVector(d, begin, count, [&](size_t i, auto lanes) HWY_ATTR {
    if (!std::is_same<decltype(lanes), AllLanes>()) ++partial;
    lanes.Store(hn::Add(lanes.Load(d, from + i), hn::Set(d, 1.0f)), d, to + i);
  });
  return partial;
}

// All lanes of a partial load, and of ones of which the first are kept.
HWY_NOINLINE void LoadFirst(const float* from, size_t count, float* loaded,
                            float* kept) {
  const hn::ScalableTag<float> d;
  const FirstLanes lanes = {count};
  hn::StoreU(lanes.Load(d, from), d, loaded);
  hn::StoreU(lanes.Keep(d, hn::Set(d, 1.0f)), d, kept);
}

// out: the sums of x and x^2.
HWY_NOINLINE void SumValuesAndSquares(const float* row, size_t count,
                                      double* out) {
  const Sums sums = RawSums(hn::ScalableTag<float>(), StoredRow{row}, count);
  out[0] = sums.first;
  out[1] = sums.second;
}

// out: mean, sum of squared deviations, whether both are finite.
HWY_NOINLINE void MeasureRow(const float* row, size_t count, double* out) {
  const hn::ScalableTag<float> d;
  const Moments moments =
      MomentsOf(d, RawSums(d, StoredRow{row}, count), row, count);
  out[0] = moments.mean;
  out[1] = moments.squares;
  out[2] = moments.finite ? 1.0 : 0.0;
}

// The same of x + fx, which is stored.
HWY_NOINLINE void MeasureSum(const float* x, const float* fx, size_t count,
                             float* sum, double* out) {
  const hn::ScalableTag<float> d;
  const Moments moments =
      MomentsOf(d, RawSums(d, SummedRow{x, fx, sum}, count), sum, count);
  out[0] = moments.mean;
  out[1] = moments.squares;
  out[2] = moments.finite ? 1.0 : 0.0;
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpp/support/catch2.h"
#include "cpp/support/draw.h"
#include "cpp/support/guarded.h"
#include "cpp/support/row_kinds.h"
#include "cpp/support/targets.h"
#include "kernels/row_stats_reference.h"

namespace addnorm {

HWY_EXPORT(LaneCount);
HWY_EXPORT(AddOne);
HWY_EXPORT(LoadFirst);
HWY_EXPORT(SumValuesAndSquares);
HWY_EXPORT(MeasureRow);
HWY_EXPORT(MeasureSum);

namespace testing {
namespace {

TEST_CASE("ForEachVector visits each value once and writes nothing else",
          "[rows]") {
  ForEachTarget([] {
    const size_t N = HWY_DYNAMIC_DISPATCH(LaneCount)();
    for (size_t count = 0; count <= 2 * N + 1; ++count) {
      for (size_t misalignment : {0, 1, 3}) {
        INFO(count << " values, misaligned " << misalignment);
        const Guarded from(count, misalignment, 41.0f);
        Guarded to(count, misalignment, -77.0f);
        const size_t partial =
            HWY_DYNAMIC_DISPATCH(AddOne)(from.data(), 0, count, to.data());
        CHECK(to.Values() == std::vector<float>(count, 42.0f));
        CHECK(to.Intact());
        CHECK(partial == (count % N != 0));
      }
    }
  });
}

TEST_CASE("ForEachVector leaves what comes before its beginning alone",
          "[rows]") {
  ForEachTarget([] {
    const std::vector<float> from(40, 41.0f);
    std::vector<float> to(40, -77.0f), want(40, 42.0f);
    HWY_DYNAMIC_DISPATCH(AddOne)(from.data(), 5, 40, to.data());
    for (size_t i = 0; i < 5; ++i) want[i] = -77.0f;
    CHECK(to == want);
  });
}

TEST_CASE("A partial vector is padded with zeros", "[rows]") {
  ForEachTarget([] {
    const size_t N = HWY_DYNAMIC_DISPATCH(LaneCount)();
    for (size_t count = 1; count < N; ++count) {
      const Guarded from(count, 1, 7.0f);
      Guarded loaded(N, 0, -77.0f), kept(N, 0, -77.0f);
      HWY_DYNAMIC_DISPATCH(LoadFirst)
      (from.data(), count, loaded.data(), kept.data());
      INFO(count << " of " << N << " lanes");
      for (size_t i = 0; i < N; ++i) {
        CHECK(loaded[i] == (i < count ? 7.0f : 0.0f));
        CHECK(kept[i] == (i < count ? 1.0f : 0.0f));
      }
    }
  });
}

TEST_CASE("The rounding error of a sum does not grow with the row", "[rows]") {
  ForEachTarget([] {
    for (const size_t count : {10, 1000, 100000, 1000000}) {
      const std::vector<float> row(count, 0.1f);
      double sums[2];
      HWY_DYNAMIC_DISPATCH(SumValuesAndSquares)(row.data(), count, sums);
      const double value = static_cast<double>(0.1f);
      const double n = static_cast<double>(count);
      INFO(count << " values");
      CHECK(std::fabs(sums[0] / (n * value) - 1.0) < 5e-7);
      CHECK(std::fabs(sums[1] / (n * value * value) - 1.0) < 5e-7);
    }
  });
}

TEST_CASE("The moments of every kind of row are those of the reference",
          "[rows]") {
  ForEachTarget([] {
    for (const auto& kind : kRowKinds) {
      for (const size_t count : {1, 2, 3, 7, 16, 33, 64, 257, 5000}) {
        Draw draw(Seed(), count);
        Guarded x(count, 1), zeros(count, 3), sum(count, 0);
        FillRow(kind.first, draw, x.data(), count);
        const reference::Stats want =
            reference::Measure(x.data(), count, Variance::kPopulation);
        const double n = static_cast<double>(count);
        double got[3], of_sum[3];
        HWY_DYNAMIC_DISPATCH(MeasureRow)(x.data(), count, got);
        HWY_DYNAMIC_DISPATCH(MeasureSum)
        (x.data(), zeros.data(), count, sum.data(), of_sum);
        INFO(kind.second << ", " << count
                         << " values, ADDNORM_SEED=" << Seed());
        CHECK(sum.Values() == x.Values());
        CHECK(sum.Intact());
        CHECK((of_sum[0] == got[0] || std::isnan(got[0])));
        CHECK((of_sum[1] == got[1] || std::isnan(got[1])));
        CHECK(of_sum[2] == got[2]);
        // Out of float32's range the moments say so, or are 0.
        if (want.mean_square > 1e34) continue;
        if (want.mean_square < 1e-30) {
          CHECK(std::fabs(got[1]) < 1e-30 * n);
          continue;
        }
        CHECK(got[2] == 1.0);
        CHECK(std::fabs(got[0] - want.mean) <=
              2e-7 * std::sqrt(want.variance) + 1e-14 * std::fabs(want.mean));
        CHECK(std::fabs(got[1] - want.variance * n) <=
              1e-6 * want.variance * n);
      }
    }
  });
}

TEST_CASE("The moments of a constant row are that constant and 0", "[rows]") {
  ForEachTarget([] {
    for (const float value : {0.1f, 1000.1f, -3e15f, 1e-20f, 0.0f}) {
      for (size_t count = 1; count < 300; ++count) {
        const std::vector<float> row(count, value);
        double got[3];
        HWY_DYNAMIC_DISPATCH(MeasureRow)(row.data(), count, got);
        INFO(count << " values of " << value);
        CHECK(static_cast<float>(got[0]) == value);
        CHECK(got[1] == 0.0);
      }
    }
  });
}

TEST_CASE("The moments of a row that holds NaN or infinity say so", "[rows]") {
  ForEachTarget([] {
    for (const float poison : {std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity()}) {
      for (size_t place = 0; place < 70; ++place) {
        std::vector<float> row(70, 1.0f);
        row[place] = poison;
        double got[3];
        HWY_DYNAMIC_DISPATCH(MeasureRow)(row.data(), row.size(), got);
        INFO(poison << " at " << place);
        CHECK(got[2] == 0.0);
      }
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
#endif  // HWY_ONCE
