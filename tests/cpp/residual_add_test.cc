// The residual sum, forward and backward.
#include "kernels/residual_add.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/draw.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/residual_add_reference.h"

namespace addnorm {
namespace testing {
namespace {

constexpr float kAlpha = 0.8f, kBeta = -1.7f;

std::vector<double> ExpectedSum(const Problem& p) {
  const auto x = DoubleInputs::Doubles(p.x), fx = DoubleInputs::Doubles(p.fx);
  std::vector<double> sum(x.size());
  reference::ResidualAdd<double>(
      {x.data(), p.rows, p.cols}, {fx.data(), p.rows, p.cols},
      static_cast<double>(kAlpha), static_cast<double>(kBeta),
      {sum.data(), p.rows, p.cols});
  return sum;
}

void CompareSum(const Problem& p, const std::vector<double>& want,
                Verdict& verdict) {
  Guarded plain = p.MatrixResult(0), scaled = p.MatrixResult(1);
  ResidualAdd(p.X(), p.Fx(), 1.0f, 1.0f, p.View(plain));
  ResidualAdd(p.X(), p.Fx(), kAlpha, kBeta, p.View(scaled));
  verdict.ExpectIntact(plain, "sum", p);
  verdict.ExpectIntact(scaled, "the scaled sum", p);
  for (size_t i = 0; i < plain.size(); ++i) {
    verdict.Expect(plain[i] == p.x[i] + p.fx[i], "the sum is rounded once", p);
    // Of the two terms, since they may cancel.
    const double scale =
        std::fabs(static_cast<double>(kAlpha) * static_cast<double>(p.x[i])) +
        std::fabs(static_cast<double>(kBeta) * static_cast<double>(p.fx[i]));
    verdict.Measure("sum", Error(scaled[i], want[i], scale), p, i / p.cols);
  }
}

TEST_CASE(
    "ResidualAdd rounds x + fx once and a scaled sum three times at every "
    "width "
    "and misalignment",
    "[residual_add]") {
  Sweep(ForEachSystematicProblem, 1.5, ExpectedSum, CompareSum);
}

TEST_CASE("ResidualAdd does so at random", "[residual_add]") {
  Sweep(ForEachRandomProblem, 1.5, ExpectedSum, CompareSum);
}

TEST_CASE("ResidualAdd may overwrite x or fx with the sum", "[residual_add]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded sum = p.MatrixResult(0), x(p.x.Values(), p.Misalignment(0)),
            fx(p.fx.Values(), p.Misalignment(1));
    ResidualAdd(p.X(), p.Fx(), kAlpha, kBeta, p.View(sum));
    ResidualAdd(p.View(x), p.Fx(), kAlpha, kBeta, p.View(x));
    ResidualAdd(p.X(), p.View(fx), kAlpha, kBeta, p.View(fx));
    verdict.Expect(SameBits(x, sum), "the sum has the same bits over x", p);
    verdict.Expect(SameBits(fx, sum), "the sum has the same bits over fx", p);
  });
}

TEST_CASE("ResidualAddBackward scales dsum into what is asked for",
          "[residual_add]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded dx = p.MatrixResult(0), dfx = p.MatrixResult(1);
    ConstMatrix dsum = {p.dsum.data(), p.rows, p.cols};
    Matrix no_matrix = {nullptr, p.rows, p.cols};
    ResidualAddBackward(dsum, kAlpha, kBeta,
                        p.Wants(0) ? p.View(dx) : no_matrix,
                        p.Wants(1) ? p.View(dfx) : no_matrix);
    verdict.ExpectIntact(dx, "dx", p);
    verdict.ExpectIntact(dfx, "dfx", p);
    for (size_t i = 0; i < dx.size(); ++i) {
      verdict.Expect(dx[i] == (p.Wants(0) ? kAlpha * p.dsum[i] : -77.0f),
                     "dx = alpha dsum, if wanted", p);
      verdict.Expect(dfx[i] == (p.Wants(1) ? kBeta * p.dsum[i] : -77.0f),
                     "dfx = beta dsum, if wanted", p);
    }
  });
}

TEST_CASE("ResidualAddBackward may overwrite dsum with dx or dfx",
          "[residual_add]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded dx = p.MatrixResult(0), dfx = p.MatrixResult(1),
            dsum_dx(p.dsum.Values(), p.Misalignment(3)),
            dsum_dfx(p.dsum.Values(), p.Misalignment(3)),
            other_dfx = p.MatrixResult(2), other_dx = p.MatrixResult(3);
    ResidualAddBackward({p.dsum.data(), p.rows, p.cols}, kAlpha, kBeta,
                        p.View(dx), p.View(dfx));
    ResidualAddBackward(p.View(dsum_dx), kAlpha, kBeta, p.View(dsum_dx),
                        p.View(other_dfx));
    ResidualAddBackward(p.View(dsum_dfx), kAlpha, kBeta, p.View(other_dx),
                        p.View(dsum_dfx));
    verdict.Expect(SameBits(dsum_dx, dx), "dx is the same over dsum", p);
    verdict.Expect(SameBits(other_dfx, dfx), "dfx beside it is the same", p);
    verdict.Expect(SameBits(dsum_dfx, dfx), "dfx is the same over dsum", p);
    verdict.Expect(SameBits(other_dx, dx), "dx beside it is the same", p);
  });
}

TEST_CASE("The reference's ResidualAdd gradients are those of its forward pass",
          "[residual_add]") {
  Draw draw(Seed());
  std::vector<double> x(6), fx(6), dsum(6), sum(6), dx(6), dfx(6);
  for (auto* values : {&x, &fx, &dsum}) {
    for (double& value : *values) value = draw.Normal();
  }
  const auto loss = [&] {
    reference::ResidualAdd<double>({x.data(), 2, 3}, {fx.data(), 2, 3}, 0.8,
                                   -1.7, {sum.data(), 2, 3});
    double total = 0.0;
    for (size_t i = 0; i < sum.size(); ++i) total += sum[i] * dsum[i];
    return total;
  };
  reference::ResidualAddBackward<double>({dsum.data(), 2, 3}, 0.8, -1.7,
                                         {dx.data(), 2, 3}, {dfx.data(), 2, 3});
  CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-9);
  CHECK(RelativeDistance(dfx, CentralDifferences(fx, loss)) < 1e-9);
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
