// RMSNorm forward: against the reference, its exact promises, golden values.
#include "kernels/rms_norm.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/golden.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/rms_norm_reference.h"

namespace addnorm {
namespace testing {
namespace {

struct Steps {
  explicit Steps(const Problem& problem)
      : normalized(problem.rows * problem.cols),
        y(problem.rows * problem.cols),
        rms(problem.rows),
        rstd(problem.rows) {}

  std::vector<double> normalized, y, rms, rstd;
};

Steps ExpectedSteps(const Problem& p) {
  const DoubleInputs in(p);
  Steps want(p);
  reference::RmsNormSteps<double>(
      in.X(), in.Gamma(), p.rms_norm, {want.normalized.data(), p.rows, p.cols},
      {want.y.data(), p.rows, p.cols}, want.rms.data(), want.rstd.data());
  return want;
}

// Within a row, in ulps of the row's largest wanted value.
double ErrorBesideLargest(const Guarded& got, const std::vector<double>& want,
                          size_t row, size_t cols) {
  const double* values = want.data() + row * cols;
  return RowError(got.data() + row * cols, values, cols, Largest(values, cols));
}

void CompareForward(const Problem& p, const Steps& want, Verdict& verdict) {
  Guarded y = p.MatrixResult(0), rstd = p.RowResult(1);
  RmsNorm(p.X(), p.Gamma(), p.rms_norm, p.View(y),
          p.Wants(0) ? rstd.data() : nullptr);
  verdict.ExpectIntact(y, "y", p);
  verdict.ExpectIntact(rstd, "rstd", p);
  for (size_t r = 0; r < p.rows && p.cols > 0; ++r) {
    verdict.Measure("y", ErrorBesideLargest(y, want.y, r, p.cols), p, r);
    if (p.Wants(0)) {
      verdict.Measure("rstd", Error(rstd[r], want.rstd[r], want.rstd[r]), p, r);
    }
  }
}

void CompareSteps(const Problem& p, const Steps& want, Verdict& verdict) {
  Guarded normalized = p.MatrixResult(0), y = p.MatrixResult(1),
          rms = p.RowResult(2), rstd = p.RowResult(3);
  RmsNormSteps(p.X(), p.Gamma(), p.rms_norm, p.View(normalized), p.View(y),
               rms.data(), rstd.data());
  for (const Guarded* output : {&normalized, &y, &rms, &rstd}) {
    verdict.ExpectIntact(*output, "one of the steps", p);
  }
  for (size_t r = 0; r < p.rows && p.cols > 0; ++r) {
    verdict.Measure("normalized",
                    ErrorBesideLargest(normalized, want.normalized, r, p.cols),
                    p, r);
    verdict.Measure("rms", Error(rms[r], want.rms[r], want.rms[r]), p, r);
  }
  Guarded plain_y = p.MatrixResult(4), plain_rstd = p.RowResult(5);
  RmsNorm(p.X(), p.Gamma(), p.rms_norm, p.View(plain_y), plain_rstd.data());
  verdict.Expect(SameBits(y, plain_y), "y has RmsNorm's bits", p);
  verdict.Expect(SameBits(rstd, plain_rstd), "rstd has RmsNorm's bits", p);
}

TEST_CASE(
    "RmsNorm is within 4 ulp of a row's largest value at every width and "
    "gamma offset and misalignment",
    "[rms_norm]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedSteps, CompareForward);
}

TEST_CASE("RmsNorm is within 4 ulp of a row's largest value at random",
          "[rms_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedSteps, CompareForward);
}

TEST_CASE("RmsNormSteps shows accurate steps and ends in the bits of RmsNorm",
          "[rms_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedSteps, CompareSteps);
}

TEST_CASE("RmsNorm may overwrite its input", "[rms_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded y = p.MatrixResult(0), x(p.x.Values(), p.Misalignment(0));
    RmsNorm(p.X(), p.Gamma(), p.rms_norm, p.View(y), nullptr);
    RmsNorm(p.View(x), p.Gamma(), p.rms_norm, p.View(x), nullptr);
    verdict.ExpectIntact(x, "x", p);
    verdict.Expect(SameBits(x, y), "y has the same bits in x's place", p);
  });
}

TEST_CASE("RmsNorm of zeros is zeros, with rstd 0 where eps is 0 too",
          "[rms_norm]") {
  ForEachTarget([] {
    for (const double eps : {0.0, 1e-300, 1e-45, 1e-5}) {
      for (const size_t cols : {1, 4, 33, 768}) {
        const std::vector<float> x(cols, 0.0f), gamma(cols, 2.0f);
        std::vector<float> y(cols, 9.0f);
        float rstd = 9.0f;
        RmsNorm({x.data(), 1, cols}, gamma.data(), {eps}, {y.data(), 1, cols},
                &rstd);
        CHECK(y == x);
        CHECK(rstd ==
              (eps == 0.0 ? 0.0f : static_cast<float>(1.0 / std::sqrt(eps))));
      }
    }
  });
}

TEST_CASE("RmsNorm leaves y finite where rstd overflows", "[rms_norm]") {
  ForEachTarget([] {
    const float x[] = {1e-45f, -1e-45f, 1e-45f, 1e-45f};
    float y[4], rstd;
    RmsNorm({x, 1, 4}, nullptr, {0.0}, {y, 1, 4}, &rstd);
    CHECK(std::isinf(rstd));
    CHECK(std::vector<float>(y, y + 4) ==
          std::vector<float>{1.0f, -1.0f, 1.0f, 1.0f});
  });
}

TEST_CASE("RmsNorm of no rows writes nothing", "[rms_norm]") {
  ForEachTarget([] {
    const Guarded x(0, 1), gamma(9, 0, 1.0f);
    Guarded y(0, 3), rstd(0, 0);
    RmsNorm({x.data(), 0, 9}, gamma.data(), {}, {y.data(), 0, 9}, rstd.data());
    CHECK((y.Intact() && rstd.Intact()));
  });
}

TEST_CASE("RmsNorm keeps a NaN or infinity within its row", "[rms_norm]") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    if (p.rows == 0 || p.cols == 0) return;
    const float poisons[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity,
                             -kInfinity};
    const size_t poisoned = p.wanted % p.rows;
    const size_t place = p.wanted / 64 % p.cols;
    const float poison = poisons[p.wanted % 3];
    Guarded clean = p.MatrixResult(0), y = p.MatrixResult(0);
    Guarded x(p.x.Values(), p.Misalignment(0));
    x[poisoned * p.cols + place] = poison;
    RmsNorm(p.X(), p.Gamma(), p.rms_norm, p.View(clean), nullptr);
    RmsNorm(p.View(x), p.Gamma(), p.rms_norm, p.View(y), nullptr);
    for (size_t i = 0; i < p.cols; ++i) {
      const size_t at = poisoned * p.cols + i;
      // Beside an infinity a finite value is 0; infinity * 0 is NaN.
      const bool is_nan = std::isnan(poison) || i == place;
      verdict.Expect(is_nan ? std::isnan(y[at]) : y[at] == 0.0f,
                     "the poisoned row holds NaN, or 0 beside infinity", p);
      y[at] = clean[at];
    }
    verdict.Expect(SameBits(y, clean), "other rows keep their bits", p);
  });
}

