// LayerNorm backward: the reference against central differences, the kernel
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
#include "kernels/layer_norm.h"
#include "kernels/layer_norm_reference.h"

namespace addnorm {
namespace testing {
namespace {

struct Gradients {
  explicit Gradients(const Problem& problem)
      : dx(problem.rows * problem.cols),
        dgamma(problem.first_dgamma.begin(), problem.first_dgamma.end()),
        dbeta(problem.first_dbeta.begin(), problem.first_dbeta.end()),
        scale(problem) {}

  std::vector<double> dx, dgamma, dbeta;
  GradientScale scale;
};

Gradients ExpectedGradients(const Problem& p) {
  const DoubleInputs in(p);
  Gradients want(p);
  want.scale = LayerNormGradientScale(p, in);
  reference::LayerNormBackward<double>(
      in.X(), in.Dy(), in.Gamma(), p.layer_norm,
      {want.dx.data(), p.rows, p.cols}, want.dgamma.data(), want.dbeta.data());
  return want;
}

void CompareGradients(const Problem& p, const Gradients& want,
                      Verdict& verdict) {
  Guarded dx = p.MatrixResult(0), dgamma(p.first_dgamma, p.Misalignment(1)),
          dbeta(p.first_dbeta, p.Misalignment(2));
  LayerNormBackward(p.X(), p.Dy(), p.Gamma(), p.layer_norm, p.View(dx),
                    p.Wants(0) ? dgamma.data() : nullptr,
                    p.Wants(1) ? dbeta.data() : nullptr);
  verdict.ExpectIntact(dx, "dx", p);
  verdict.ExpectIntact(dgamma, "dgamma", p);
  verdict.ExpectIntact(dbeta, "dbeta", p);
  for (size_t r = 0; r < p.rows; ++r) {
    const size_t at = r * p.cols;
    verdict.Measure("dx",
                    RowError(dx.data() + at, want.dx.data() + at, p.cols,
                             want.scale.row[r]),
                    p, r);
  }
  verdict.MeasureSums("dgamma", p.Wants(0), dgamma, want.dgamma, p.first_dgamma,
                      want.scale.dgamma, p);
  verdict.MeasureSums("dbeta", p.Wants(1), dbeta, want.dbeta, p.first_dbeta,
                      want.scale.dbeta, p);
}

TEST_CASE("The reference's LayerNorm gradients are those of its forward pass",
          "[layer_norm]") {
  for (unsigned bits = 0; bits < 16; ++bits) {
    for (const size_t cols : {2, 3, 5, 8, 33}) {
      for (const double eps : {1e-5, 0.1}) {
        Setting setting = SettingOf(bits);
        setting.layer_norm.eps = eps;
        Draw draw(Seed(), bits * 100 + cols);
        const size_t rows = 3;
        std::vector<double> x(rows * cols), dy(rows * cols), gamma(cols),
            beta(cols), y(rows * cols), dx(rows * cols), dgamma(cols),
            dbeta(cols);
        for (auto* values : {&x, &dy, &gamma, &beta}) {
          for (double& value : *values) value = draw.Normal();
        }
        const double* gamma_or_null =
            setting.has_gamma ? gamma.data() : nullptr;
        const double* beta_or_null = setting.has_beta ? beta.data() : nullptr;
        const auto loss = [&] {
          reference::LayerNorm<double>(
              {x.data(), rows, cols}, gamma_or_null, beta_or_null,
              setting.layer_norm, {y.data(), rows, cols}, nullptr, nullptr);
          double total = 0.0;
          for (size_t i = 0; i < y.size(); ++i) total += y[i] * dy[i];
          return total;
        };
        reference::LayerNormBackward<double>(
            {x.data(), rows, cols}, {dy.data(), rows, cols}, gamma_or_null,
            setting.layer_norm, {dx.data(), rows, cols}, dgamma.data(),
            dbeta.data());
        INFO(cols << " features, eps " << eps << ", options " << bits
                  << ", ADDNORM_SEED=" << Seed());
        CHECK(RelativeDistance(dx, CentralDifferences(x, loss, 1e-4)) < 1e-6);
        if (setting.has_gamma) {
          CHECK(RelativeDistance(dgamma, CentralDifferences(gamma, loss)) <
                1e-9);
        }
        if (setting.has_beta) {
          CHECK(RelativeDistance(dbeta, CentralDifferences(beta, loss)) < 1e-9);
        }
      }
    }
  }
}

TEST_CASE(
    "LayerNormBackward is within 4 ulp of the terms that meet in a gradient "
    "at every width and convention and misalignment",
    "[layer_norm]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedGradients, CompareGradients);
}

TEST_CASE(
    "LayerNormBackward is within 4 ulp of the terms that meet in a gradient "
    "at random",
    "[layer_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedGradients, CompareGradients);
}

TEST_CASE("LayerNormBackward may overwrite dy or x with dx", "[layer_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded dx = p.MatrixResult(0), dgamma(p.first_dgamma, 0),
            dbeta(p.first_dbeta, 0);
    LayerNormBackward(p.X(), p.Dy(), p.Gamma(), p.layer_norm, p.View(dx),
                      dgamma.data(), dbeta.data());
    for (const bool over_x : {true, false}) {
      Guarded x(p.x.Values(), p.Misalignment(0)),
          dy(p.dy.Values(), p.Misalignment(2)), dgamma2(p.first_dgamma, 0),
          dbeta2(p.first_dbeta, 0);
      Guarded& out = over_x ? x : dy;
      LayerNormBackward(p.View(x), p.View(dy), p.Gamma(), p.layer_norm,
                        p.View(out), dgamma2.data(), dbeta2.data());
      verdict.ExpectIntact(out, "dx", p);
      verdict.Expect(SameBits(out, dx), "dx has the same bits there", p);
      verdict.Expect(SameBits(dgamma2, dgamma), "dgamma is the same", p);
      verdict.Expect(SameBits(dbeta2, dbeta), "dbeta is the same", p);
    }
  });
}

TEST_CASE("LayerNormBackward of a single feature has no gradient but dbeta",
          "[layer_norm]") {
  ForEachTarget([] {
    for (unsigned bits = 0; bits < 4; ++bits) {
      for (const double eps : {1e-5, 1e-300, 0.0}) {
        LayerNormOptions options = SettingOf(bits).layer_norm;
        options.eps = eps;
        const float x[] = {3.0f, -1e30f, 1e-40f}, dy[] = {1.0f, -2.0f, 0.5f};
        const float gamma = 1.5f;
        float dx[] = {9.0f, 9.0f, 9.0f}, dgamma = 0.0f, dbeta = 0.0f;
        LayerNormBackward({x, 3, 1}, {dy, 3, 1}, &gamma, options, {dx, 3, 1},
                          &dgamma, &dbeta);
        CHECK((dx[0] == 0.0f && dx[1] == 0.0f && dx[2] == 0.0f));
        CHECK(dgamma == 0.0f);
        CHECK(dbeta == -0.5f);
      }
    }
  });
}

TEST_CASE("LayerNormBackward of a constant row with eps 0 is 0",
          "[layer_norm]") {
  ForEachTarget([] {
    for (unsigned bits = 0; bits < 4; ++bits) {
      LayerNormOptions options = SettingOf(bits).layer_norm;
      options.eps = 0.0;
      const std::vector<float> x(19, 0.1f), dy(19, 1.0f);
      std::vector<float> dx(19, 9.0f), dgamma(19, 2.0f);
      LayerNormBackward({x.data(), 1, 19}, {dy.data(), 1, 19}, nullptr, options,
                        {dx.data(), 1, 19}, dgamma.data(), nullptr);
      CHECK(dx == std::vector<float>(19, 0.0f));
      CHECK(dgamma == std::vector<float>(19, 2.0f));
    }
  });
}

TEST_CASE("LayerNormBackward is right where float32 sums of dy overflow",
          "[layer_norm]") {
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
  reference::LayerNormBackward<double>(
      {want_x.data(), kRows, kCols}, {want_dy.data(), kRows, kCols}, nullptr,
      {}, {want.data(), kRows, kCols}, nullptr, nullptr);
  ForEachTarget([&] {
    std::vector<float> dx(x.size());
    LayerNormBackward({x.data(), kRows, kCols}, {dy.data(), kRows, kCols},
                      nullptr, {}, {dx.data(), kRows, kCols}, nullptr, nullptr);
    for (size_t r = 0; r < kRows; ++r) {
      INFO("row " << r);
      const size_t at = r * kCols;
      CHECK(RowError(dx.data() + at, want.data() + at, kCols,
                     Largest(want_dy.data() + at, kCols)) <= 4.0);
    }
  });
}

TEST_CASE("A NaN reaches the gradients of its own row only", "[layer_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    if (p.rows == 0) return;
    const size_t poisoned = p.wanted % p.rows;
    Guarded clean = p.MatrixResult(0), dx = p.MatrixResult(0);
    Guarded x(p.x.Values(), p.Misalignment(0));
    x[poisoned * p.cols] = std::numeric_limits<float>::quiet_NaN();
    LayerNormBackward(p.X(), p.Dy(), p.Gamma(), p.layer_norm, p.View(clean),
                      nullptr, nullptr);
    LayerNormBackward(p.View(x), p.Dy(), p.Gamma(), p.layer_norm, p.View(dx),
                      nullptr, nullptr);
    for (size_t i = poisoned * p.cols; i < (poisoned + 1) * p.cols; ++i) {
      verdict.Expect(std::isnan(dx[i]), "the poisoned row is NaN", p);
      dx[i] = clean[i];
    }
    verdict.Expect(SameBits(dx, clean), "other rows keep their bits", p);
  });
}

