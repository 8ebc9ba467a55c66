// Activations: against the reference over all of float32's range.
#include "kernels/activation.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
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
#include "kernels/activation_reference.h"

namespace addnorm {
namespace testing {
namespace {

constexpr std::array<Activation, 3> kActivations = {
    Activation::kRelu, Activation::kGelu, Activation::kSigmoid};

// In ulps of the value itself; what is subnormal may be 0.
double OwnError(float got, double want) {
  constexpr double kLeastNormal = 0x1p-126;
  return Error(got, want, std::max(std::fabs(want), kLeastNormal * 0x1p24));
}

TEST_CASE("Each activation is within 8 ulp of itself", "[activation]") {
  ForEachTarget([] {
    for (const Activation f : kActivations) {
      Draw draw(Seed());
      std::vector<float> x(200001), y(x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i % 2 ? draw.Uniform(-20.0, 20.0)
                                        : draw.Signed(0.5, 1.0) *
                                              std::exp2(draw.Uniform(-40, 8)));
      }
      Activate(f, {x.data(), 1, x.size()}, {y.data(), 1, x.size()});
      double worst = 0.0;
      for (size_t i = 0; i < x.size(); ++i) {
        const double want =
            reference::ActivationOf(f, static_cast<double>(x[i]));
        worst = std::max(worst, OwnError(y[i], want));
      }
      INFO("activation " << static_cast<int>(f));
      CHECK(worst <= (f == Activation::kRelu ? 0.0 : 8.0));
    }
  });
}

void CompareActivation(const Problem& p, int, Verdict& verdict) {
  const Activation f = kActivations[p.wanted % 3];
  Guarded y = p.MatrixResult(0), in_place(p.x.Values(), p.Misalignment(1));
  Activate(f, p.X(), p.View(y));
  Activate(f, p.View(in_place), p.View(in_place));
  verdict.ExpectIntact(y, "y", p);
  verdict.Expect(SameBits(y, in_place), "y has the same bits in x's place", p);
  Guarded dx(p.dy.Values(), p.Misalignment(2));
  ActivateBackward(f, p.X(), p.View(dx), p.View(dx));
  verdict.ExpectIntact(dx, "dx", p);
  for (size_t i = 0; i < y.size(); ++i) {
    const double x = static_cast<double>(p.x[i]);
    const double dy = static_cast<double>(p.dy[i]);
    verdict.Measure("y", OwnError(y[i], reference::ActivationOf(f, x)), p,
                    i / p.cols);
    const double slope = reference::ActivationSlope(f, x);
    // gelu' is a difference of two terms left of 0.
    const double scale = f == Activation::kGelu
                             ? reference::NormalDistribution(x) +
                                   std::fabs(x) * reference::NormalDensity(x)
                             : slope;
    verdict.Measure(
        "dx", Error(dx[i], dy * slope, std::max(std::fabs(dy) * scale, 1e-30)),
        p, i / p.cols);
  }
}

TEST_CASE("Activations serve every width, misalignment and kind of row",
          "[activation]") {
  const auto nothing = [](const Problem&) { return 0; };
  Sweep(ForEachSystematicProblem, 8.0, nothing, CompareActivation);
  Sweep(ForEachRandomProblem, 8.0, nothing, CompareActivation);
}

TEST_CASE("The reference's slopes agree with central differences",
          "[activation]") {
  for (const Activation f : kActivations) {
    std::vector<double> x = {-3.1, -0.75, -0.2, 0.3, 1.0, 4.0};
    std::vector<double> slope;
    for (const double value : x) {
      slope.push_back(reference::ActivationSlope(f, value));
    }
    const auto loss = [&] {
      double sum = 0.0;
      for (const double value : x) sum += reference::ActivationOf(f, value);
      return sum;
    };
    CHECK(RelativeDistance(slope, CentralDifferences(x, loss)) < 1e-9);
  }
}

TEST_CASE("NaN stays NaN and relu's slope at 0 is 0", "[activation]") {
  ForEachTarget([] {
    for (const Activation f : kActivations) {
      const std::vector<float> x(21, std::nanf(""));
      std::vector<float> y(x.size());
      Activate(f, {x.data(), 1, x.size()}, {y.data(), 1, x.size()});
      for (const float value : y) CHECK(std::isnan(value));
    }
    const float zero = 0.0f, dy = 3.0f;
    float dx = 1.0f;
    ActivateBackward(Activation::kRelu, {&zero, 1, 1}, {&dy, 1, 1},
                     {&dx, 1, 1});
    CHECK(dx == 0.0f);
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
