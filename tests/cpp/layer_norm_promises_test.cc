// What LayerNorm forward promises exactly: to the bit, or 0, or NaN.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "kernels/layer_norm.h"

namespace addnorm {
namespace testing {
namespace {

TEST_CASE("LayerNorm may overwrite its input", "[layer_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded y = p.MatrixResult(0), x(p.x.Values(), p.Misalignment(0));
    LayerNorm(p.X(), p.Gamma(), p.Beta(), p.layer_norm, p.View(y), nullptr,
              nullptr);
    LayerNorm(p.View(x), p.Gamma(), p.Beta(), p.layer_norm, p.View(x), nullptr,
              nullptr);
    verdict.ExpectIntact(x, "x", p);
    verdict.Expect(SameBits(x, y), "y has the same bits in x's place", p);
  });
}

// Every convention, with and without gamma and beta, at widths that end within
// a vector, at its end and past it.
void ForEachSmallProblem(double eps, const Visit& visit) {
  for (unsigned bits = 0; bits < 16; ++bits) {
    for (const size_t cols : {1, 2, 3, 5, 16, 31, 33, 100, 768}) {
      Setting setting = SettingOf(bits);
      setting.rows = 5;
      setting.cols = cols;
      setting.layer_norm.eps = eps;
      visit(Problem(setting, Draw(1, bits),
                    "small problem " + std::to_string(bits)));
    }
  }
}

bool IsExactlyBeta(const Problem& p, const Guarded& y) {
  for (size_t i = 0; i < y.size(); ++i) {
    if (y[i] != (p.has_beta ? p.beta[i % p.cols] : 0.0f)) return false;
  }
  return true;
}

TEST_CASE("LayerNorm of a constant row is exactly beta", "[layer_norm]") {
  for (const double eps : {1e-5, 1.0, 1e-45, 1e-300, 0.0}) {
    SweepClaims(
        [eps](const Visit& visit) { ForEachSmallProblem(eps, visit); },
        [](const Problem& p, Verdict& verdict) {
          const float constants[] = {0.1f, 1000.1f, -3.3e38f, 1e-41f, 0.0f};
          Guarded x(p.rows * p.cols, p.Misalignment(0));
          for (size_t i = 0; i < x.size(); ++i) x[i] = constants[i / p.cols];
          Guarded y = p.MatrixResult(0), mean = p.RowResult(1);
          LayerNorm(p.View(x), p.Gamma(), p.Beta(), p.layer_norm, p.View(y),
                    mean.data(), nullptr);
          verdict.Expect(IsExactlyBeta(p, y), "y is beta", p);
          for (size_t r = 0; r < p.rows; ++r) {
            verdict.Expect(mean[r] == constants[r], "mean is the constant", p);
          }
        });
  }
}

TEST_CASE("LayerNorm of a single feature is exactly beta", "[layer_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    const size_t rows = std::min<size_t>(p.x.size(), 100);
    Guarded y = p.MatrixResult(0);
    const float *gamma = p.cols ? p.Gamma() : nullptr,
                *beta = p.cols ? p.Beta() : nullptr;
    LayerNorm({p.x.data(), rows, 1}, gamma, beta, p.layer_norm,
              {y.data(), rows, 1}, nullptr, nullptr);
    for (size_t r = 0; r < rows; ++r) {
      verdict.Expect(y[r] == (beta ? beta[0] : 0.0f), "y is beta", p);
    }
  });
}

TEST_CASE("LayerNorm of a constant row with eps 0 has rstd 0", "[layer_norm]") {
  ForEachTarget([] {
    for (unsigned bits = 0; bits < 4; ++bits) {
      LayerNormOptions options = SettingOf(bits).layer_norm;
      options.eps = 0.0;
      const std::vector<float> x(7, 0.3f);
      std::vector<float> y(7, -1.0f);
      float rstd = -1.0f;
      LayerNorm({x.data(), 1, 7}, nullptr, nullptr, options, {y.data(), 1, 7},
                nullptr, &rstd);
      CHECK(rstd == 0.0f);
      CHECK(y == std::vector<float>(7, 0.0f));
    }
  });
}

TEST_CASE("LayerNorm leaves y finite where rstd overflows", "[layer_norm]") {
  ForEachTarget([] {
    const float x[] = {1e-45f, 3e-45f, 1e-45f, 3e-45f};
    float y[4], rstd;
    LayerNorm({x, 1, 4}, nullptr, nullptr, {0.0}, {y, 1, 4}, nullptr, &rstd);
    CHECK(std::isinf(rstd));
    CHECK(std::vector<float>(y, y + 4) ==
          std::vector<float>{-1.0f, 1.0f, -1.0f, 1.0f});
  });
}

TEST_CASE("LayerNorm of no rows writes nothing", "[layer_norm]") {
  ForEachTarget([] {
    const Guarded x(0, 1);
    Guarded y(0, 3), mean(0, 0), rstd(0, 0);
    const Guarded gamma(9, 0, 1.0f);
    LayerNorm({x.data(), 0, 9}, gamma.data(), gamma.data(), {},
              {y.data(), 0, 9}, mean.data(), rstd.data());
    CHECK((y.Intact() && mean.Intact() && rstd.Intact()));
  });
}

TEST_CASE("A NaN or infinity turns its row into NaN and leaves others alone",
          "[layer_norm]") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    if (p.rows == 0 || p.cols == 0) return;
    const float poisons[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity,
                             -kInfinity};
    const size_t poisoned = p.wanted % p.rows;
    const size_t place = p.wanted / 64 % p.cols;
    Guarded clean = p.MatrixResult(0), y = p.MatrixResult(0);
    Guarded x(p.x.Values(), p.Misalignment(0));
    x[poisoned * p.cols + place] = poisons[p.wanted % 3];
    LayerNorm(p.X(), p.Gamma(), p.Beta(), p.layer_norm, p.View(clean), nullptr,
              nullptr);
    LayerNorm(p.View(x), p.Gamma(), p.Beta(), p.layer_norm, p.View(y), nullptr,
              nullptr);
    for (size_t i = 0; i < p.cols; ++i) {
      const size_t at = poisoned * p.cols + i;
      verdict.Expect(std::isnan(y[at]), "the poisoned row is NaN", p);
      y[at] = clean[at];
    }
    verdict.Expect(SameBits(y, clean), "other rows keep their bits", p);
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
