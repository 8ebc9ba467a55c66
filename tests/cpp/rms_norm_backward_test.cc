// RMSNorm backward: the reference against central differences, the kernel
// against the reference, its exact promises, golden values.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/golden.h"
#include "cpp/support/gradient_scale.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/rms_norm.h"
#include "kernels/rms_norm_reference.h"

namespace addnorm {
namespace testing {
namespace {

struct Gradients {
  explicit Gradients(const Problem& problem)
      : dx(problem.rows * problem.cols),
        dgamma(problem.first_dgamma.begin(), problem.first_dgamma.end()),
        scale(problem) {}

  std::vector<double> dx, dgamma;
  GradientScale scale;
};

Gradients ExpectedGradients(const Problem& p) {
  const DoubleInputs in(p);
  Gradients want(p);
  want.scale = RmsNormGradientScale(p, in);
  reference::RmsNormBackward<double>(in.X(), in.Dy(), in.Gamma(), p.rms_norm,
                                     {want.dx.data(), p.rows, p.cols},
                                     want.dgamma.data());
  return want;
}

void CompareGradients(const Problem& p, const Gradients& want,
                      Verdict& verdict) {
  Guarded dx = p.MatrixResult(0), dgamma(p.first_dgamma, p.Misalignment(1));
  RmsNormBackward(p.X(), p.Dy(), p.Gamma(), p.rms_norm, p.View(dx),
                  p.Wants(0) ? dgamma.data() : nullptr);
  verdict.ExpectIntact(dx, "dx", p);
  verdict.ExpectIntact(dgamma, "dgamma", p);
  for (size_t r = 0; r < p.rows; ++r) {
    const size_t at = r * p.cols;
    verdict.Measure("dx",
                    RowError(dx.data() + at, want.dx.data() + at, p.cols,
                             want.scale.row[r]),
                    p, r);
  }
  verdict.MeasureSums("dgamma", p.Wants(0), dgamma, want.dgamma, p.first_dgamma,
                      want.scale.dgamma, p);
}

TEST_CASE("The reference's RmsNorm gradients are those of its forward pass",
          "[rms_norm]") {
  for (const bool has_gamma : {true, false}) {
    for (const float gamma_offset : {0.0f, 1.0f}) {
      for (const size_t cols : {1, 2, 3, 5, 8, 33}) {
        for (const double eps : {1e-5, 0.1}) {
          const RmsNormOptions options = {eps, gamma_offset};
          Draw draw(Seed(), cols);
          const size_t rows = 3;
          std::vector<double> x(rows * cols), dy(rows * cols), gamma(cols),
              y(rows * cols), dx(rows * cols), dgamma(cols);
          for (double& value : x) value = draw.Signed(0.5, 2.0);
          for (double& value : dy) value = draw.Normal();
          for (double& value : gamma) value = draw.Normal();
          const double* gamma_or_null = has_gamma ? gamma.data() : nullptr;
          const auto loss = [&] {
            reference::RmsNorm<double>({x.data(), rows, cols}, gamma_or_null,
                                       options, {y.data(), rows, cols},
                                       nullptr);
            double total = 0.0;
            for (size_t i = 0; i < y.size(); ++i) total += y[i] * dy[i];
            return total;
          };
          reference::RmsNormBackward<double>(
              {x.data(), rows, cols}, {dy.data(), rows, cols}, gamma_or_null,
              options, {dx.data(), rows, cols}, dgamma.data());
          INFO(cols << " features, eps " << eps << ", gamma " << has_gamma
                    << " + " << gamma_offset << ", ADDNORM_SEED=" << Seed());
          CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-8);
          if (has_gamma) {
            CHECK(RelativeDistance(dgamma, CentralDifferences(gamma, loss)) <
                  1e-9);
          }
        }
      }
    }
  }
}

TEST_CASE(
    "RmsNormBackward is within 4 ulp of the terms that meet in a gradient at "
    "every width and gamma offset and misalignment",
    "[rms_norm]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedGradients, CompareGradients);
}

TEST_CASE(
    "RmsNormBackward is within 4 ulp of the terms that meet in a gradient at "
    "random",
    "[rms_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedGradients, CompareGradients);
}

TEST_CASE("RmsNormBackward may overwrite dy or x with dx", "[rms_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded dx = p.MatrixResult(0), dgamma(p.first_dgamma, 0);
    RmsNormBackward(p.X(), p.Dy(), p.Gamma(), p.rms_norm, p.View(dx),
                    dgamma.data());
    for (const bool over_x : {true, false}) {
      Guarded x(p.x.Values(), p.Misalignment(0)),
          dy(p.dy.Values(), p.Misalignment(2)), dgamma2(p.first_dgamma, 0);
      Guarded& out = over_x ? x : dy;
      RmsNormBackward(p.View(x), p.View(dy), p.Gamma(), p.rms_norm, p.View(out),
                      dgamma2.data());
      verdict.ExpectIntact(out, "dx", p);
      verdict.Expect(SameBits(out, dx), "dx has the same bits there", p);
      verdict.Expect(SameBits(dgamma2, dgamma), "dgamma is the same", p);
    }
  });
}

