// LayerNorm forward against the reference and golden values.
#include "kernels/layer_norm.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/golden.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/layer_norm_reference.h"
#include "kernels/row_stats_reference.h"

namespace addnorm {
namespace testing {
namespace {

double LargestOf(const Guarded& values) {
  const std::vector<double> doubles = DoubleInputs::Doubles(values);
  return Largest(doubles.data(), doubles.size());
}

struct Steps {
  explicit Steps(const Problem& problem)
      : deviation(problem.rows * problem.cols),
        normalized(problem.rows * problem.cols),
        y(problem.rows * problem.cols),
        mean(problem.rows),
        std(problem.rows),
        rstd(problem.rows),
        rms(problem.rows) {}

  std::vector<double> deviation, normalized, y, mean, std, rstd, rms;
};

Steps ExpectedSteps(const Problem& p) {
  const DoubleInputs in(p);
  Steps want(p);
  reference::LayerNormSteps<double>(
      in.X(), in.Gamma(), in.Beta(), p.layer_norm,
      {want.deviation.data(), p.rows, p.cols},
      {want.normalized.data(), p.rows, p.cols}, {want.y.data(), p.rows, p.cols},
      want.mean.data(), want.std.data(), want.rstd.data());
  reference::RowStats<double>(in.X(), p.layer_norm.variance, nullptr, nullptr,
                              want.rms.data());
  return want;
}

// Within a row, in ulps of the row's largest wanted value.
double ErrorBesideLargest(const Guarded& got, const std::vector<double>& want,
                          size_t row, size_t cols) {
  const double* values = want.data() + row * cols;
  return RowError(got.data() + row * cols, values, cols, Largest(values, cols));
}

void CompareForward(const Problem& p, const Steps& want, Verdict& verdict) {
  Guarded y = p.MatrixResult(0), mean = p.RowResult(1), rstd = p.RowResult(2);
  LayerNorm(p.X(), p.Gamma(), p.Beta(), p.layer_norm, p.View(y),
            p.Wants(0) ? mean.data() : nullptr,
            p.Wants(1) ? rstd.data() : nullptr);
  verdict.ExpectIntact(y, "y", p);
  verdict.ExpectIntact(mean, "mean", p);
  verdict.ExpectIntact(rstd, "rstd", p);
  const double largest_beta = p.has_beta ? LargestOf(p.beta) : 0.0;
  for (size_t r = 0; r < p.rows && p.cols > 0; ++r) {
    // Where beta takes away all that came before it, y is smaller than that.
    const double* row = want.y.data() + r * p.cols;
    const double scale = std::max(Largest(row, p.cols), largest_beta);
    verdict.Measure("y", RowError(y.data() + r * p.cols, row, p.cols, scale), p,
                    r);
    // The mean may be a small difference of large values.
    if (p.Wants(0)) {
      verdict.Measure("mean", Error(mean[r], want.mean[r], want.rms[r]), p, r);
    }
    if (p.Wants(1)) {
      verdict.Measure("rstd", Error(rstd[r], want.rstd[r], want.rstd[r]), p, r);
    }
  }
}

void CompareSteps(const Problem& p, const Steps& want, Verdict& verdict) {
  Guarded deviation = p.MatrixResult(0), normalized = p.MatrixResult(1),
          y = p.MatrixResult(2), mean = p.RowResult(3), std = p.RowResult(4),
          rstd = p.RowResult(5);
  LayerNormSteps(p.X(), p.Gamma(), p.Beta(), p.layer_norm, p.View(deviation),
                 p.View(normalized), p.View(y), mean.data(), std.data(),
                 rstd.data());
  for (const Guarded* output :
       {&deviation, &normalized, &y, &mean, &std, &rstd}) {
    verdict.ExpectIntact(*output, "one of the steps", p);
  }
  for (size_t r = 0; r < p.rows && p.cols > 0; ++r) {
    verdict.Measure("deviation",
                    ErrorBesideLargest(deviation, want.deviation, r, p.cols), p,
                    r);
    verdict.Measure("normalized",
                    ErrorBesideLargest(normalized, want.normalized, r, p.cols),
                    p, r);
    verdict.Measure("std", Error(std[r], want.std[r], want.std[r]), p, r);
  }
  Guarded plain_y = p.MatrixResult(6), plain_mean = p.RowResult(7),
          plain_rstd = p.RowResult(8);
  LayerNorm(p.X(), p.Gamma(), p.Beta(), p.layer_norm, p.View(plain_y),
            plain_mean.data(), plain_rstd.data());
  verdict.Expect(SameBits(y, plain_y), "y has LayerNorm's bits", p);
  verdict.Expect(SameBits(mean, plain_mean), "mean has LayerNorm's bits", p);
  verdict.Expect(SameBits(rstd, plain_rstd), "rstd has LayerNorm's bits", p);
}

TEST_CASE(
    "LayerNorm is within 4 ulp of a row's largest value at every width and "
    "convention and misalignment",
    "[layer_norm]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedSteps, CompareForward);
}

TEST_CASE("LayerNorm is within 4 ulp of a row's largest value at random",
          "[layer_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedSteps, CompareForward);
}

TEST_CASE(
    "LayerNormSteps shows accurate steps and ends in the bits of LayerNorm",
    "[layer_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedSteps, CompareSteps);
}

TEST_CASE("LayerNorm agrees with the golden values", "[layer_norm]") {
  const Json cases = ReadGolden("norms.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      if (record["op"] != "layer_norm") continue;
      INFO(record["name"]);
      const size_t rows = record["rows"], cols = record["cols"];
      const auto x = FloatsAt(record, "x"), gamma = FloatsAt(record, "gamma"),
                 beta = FloatsAt(record, "beta");
      const auto want_y = DoublesAt(record, "y"),
                 want_mean = DoublesAt(record, "mean");
      std::vector<float> y(rows * cols), mean(rows);
      LayerNorm({x.data(), rows, cols}, OrNull(gamma), OrNull(beta),
                LayerNormOptionsOf(record), {y.data(), rows, cols}, mean.data(),
                nullptr);
      // A tiny eps on tiny rows: the rounding of x to float32 decides.
      const bool loose = record["eps"] < 1e-9 && cols <= 3;
      CHECK(Distance(y, want_y) <= (loose ? 1e-2 : UsualTolerance(want_y)));
      CHECK(Distance(mean, want_mean) <= UsualTolerance(want_mean));
    }
  });
}

TEST_CASE("LayerNorm stands the cases in which others were wrong",
          "[layer_norm]") {
  const Json cases = ReadGolden("hard_cases.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      if (record["op"] != "layer_norm") continue;
      INFO(record["name"] << ", " << record["source"]);
      const size_t rows = record["rows"], cols = record["cols"];
      const auto x = FloatsAt(record, "x"), gamma = FloatsAt(record, "gamma"),
                 beta = FloatsAt(record, "beta");
      std::vector<float> y(rows * cols);
      LayerNorm({x.data(), rows, cols}, OrNull(gamma), OrNull(beta),
                LayerNormOptionsOf(record), {y.data(), rows, cols}, nullptr,
                nullptr);
      CHECK(Distance(y, DoublesAt(record, "y")) <= record["absTolerance"]);
    }
  });
}

TEST_CASE("LayerNorm reproduces the article's example", "[layer_norm]") {
  const Json record = ReadGolden("article.json")["layer_norm_example"];
  const auto x = FloatsAt(record, "x");
  ForEachTarget([&] {
    std::vector<float> y(x.size());
    LayerNorm({x.data(), 7, 8}, nullptr, nullptr,
              {1e-5, EpsPlacement::kOutside, Variance::kPopulation},
              {y.data(), 7, 8}, nullptr, nullptr);
    const auto want = DoublesAt(record, "y");
    CHECK(Distance(y, want) <= UsualTolerance(want));
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
