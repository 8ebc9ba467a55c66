// Softmax: against the reference under every mask, its exact promises.
#include "kernels/softmax.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
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
#include "kernels/softmax_reference.h"

namespace addnorm {
namespace testing {
namespace {

// A mask that the problem's bits choose.
struct DrawnMask {
  explicit DrawnMask(const Problem& p) : left_out(p.cols) {
    Draw draw(p.wanted);
    for (uint8_t& byte : left_out) byte = draw.Chance(0.3) ? 3 : 0;
    mask.causal = p.Wants(3);
    if (p.Wants(4)) mask.left_out = left_out.data();
  }

  std::vector<uint8_t> left_out;
  SoftmaxMask mask;
};

std::vector<double> ExpectedSoftmax(const Problem& p) {
  const DoubleInputs in(p);
  std::vector<double> y(p.rows * p.cols);
  reference::Softmax<double>(in.X(), DrawnMask(p).mask,
                             {y.data(), p.rows, p.cols});
  return y;
}

void CompareSoftmax(const Problem& p, const std::vector<double>& want,
                    Verdict& verdict) {
  const DrawnMask drawn(p);
  Guarded y = p.MatrixResult(0), in_place(p.x.Values(), p.Misalignment(1));
  Softmax(p.X(), drawn.mask, p.View(y));
  Softmax(p.View(in_place), drawn.mask, p.View(in_place));
  verdict.ExpectIntact(y, "y", p);
  verdict.Expect(SameBits(y, in_place), "y has the same bits in x's place", p);
  for (size_t r = 0; r < p.rows; ++r) {
    const double* row = want.data() + r * p.cols;
    verdict.Measure(
        "y", RowError(y.data() + r * p.cols, row, p.cols, Largest(row, p.cols)),
        p, r);
  }
}

TEST_CASE("Softmax is within 4 ulp of a row's largest value under every mask",
          "[softmax]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedSoftmax, CompareSoftmax);
  Sweep(ForEachRandomProblem, 4.0, ExpectedSoftmax, CompareSoftmax);
}

TEST_CASE("SoftmaxBackward agrees with the reference, in dy's place too",
          "[softmax]") {
  Sweep(
      ForEachRandomProblem, 8.0,
      [](const Problem& p) {
        const std::vector<double> y = ExpectedSoftmax(p);
        std::vector<double> rounded(y.size()), dx(y.size());
        for (size_t i = 0; i < y.size(); ++i) {
          rounded[i] = static_cast<double>(static_cast<float>(y[i]));
        }
        reference::SoftmaxBackward<double>({rounded.data(), p.rows, p.cols},
                                           DoubleInputs(p).Dy(),
                                           {dx.data(), p.rows, p.cols});
        return std::make_pair(y, dx);
      },
      [](const Problem& p, const auto& want, Verdict& verdict) {
        Guarded y = p.MatrixResult(0), dx(p.dy.Values(), p.Misalignment(1));
        for (size_t i = 0; i < y.size(); ++i) {
          y[i] = static_cast<float>(want.first[i]);
        }
        SoftmaxBackward(p.View(y), p.View(dx), p.View(dx));
        verdict.ExpectIntact(dx, "dx", p);
        for (size_t r = 0; r < p.rows; ++r) {
          const size_t at = r * p.cols;
          const double scale =
              Largest(want.first.data() + at, p.cols) *
              Largest(DoubleInputs::Doubles(p.dy).data() + at, p.cols);
          verdict.Measure(
              "dx",
              RowError(dx.data() + at, want.second.data() + at, p.cols, scale),
              p, r);
        }
      });
}

TEST_CASE("The reference of SoftmaxBackward agrees with central differences",
          "[softmax]") {
  constexpr size_t kRows = 4, kCols = 5;
  Draw draw(5);
  std::vector<double> x(kRows * kCols), dy(x.size()), y(x.size()), dx(x.size());
  for (double& value : x) value = draw.Normal();
  for (double& value : dy) value = draw.Normal();
  const uint8_t left_out[kCols] = {0, 0, 1, 0, 0};
  for (const bool causal : {false, true}) {
    const SoftmaxMask mask{left_out, causal};
    const auto loss = [&] {
      reference::Softmax<double>({x.data(), kRows, kCols}, mask,
                                 {y.data(), kRows, kCols});
      double sum = 0.0;
      for (size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
      return sum;
    };
    loss();
    reference::SoftmaxBackward<double>({y.data(), kRows, kCols},
                                       {dy.data(), kRows, kCols},
                                       {dx.data(), kRows, kCols});
    CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-9);
  }
}

TEST_CASE("Softmax of a row that sees nothing is zeros", "[softmax]") {
  ForEachTarget([] {
    const std::vector<float> x(2 * 19, std::nanf(""));
    std::vector<float> y(x.size(), 5.0f);
    const std::vector<uint8_t> all(19, 1);
    Softmax({x.data(), 2, 19}, {all.data(), false}, {y.data(), 2, 19});
    CHECK(y == std::vector<float>(x.size(), 0.0f));
  });
}

TEST_CASE("Softmax meets infinity and NaN as arithmetic does", "[softmax]") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  ForEachTarget([] {
    for (const size_t cols : {3, 40}) {
      std::vector<float> x(3 * cols, 1.0f), y(x.size());
      x[1] = -kInfinity;
      x[cols + 1] = kInfinity;
      x[2 * cols + 1] = std::nanf("");
      Softmax({x.data(), 3, cols}, {}, {y.data(), 3, cols});
      CHECK(y[1] == 0.0f);
      CHECK(std::fabs(y[0] - 1.0f / static_cast<float>(cols - 1)) < 1e-6f);
      CHECK((std::isnan(y[cols + 1]) && std::isnan(y[2 * cols])));
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
