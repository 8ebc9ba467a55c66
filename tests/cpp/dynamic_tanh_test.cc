// Dynamic Tanh: against the reference, at the ends of tanh.
#include "kernels/dynamic_tanh.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/dynamic_tanh_reference.h"

namespace addnorm {
namespace testing {
namespace {

constexpr float kAlpha = 0.75f;

struct Expected {
  std::vector<double> y, dx, dgamma, dbeta;
  double dalpha = 0.0;
};

Expected ExpectedDynamicTanh(const Problem& p) {
  const DoubleInputs in(p);
  Expected want{std::vector<double>(p.rows * p.cols),
                std::vector<double>(p.rows * p.cols),
                {p.first_dgamma.begin(), p.first_dgamma.end()},
                {p.first_dbeta.begin(), p.first_dbeta.end()}};
  reference::DynamicTanh<double>(in.X(), static_cast<double>(kAlpha),
                                 in.Gamma(), in.Beta(),
                                 {want.y.data(), p.rows, p.cols});
  reference::DynamicTanhBackward<double>(
      in.X(), in.Dy(), static_cast<double>(kAlpha), in.Gamma(),
      {want.dx.data(), p.rows, p.cols}, &want.dalpha, want.dgamma.data(),
      want.dbeta.data());
  return want;
}

void CompareDynamicTanh(const Problem& p, const Expected& want,
                        Verdict& verdict) {
  Guarded y = p.MatrixResult(0), in_place(p.x.Values(), p.Misalignment(2)),
          dx(p.dy.Values(), p.Misalignment(3)), dgamma(p.first_dgamma, 1),
          dbeta(p.first_dbeta, 3), dalpha(1, 1);
  DynamicTanh(p.X(), kAlpha, p.Gamma(), p.Beta(), p.View(y));
  DynamicTanh(p.View(in_place), kAlpha, p.Gamma(), p.Beta(), p.View(in_place));
  DynamicTanhBackward(p.X(), p.View(dx), kAlpha, p.Gamma(), p.View(dx),
                      dalpha.data(), dgamma.data(), dbeta.data());
  for (const Guarded* output : {&y, &dx, &dgamma, &dbeta, &dalpha}) {
    verdict.ExpectIntact(*output, "an output", p);
  }
  verdict.Expect(SameBits(y, in_place), "y has the same bits in x's place", p);
  double dalpha_scale = 0.0;
  std::vector<double> column(p.cols);
  for (size_t i = 0; i < y.size(); ++i) {
    const size_t col = i % p.cols;
    const double beta =
        p.has_beta ? std::fabs(static_cast<double>(p.beta[col])) : 0.0;
    const double dy = std::fabs(static_cast<double>(p.dy[i]));
    const double x = std::fabs(static_cast<double>(p.x[i]));
    verdict.Measure("y", Error(y[i], want.y[i], std::fabs(want.y[i]) + beta), p,
                    i / p.cols);
    verdict.Measure(
        "dx",
        Error(dx[i], want.dx[i],
              std::max(std::fabs(want.dx[i]) * (1.0 + x), 1e-7 * dy)),
        p, i / p.cols);
    dalpha_scale += std::fabs(want.dx[i]) * x + 1e-7 * dy * std::min(x, 1.0);
    column[col] += dy;
  }
  for (size_t j = 0; j < p.cols; ++j) {
    const double before_gamma =
        std::fabs(static_cast<double>(p.first_dgamma[j]));
    const double before_beta = std::fabs(static_cast<double>(p.first_dbeta[j]));
    verdict.Measure("dgamma",
                    Error(dgamma[j], want.dgamma[j], before_gamma + column[j]),
                    p, 0);
    verdict.Measure(
        "dbeta", Error(dbeta[j], want.dbeta[j], before_beta + column[j]), p, 0);
  }
  verdict.Measure("dalpha", Error(dalpha[0], want.dalpha, dalpha_scale), p, 0);
}

void ForEachNonemptyProblem(const Visit& visit) {
  const auto nonempty = [&](const Problem& p) {
    if (p.rows > 0 && p.cols > 0) visit(p);
  };
  ForEachSystematicProblem(nonempty);
  ForEachRandomProblem(nonempty);
}

TEST_CASE("DynamicTanh and its gradients agree with the reference",
          "[dynamic_tanh]") {
  Sweep(ForEachNonemptyProblem, 8.0, ExpectedDynamicTanh, CompareDynamicTanh);
}

TEST_CASE("DynamicTanh's tanh is within 4 ulp of itself", "[dynamic_tanh]") {
  ForEachTarget([] {
    Draw draw(Seed());
    std::vector<float> x(100001), y(x.size());
    for (float& value : x) {
      value = static_cast<float>(draw.Signed(0.5, 1.0) *
                                 std::exp2(draw.Uniform(-30.0, 6.0)));
    }
    DynamicTanh({x.data(), 1, x.size()}, 1.0f, nullptr, nullptr,
                {y.data(), 1, x.size()});
    double worst = 0.0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double want = std::tanh(static_cast<double>(x[i]));
      worst = std::max(worst, Error(y[i], want, std::fabs(want)));
    }
    CHECK(worst <= 4.0);
  });
}

TEST_CASE("The reference of DynamicTanhBackward agrees with differences",
          "[dynamic_tanh]") {
  constexpr size_t kRows = 3, kCols = 4;
  Draw draw(11);
  std::vector<double> x(kRows * kCols), dy(x.size()), gamma(kCols), beta(kCols),
      alpha = {0.7};
  for (auto* values : {&x, &dy, &gamma, &beta}) {
    for (double& value : *values) value = draw.Normal();
  }
  const auto loss = [&] {
    std::vector<double> y(x.size());
    reference::DynamicTanh<double>({x.data(), kRows, kCols}, alpha[0],
                                   gamma.data(), beta.data(),
                                   {y.data(), kRows, kCols});
    double sum = 0.0;
    for (size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  std::vector<double> dx(x.size()), dalpha(1), dgamma(kCols), dbeta(kCols);
  reference::DynamicTanhBackward<double>(
      {x.data(), kRows, kCols}, {dy.data(), kRows, kCols}, alpha[0],
      gamma.data(), {dx.data(), kRows, kCols}, dalpha.data(), dgamma.data(),
      dbeta.data());
  CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-8);
  CHECK(RelativeDistance(dalpha, CentralDifferences(alpha, loss)) < 1e-8);
  CHECK(RelativeDistance(dgamma, CentralDifferences(gamma, loss)) < 1e-8);
  CHECK(RelativeDistance(dbeta, CentralDifferences(beta, loss)) < 1e-8);
}

TEST_CASE("DynamicTanh has ends at infinity, and NaN stays NaN",
          "[dynamic_tanh]") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  ForEachTarget([] {
    const float x[] = {kInfinity, -kInfinity, 3e38f, 0.0f, std::nanf("")};
    float y[5];
    DynamicTanh({x, 5, 1}, 2.0f, nullptr, nullptr, {y, 5, 1});
    CHECK((y[0] == 1.0f && y[1] == -1.0f && y[2] == 1.0f && y[3] == 0.0f));
    CHECK(std::isnan(y[4]));
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
