// Mean, standard deviation and root mean square of rows.
#include "kernels/row_stats.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/row_stats_reference.h"

namespace addnorm {
namespace testing {
namespace {

struct Statistics {
  std::vector<double> mean, std, rms;
};

Statistics ExpectedStatistics(const Problem& p) {
  const DoubleInputs in(p);
  Statistics want;
  for (auto* values : {&want.mean, &want.std, &want.rms}) {
    values->resize(p.rows);
  }
  reference::RowStats<double>(in.X(), p.layer_norm.variance, want.mean.data(),
                              want.std.data(), want.rms.data());
  return want;
}

void CompareStatistics(const Problem& p, const Statistics& want,
                       Verdict& verdict) {
  Guarded mean = p.RowResult(0), std = p.RowResult(1), rms = p.RowResult(2);
  RowStats(p.X(), p.layer_norm.variance, p.Wants(0) ? mean.data() : nullptr,
           p.Wants(1) ? std.data() : nullptr,
           p.Wants(2) ? rms.data() : nullptr);
  for (const Guarded* output : {&mean, &std, &rms}) {
    verdict.ExpectIntact(*output, "the statistics", p);
  }
  for (size_t r = 0; r < p.rows; ++r) {
    // The mean may be a small difference of large values.
    if (p.Wants(0)) {
      verdict.Measure("mean", Error(mean[r], want.mean[r], want.rms[r]), p, r);
    }
    if (p.Wants(1)) {
      verdict.Measure("std", Error(std[r], want.std[r], want.std[r]), p, r);
    }
    if (p.Wants(2)) {
      verdict.Measure("rms", Error(rms[r], want.rms[r], want.rms[r]), p, r);
    }
  }
}

TEST_CASE("RowStats is within 4 ulp at every width and misalignment",
          "[row_stats]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedStatistics, CompareStatistics);
}

TEST_CASE("RowStats is within 4 ulp at random", "[row_stats]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedStatistics, CompareStatistics);
}

TEST_CASE("RowStats of rows without features is zeros", "[row_stats]") {
  ForEachTarget([] {
    const Guarded x(0, 0);
    Guarded mean(3, 0, 9.0f), std(3, 1, 9.0f), rms(3, 3, 9.0f);
    RowStats({x.data(), 3, 0}, Variance::kSample, mean.data(), std.data(),
             rms.data());
    const std::vector<float> zeros(3, 0.0f);
    CHECK(mean.Values() == zeros);
    CHECK(std.Values() == zeros);
    CHECK(rms.Values() == zeros);
  });
}

TEST_CASE("RowStats of a single feature has std 0 with either divisor",
          "[row_stats]") {
  ForEachTarget([] {
    for (const auto variance : {Variance::kPopulation, Variance::kSample}) {
      const float x[] = {-0.1f, 3e38f};
      float mean[2], std[2], rms[2];
      RowStats({x, 2, 1}, variance, mean, std, rms);
      CHECK((mean[0] == -0.1f && mean[1] == 3e38f));
      CHECK((std[0] == 0.0f && std[1] == 0.0f));
      CHECK((rms[0] == 0.1f && rms[1] == 3e38f));
    }
  });
}

TEST_CASE("RowStats shows a NaN in its own row only", "[row_stats]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    if (p.rows == 0) return;
    const size_t poisoned = p.wanted % p.rows;
    Guarded x(p.x.Values(), p.Misalignment(0));
    x[poisoned * p.cols] = std::numeric_limits<float>::quiet_NaN();
    Guarded clean = p.RowResult(0), std = p.RowResult(0);
    RowStats(p.X(), p.layer_norm.variance, nullptr, clean.data(), nullptr);
    RowStats(p.View(x), p.layer_norm.variance, nullptr, std.data(), nullptr);
    verdict.Expect(std::isnan(std[poisoned]), "the poisoned row shows it", p);
    std[poisoned] = clean[poisoned];
    verdict.Expect(SameBits(std, clean), "other rows keep their bits", p);
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
