// ScaleNorm: against the reference, its exact promises.
#include "kernels/l2_norm.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/l2_norm_reference.h"

namespace addnorm {
namespace testing {
namespace {

constexpr float kGain = -1.7f;

struct Expected {
  std::vector<double> y, norm, dx;
  double dgain = 0.25;
};

Expected ExpectedL2Norm(const Problem& p) {
  const DoubleInputs in(p);
  const double gain = static_cast<double>(kGain);
  Expected want{std::vector<double>(p.rows * p.cols),
                std::vector<double>(p.rows),
                std::vector<double>(p.rows * p.cols)};
  const double* learned = p.has_gamma ? &gain : nullptr;
  reference::L2Norm<double>(in.X(), learned, p.layer_norm.eps,
                            {want.y.data(), p.rows, p.cols}, want.norm.data());
  reference::L2NormBackward<double>(in.X(), in.Dy(), learned, p.layer_norm.eps,
                                    {want.dx.data(), p.rows, p.cols},
                                    &want.dgain);
  return want;
}

void CompareL2Norm(const Problem& p, const Expected& want, Verdict& verdict) {
  const float* gain = p.has_gamma ? &kGain : nullptr;
  Guarded y = p.MatrixResult(0), norm = p.RowResult(1),
          in_place(p.x.Values(), p.Misalignment(2)),
          dx(p.dy.Values(), p.Misalignment(3)), dgain(1, 1, 0.25f);
  L2Norm(p.X(), gain, p.layer_norm.eps, p.View(y), norm.data());
  L2Norm(p.View(in_place), gain, p.layer_norm.eps, p.View(in_place), nullptr);
  L2NormBackward(p.X(), p.View(dx), gain, p.layer_norm.eps, p.View(dx),
                 dgain.data());
  for (const Guarded* output : {&y, &norm, &dx, &dgain}) {
    verdict.ExpectIntact(*output, "an output", p);
  }
  verdict.Expect(SameBits(y, in_place), "y has the same bits in x's place", p);
  double dgain_scale = 0.25;
  for (size_t r = 0; r < p.rows && p.cols > 0; ++r) {
    const size_t at = r * p.cols;
    const double largest = Largest(want.y.data() + at, p.cols);
    verdict.Measure(
        "y", RowError(y.data() + at, want.y.data() + at, p.cols, largest), p,
        r);
    verdict.Measure("norm", Error(norm[r], want.norm[r], want.norm[r]), p, r);
    double sum = 0.0, largest_dy = 0.0;
    for (size_t i = at; i < at + p.cols; ++i) {
      const double dy = std::fabs(static_cast<double>(p.dy[i]));
      sum += dy * std::fabs(want.y[i]);
      largest_dy = std::max(largest_dy, dy);
    }
    dgain_scale += sum;
    const double divisor = std::max(want.norm[r], p.layer_norm.eps);
    const double scale = 2.0 / divisor * (largest_dy + largest * sum);
    if (divisor > 0.0 && std::isfinite(scale)) {
      verdict.Measure(
          "dx", RowError(dx.data() + at, want.dx.data() + at, p.cols, scale), p,
          r);
    }
  }
  verdict.Measure("dgain", Error(dgain[0], want.dgain, dgain_scale), p, 0);
}

TEST_CASE("L2Norm and its gradients agree with the reference", "[l2_norm]") {
  const auto nonempty = [](const auto& source) {
    return [source](const Visit& visit) {
      source([&](const Problem& p) {
        if (p.rows > 0) visit(p);
      });
    };
  };
  Sweep(nonempty(ForEachSystematicProblem), 4.0, ExpectedL2Norm, CompareL2Norm);
  Sweep(nonempty(ForEachRandomProblem), 4.0, ExpectedL2Norm, CompareL2Norm);
}

TEST_CASE("The reference of L2NormBackward agrees with central differences",
          "[l2_norm]") {
  constexpr size_t kRows = 3, kCols = 4;
  Draw draw(10);
  std::vector<double> x(kRows * kCols), dy(x.size()), gain = {1.3};
  for (auto* values : {&x, &dy}) {
    for (double& value : *values) value = draw.Normal();
  }
  for (size_t i = 0; i < kCols; ++i) x[i] *= 0.01;  // a row shorter than eps
  const double eps = 0.5;
  const auto loss = [&] {
    std::vector<double> y(x.size());
    reference::L2Norm<double>({x.data(), kRows, kCols}, gain.data(), eps,
                              {y.data(), kRows, kCols}, nullptr);
    double sum = 0.0;
    for (size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  std::vector<double> dx(x.size()), dgain(1);
  reference::L2NormBackward<double>({x.data(), kRows, kCols},
                                    {dy.data(), kRows, kCols}, gain.data(), eps,
                                    {dx.data(), kRows, kCols}, dgain.data());
  CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-8);
  CHECK(RelativeDistance(dgain, CentralDifferences(gain, loss)) < 1e-8);
}

TEST_CASE("L2Norm of zeros is zeros, and NaN poisons its row only",
          "[l2_norm]") {
  ForEachTarget([] {
    std::vector<float> x(3 * 21, 0.0f), y(x.size(), 9.0f);
    for (size_t i = 21; i < 42; ++i) x[i] = 1.0f;
    x[50] = std::nanf("");
    L2Norm({x.data(), 3, 21}, nullptr, 0.0, {y.data(), 3, 21}, nullptr);
    for (size_t i = 0; i < 21; ++i) {
      CHECK(y[i] == 0.0f);
      CHECK(std::fabs(y[21 + i] - 1.0f / std::sqrt(21.0f)) < 1e-7f);
      CHECK(std::isnan(y[42 + i]));
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