TEST_CASE("RmsNormBackward is accurate where 1 / mean square underflows",
          "[rms_norm]") {
  ForEachTarget([] {
    const std::vector<float> dy = {0.3f, -1.0f, 0.7f, 0.2f, -0.6f};
    const std::vector<double> want_dy(dy.begin(), dy.end());
    for (const float magnitude : {1e16f, 1e17f, 1e18f, 5e18f, 1.2e19f, 1e20f}) {
      std::vector<float> x = {1.0f, -0.5f, 0.1f, 0.7f, -0.3f}, dx(5);
      for (float& value : x) value *= magnitude;
      const std::vector<double> want_x(x.begin(), x.end());
      std::vector<double> want(5);
      RmsNormBackward({x.data(), 1, 5}, {dy.data(), 1, 5}, nullptr, {},
                      {dx.data(), 1, 5}, nullptr);
      reference::RmsNormBackward<double>({want_x.data(), 1, 5},
                                         {want_dy.data(), 1, 5}, nullptr, {},
                                         {want.data(), 1, 5}, nullptr);
      INFO("x about " << magnitude);
      CHECK(RowError(dx.data(), want.data(), 5, Largest(want.data(), 5)) <=
            4.0);
    }
  });
}

TEST_CASE("RmsNormBackward of zeros with eps 0 is 0", "[rms_norm]") {
  ForEachTarget([] {
    const std::vector<float> x(19, 0.0f), dy(19, 1.0f);
    std::vector<float> dx(19, 9.0f), dgamma(19, 2.0f);
    RmsNormBackward({x.data(), 1, 19}, {dy.data(), 1, 19}, nullptr, {0.0},
                    {dx.data(), 1, 19}, dgamma.data());
    CHECK(dx == x);
    CHECK(dgamma == std::vector<float>(19, 2.0f));
  });
}

TEST_CASE("RmsNormBackward is right where float32 sums of dy overflow",
          "[rms_norm]") {
  constexpr size_t kRows = 3, kCols = 96;
  std::vector<float> x(kRows * kCols), dy(kRows * kCols);
  for (size_t i = 0; i < x.size(); ++i) {
    const float at = static_cast<float>(i);
    x[i] = std::sin(at);
    dy[i] = 1.5f + std::cos(0.7f * at);
    // The rows before and behind are ordinary.
    if (i / kCols == 1) dy[i] *= 2e37f;
  }
  const std::vector<double> want_x(x.begin(), x.end());
  const std::vector<double> want_dy(dy.begin(), dy.end());
  std::vector<double> want(x.size());
  reference::RmsNormBackward<double>({want_x.data(), kRows, kCols},
                                     {want_dy.data(), kRows, kCols}, nullptr,
                                     {}, {want.data(), kRows, kCols}, nullptr);
  ForEachTarget([&] {
    std::vector<float> dx(x.size());
    RmsNormBackward({x.data(), kRows, kCols}, {dy.data(), kRows, kCols},
                    nullptr, {}, {dx.data(), kRows, kCols}, nullptr);
    for (size_t r = 0; r < kRows; ++r) {
      INFO("row " << r);
      const double* row = want.data() + r * kCols;
      CHECK(RowError(dx.data() + r * kCols, row, kCols, Largest(row, kCols)) <=
            4.0);
    }
  });
}

TEST_CASE("RmsNormBackward keeps a NaN within its row", "[rms_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    if (p.rows == 0) return;
    const size_t poisoned = p.wanted % p.rows;
    Guarded clean = p.MatrixResult(0), dx = p.MatrixResult(0);
    Guarded x(p.x.Values(), p.Misalignment(0));
    x[poisoned * p.cols] = std::numeric_limits<float>::quiet_NaN();
    RmsNormBackward(p.X(), p.Dy(), p.Gamma(), p.rms_norm, p.View(clean),
                    nullptr);
    RmsNormBackward(p.View(x), p.Dy(), p.Gamma(), p.rms_norm, p.View(dx),
                    nullptr);
    for (size_t i = poisoned * p.cols; i < (poisoned + 1) * p.cols; ++i) {
      verdict.Expect(std::isnan(dx[i]), "the poisoned row is NaN", p);
      dx[i] = clean[i];
    }
    verdict.Expect(SameBits(dx, clean), "other rows keep their bits", p);
  });
}

TEST_CASE("RmsNormBackward agrees with the golden values", "[rms_norm]") {
  const Json cases = ReadGolden("norms.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      const size_t rows = record["rows"], cols = record["cols"];
      if (record["op"] != "rms_norm" || cols <= 2) continue;
      INFO(record["name"]);
      const auto x = FloatsAt(record, "x"), dy = FloatsAt(record, "dy"),
                 gamma = FloatsAt(record, "gamma");
      std::vector<float> dx(rows * cols), dgamma(cols);
      RmsNormBackward({x.data(), rows, cols}, {dy.data(), rows, cols},
                      OrNull(gamma), RmsNormOptionsOf(record),
                      {dx.data(), rows, cols}, dgamma.data());
      const auto want_dx = DoublesAt(record, "dx"),
                 want_dgamma = DoublesAt(record, "dgamma");
      CHECK(Distance(dx, want_dx) <=
            std::max(4e-6 * LargestOf(DoublesAt(record, "rstd")),
                     1e-5 * std::max(LargestOf(want_dx), 1e-3)));
      if (!want_dgamma.empty()) {
        CHECK(Distance(dgamma, want_dgamma) <=
              2e-5 * std::max(1.0, LargestOf(want_dgamma)));
      }
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