TEST_CASE("RmsNorm agrees with the golden values", "[rms_norm]") {
  const Json cases = ReadGolden("norms.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      if (record["op"] != "rms_norm") continue;
      INFO(record["name"]);
      const size_t rows = record["rows"], cols = record["cols"];
      const auto x = FloatsAt(record, "x"), gamma = FloatsAt(record, "gamma");
      const auto want = DoublesAt(record, "y");
      std::vector<float> y(rows * cols);
      RmsNorm({x.data(), rows, cols}, OrNull(gamma), RmsNormOptionsOf(record),
              {y.data(), rows, cols}, nullptr);
      CHECK(Distance(y, want) <= UsualTolerance(want));
    }
  });
}

TEST_CASE("RmsNorm stands the cases in which others were wrong", "[rms_norm]") {
  const Json cases = ReadGolden("hard_cases.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      if (record["op"] != "rms_norm") continue;
      INFO(record["name"] << ", " << record["source"]);
      const size_t rows = record["rows"], cols = record["cols"];
      const auto x = FloatsAt(record, "x"), gamma = FloatsAt(record, "gamma");
      std::vector<float> y(rows * cols);
      RmsNorm({x.data(), rows, cols}, OrNull(gamma), RmsNormOptionsOf(record),
              {y.data(), rows, cols}, nullptr);
      CHECK(Distance(y, DoublesAt(record, "y")) <= record["absTolerance"]);
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
