// GroupNorm: against the reference, and LayerNorm where there is one group.
#include "kernels/group_norm.h"

#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/ulp.h"
#include "kernels/group_norm_reference.h"
#include "kernels/layer_norm.h"

namespace addnorm {
namespace testing {
namespace {

// The largest of 1, 2, 3 and 4 groups that divides the features.
size_t GroupsOf(const Problem& p) {
  for (const size_t groups : {4, 3, 2}) {
    if (p.cols % groups == 0 && p.wanted % 4 != 0) return groups;
  }
  return 1;
}

TEST_CASE("GroupNorm agrees with the reference, in x's place too",
          "[group_norm]") {
  const auto expected = [](const Problem& p) {
    const DoubleInputs in(p);
    std::vector<double> y(p.rows * p.cols);
    reference::GroupNorm<double>(in.X(), GroupsOf(p), in.Gamma(), in.Beta(),
                                 p.layer_norm, {y.data(), p.rows, p.cols},
                                 nullptr, nullptr);
    return y;
  };
  const auto compare = [](const Problem& p, const std::vector<double>& want,
                          Verdict& verdict) {
    const size_t groups = GroupsOf(p), width = p.cols / groups;
    Guarded y = p.MatrixResult(0), in_place(p.x.Values(), p.Misalignment(1)),
            mean(p.rows * groups, 1), rstd(p.rows * groups, 3);
    GroupNorm(p.X(), groups, p.Gamma(), p.Beta(), p.layer_norm, p.View(y),
              mean.data(), rstd.data());
    GroupNorm(p.View(in_place), groups, p.Gamma(), p.Beta(), p.layer_norm,
              p.View(in_place), nullptr, nullptr);
    for (const Guarded* output : {&y, &mean, &rstd}) {
      verdict.ExpectIntact(*output, "an output", p);
    }
    verdict.Expect(SameBits(y, in_place), "y has the same bits in x's place",
                   p);
    for (size_t part = 0; part < p.rows * groups; ++part) {
      const double* values = want.data() + part * width;
      verdict.Measure("y",
                      RowError(y.data() + part * width, values, width,
                               Largest(values, width)),
                      p, part / groups);
    }
    if (groups == 1) {
      Guarded layer = p.MatrixResult(2);
      LayerNorm(p.X(), p.Gamma(), p.Beta(), p.layer_norm, p.View(layer),
                nullptr, nullptr);
      verdict.Expect(SameBits(y, layer), "one group is LayerNorm", p);
    }
  };
  Sweep(ForEachSystematicProblem, 4.0, expected, compare);
  Sweep(ForEachRandomProblem, 4.0, expected, compare);
}

TEST_CASE("GroupNormBackward is LayerNormBackward of each group",
          "[group_norm]") {
  Sweep(
      ForEachRandomProblem, 0.0, [](const Problem&) { return 0; },
      [](const Problem& p, int, Verdict& verdict) {
        const size_t groups = GroupsOf(p), width = p.cols / groups;
        Guarded dx(p.dy.Values(), p.Misalignment(0));
        Guarded dgamma(p.first_dgamma, 1), dbeta(p.first_dbeta, 3);
        Guarded want_dx = p.MatrixResult(0), want_dgamma(p.first_dgamma, 0),
                want_dbeta(p.first_dbeta, 0);
        GroupNormBackward(p.X(), p.View(dx), groups, p.Gamma(), p.layer_norm,
                          p.View(dx), dgamma.data(), dbeta.data());
        for (size_t group = 0; groups > 1 && group < groups; ++group) {
          const size_t at = group * width;
          for (size_t r = 0; r < p.rows; ++r) {
            LayerNormBackward(
                {p.X().Row(r) + at, 1, width}, {p.Dy().Row(r) + at, 1, width},
                p.has_gamma ? p.Gamma() + at : nullptr, p.layer_norm,
                {p.View(want_dx).Row(r) + at, 1, width},
                want_dgamma.data() + at, want_dbeta.data() + at);
          }
        }
        if (groups == 1) {
          LayerNormBackward(p.X(), p.Dy(), p.Gamma(), p.layer_norm,
                            p.View(want_dx), want_dgamma.data(),
                            want_dbeta.data());
        }
        verdict.Expect(SameBits(dx, want_dx), "dx has LayerNorm's bits", p);
        verdict.Expect(
            SameBits(dgamma, want_dgamma) && SameBits(dbeta, want_dbeta),
            "dgamma and dbeta have LayerNorm's bits", p);
      });
}

TEST_CASE("The reference of GroupNormBackward agrees with central differences",
          "[group_norm]") {
  constexpr size_t kRows = 3, kCols = 6, kGroups = 2;
  Draw draw(9);
  std::vector<double> x(kRows * kCols), dy(x.size()), gamma(kCols), beta(kCols);
  for (auto* values : {&x, &dy, &gamma, &beta}) {
    for (double& value : *values) value = draw.Normal();
  }
  const LayerNormOptions options{0.1};
  const auto loss = [&] {
    std::vector<double> y(x.size());
    reference::GroupNorm<double>({x.data(), kRows, kCols}, kGroups,
                                 gamma.data(), beta.data(), options,
                                 {y.data(), kRows, kCols}, nullptr, nullptr);
    double sum = 0.0;
    for (size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  std::vector<double> dx(x.size()), dgamma(kCols), dbeta(kCols);
  reference::GroupNormBackward<double>(
      {x.data(), kRows, kCols}, {dy.data(), kRows, kCols}, kGroups,
      gamma.data(), options, {dx.data(), kRows, kCols}, dgamma.data(),
      dbeta.data());
  CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-8);
  CHECK(RelativeDistance(dgamma, CentralDifferences(gamma, loss)) < 1e-8);
  CHECK(RelativeDistance(dbeta, CentralDifferences(beta, loss)) < 1e-8);
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