TEST_CASE("LayerNormBackward agrees with the golden values", "[layer_norm]") {
  const Json cases = ReadGolden("norms.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      const size_t rows = record["rows"], cols = record["cols"];
      if (record["op"] != "layer_norm" || cols <= 2) continue;
      INFO(record["name"]);
      const auto x = FloatsAt(record, "x"), dy = FloatsAt(record, "dy"),
                 gamma = FloatsAt(record, "gamma");
      std::vector<float> dx(rows * cols), dgamma(cols), dbeta(cols);
      LayerNormBackward({x.data(), rows, cols}, {dy.data(), rows, cols},
                        OrNull(gamma), LayerNormOptionsOf(record),
                        {dx.data(), rows, cols}, dgamma.data(), dbeta.data());
      const auto want_dx = DoublesAt(record, "dx"),
                 want_dgamma = DoublesAt(record, "dgamma"),
                 want_dbeta = DoublesAt(record, "dbeta");
      CHECK(Distance(dx, want_dx) <=
            std::max(4e-6 * LargestOf(DoublesAt(record, "rstd")),
                     1e-5 * std::max(LargestOf(want_dx), 1e-3)));
      if (!want_dgamma.empty()) {
        CHECK(Distance(dgamma, want_dgamma) <=
              2e-5 * std::max(1.0, LargestOf(want_dgamma)));
      }
      if (!want_dbeta.empty()) CHECK(Distance(dbeta, want_dbeta) <= 2e-5);
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
