// Scaled residual sums, per value and per feature, against the reference.
#include "kernels/scaled_add.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/ulp.h"
#include "kernels/scaled_add_reference.h"

namespace addnorm {
namespace testing {
namespace {

size_t ScaleCount(const Problem& p) { return p.Wants(2) ? p.cols : 1; }

// dscale is a sum over rows, or over all elements; `scale` in double.
struct Expected {
  std::vector<double> sum, dfx, dscale, dscale_terms;
};

Expected ExpectedScaledAdd(const Problem& p) {
  const size_t count = ScaleCount(p);
  const auto x = DoubleInputs::Doubles(p.x), fx = DoubleInputs::Doubles(p.fx),
             dy = DoubleInputs::Doubles(p.dy),
             scale = DoubleInputs::Doubles(p.gamma);
  Expected want{std::vector<double>(x.size()), std::vector<double>(x.size()),
                std::vector<double>(count), std::vector<double>(count)};
  reference::ScaledAdd<double>({x.data(), p.rows, p.cols},
                               {fx.data(), p.rows, p.cols}, scale.data(), count,
                               {want.sum.data(), p.rows, p.cols});
  reference::ScaledAddBackward<double>(
      {fx.data(), p.rows, p.cols}, {dy.data(), p.rows, p.cols}, scale.data(),
      count, {want.dfx.data(), p.rows, p.cols}, want.dscale.data());
  for (size_t i = 0; i < x.size(); ++i) {
    want.dscale_terms[count == 1 ? 0 : i % p.cols] += std::fabs(fx[i] * dy[i]);
  }
  return want;
}

void CompareScaledAdd(const Problem& p, const Expected& want,
                      Verdict& verdict) {
  const size_t count = ScaleCount(p);
  Guarded sum = p.MatrixResult(0), in_place(p.x.Values(), p.Misalignment(1)),
          dfx(p.dy.Values(), p.Misalignment(2)), dscale(count, 1);
  ScaledAdd(p.X(), p.Fx(), p.gamma.data(), count, p.View(sum));
  ScaledAdd(p.View(in_place), p.Fx(), p.gamma.data(), count, p.View(in_place));
  ScaledAddBackward(p.Fx(), p.View(dfx), p.gamma.data(), count, p.View(dfx),
                    dscale.data());
  for (const Guarded* output : {&sum, &dfx, &dscale}) {
    verdict.ExpectIntact(*output, "an output", p);
  }
  verdict.Expect(SameBits(sum, in_place), "sum has the same bits in x's place",
                 p);
  for (size_t i = 0; i < sum.size(); ++i) {
    const double x = std::fabs(static_cast<double>(p.x[i]));
    verdict.Measure("sum",
                    Error(sum[i], want.sum[i], std::fabs(want.sum[i]) + x), p,
                    i / p.cols);
    verdict.Measure("dfx", Error(dfx[i], want.dfx[i], std::fabs(want.dfx[i])),
                    p, i / p.cols);
  }
  for (size_t i = 0; i < count; ++i) {
    if (!std::isfinite(static_cast<float>(want.dscale_terms[i]))) continue;
    verdict.Measure(
        "dscale", Error(dscale[i], want.dscale[i], want.dscale_terms[i]), p, 0);
  }
}

TEST_CASE("ScaledAdd and its gradients agree with the reference",
          "[scaled_add]") {
  const auto nonempty = [](const Visit& visit) {
    const auto look = [&](const Problem& p) {
      if (p.rows > 0 && p.cols > 0) visit(p);
    };
    ForEachSystematicProblem(look);
    ForEachRandomProblem(look);
  };
  Sweep(nonempty, 4.0, ExpectedScaledAdd, CompareScaledAdd);
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
