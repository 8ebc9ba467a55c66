// The feed-forward sublayer: its gradients, float beside double.
#include "sublayers/feed_forward.h"

#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/draw.h"
#include "cpp/support/targets.h"

namespace addnorm {
namespace testing {
namespace {

template <typename T>
struct Case {
  Case(size_t row_count, size_t d_in, size_t d_out, size_t width)
      : rows(row_count),
        d_input(d_in),
        d(d_out),
        d_ff(width),
        x(rows * d_input),
        dy(rows * d),
        y(rows * d),
        dx(rows * d_input),
        weights(d_ff * d_input + d_ff + d * d_ff + d),
        gradients(weights.size()),
        up(rows * d_ff),
        activated(up.size()),
        scratch(up.size()) {
    Draw draw(22);
    for (auto* all : {&x, &dy, &weights}) {
      for (T& value : *all) {
        value = static_cast<T>(static_cast<float>(0.5 * draw.Normal()));
      }
    }
  }

  template <typename U>
  FeedForwardParameters<U> Parameters(U* at) const {
    return {at, at + d_ff * d_input, at + d_ff * (d_input + 1),
            at + d_ff * (d_input + 1 + d)};
  }
  FeedForwardSteps<T> Steps() {
    return {{up.data(), rows, d_ff}, {activated.data(), rows, d_ff}};
  }
  void Forward(Activation f) {
    FeedForward<T>({x.data(), rows, d_input},
                   Parameters<const T>(weights.data()), f, Steps(),
                   {y.data(), rows, d});
  }
  void Backward(Activation f) {
    FeedForwardBackward<T>({x.data(), rows, d_input}, {dy.data(), rows, d},
                           Parameters<const T>(weights.data()), f, Steps(),
                           {scratch.data(), rows, d_ff},
                           {dx.data(), rows, d_input},
                           Parameters<T>(gradients.data()));
  }

  size_t rows, d_input, d, d_ff;
  std::vector<T> x, dy, y, dx, weights, gradients, up, activated, scratch;
};

TEST_CASE("FeedForward's gradients agree with central differences",
          "[feed_forward]") {
  for (const Activation f : {Activation::kRelu, Activation::kGelu}) {
    Case<double> at(3, 4, 5, 6);
    const auto loss = [&] {
      at.Forward(f);
      double sum = 0.0;
      for (size_t i = 0; i < at.y.size(); ++i) sum += at.y[i] * at.dy[i];
      return sum;
    };
    loss();
    at.Backward(f);
    CHECK(RelativeDistance(at.dx, CentralDifferences(at.x, loss, 1e-5)) < 1e-7);
    CHECK(RelativeDistance(at.gradients,
                           CentralDifferences(at.weights, loss, 1e-5)) < 1e-7);
  }
}

TEST_CASE("FeedForward in float is near itself in double", "[feed_forward]") {
  ForEachTarget([] {
    Case<float> at(7, 20, 18, 33);
    Case<double> want(7, 20, 18, 33);
    at.Forward(Activation::kGelu);
    at.Backward(Activation::kGelu);
    want.Forward(Activation::kGelu);
    want.Backward(Activation::kGelu);
    const auto near = [](const std::vector<float>& got,
                         const std::vector<double>& expected) {
      return RelativeDistance({got.begin(), got.end()}, expected) < 1e-6;
    };
    CHECK(near(at.y, want.y));
    CHECK(near(at.dx, want.dx));
    CHECK(near(at.gradients, want.gradients));
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
