// Attention: its masks, its steps, float beside double.
#include "sublayers/attention.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/draw.h"
#include "cpp/support/targets.h"

namespace addnorm {
namespace testing {
namespace {

// A sublayer with its memory; d is the width behind it.
template <typename T>
struct Case {
  Case(size_t sequences, size_t tokens, size_t d_in, size_t d_out, size_t heads)
      : rows(sequences * tokens),
        d_input(d_in),
        d(d_out),
        x(rows * d_input),
        dy(rows * d),
        y(rows * d),
        dx(rows * d_input),
        weights(3 * d * d_input + 3 * d + d * d + d),
        gradients(weights.size()),
        qkv(rows * 3 * d),
        probabilities(rows * heads * tokens),
        context(rows * d),
        scratch(qkv.size() + probabilities.size() + context.size()),
        tokens_(tokens) {
    options.sequences = sequences;
    options.heads = heads;
    Draw draw(21);
    for (auto* all : {&x, &dy, &weights}) {
      for (T& value : *all) value = static_cast<T>(draw.Normal());
    }
  }

  AttentionSteps<T> StepsIn(T* a, T* b, T* c) {
    return {{a, rows, 3 * d},
            {b, probabilities.size() / tokens_, tokens_},
            {c, rows, d}};
  }
  AttentionSteps<T> Steps() {
    return StepsIn(qkv.data(), probabilities.data(), context.data());
  }
  template <typename U>
  AttentionParameters<U> Parameters(U* at) const {
    return {at, at + 3 * d * d_input, at + 3 * d * (d_input + 1),
            at + 3 * d * (d_input + 1) + d * d};
  }
  void Forward() {
    Attention<T>({x.data(), rows, d_input}, Parameters<const T>(weights.data()),
                 options, Steps(), {y.data(), rows, d});
  }
  void Backward() {
    T* first = scratch.data();
    AttentionBackward<T>({x.data(), rows, d_input}, {dy.data(), rows, d},
                         Parameters<const T>(weights.data()), options, Steps(),
                         StepsIn(first, first + qkv.size(),
                                 first + qkv.size() + probabilities.size()),
                         {dx.data(), rows, d_input},
                         Parameters<T>(gradients.data()));
  }

  size_t rows, d_input, d;
  AttentionOptions options;
  std::vector<T> x, dy, y, dx, weights, gradients, qkv, probabilities, context,
      scratch;

 private:
  size_t tokens_;
};

TEST_CASE("Attention's gradients agree with central differences",
          "[attention]") {
  for (unsigned bits = 0; bits < 8; ++bits) {
    INFO("options " << bits);
    Case<double> at(bits & 1u ? 2 : 1, 3, 5, 4, 2);
    const std::vector<uint8_t> padding = {0, 1, 0, 0, 0, 1};
    at.options.causal = (bits & 2u) != 0;
    if (bits & 4u) at.options.padding = padding.data();
    const auto loss = [&] {
      at.Forward();
      double sum = 0.0;
      for (size_t i = 0; i < at.y.size(); ++i) sum += at.y[i] * at.dy[i];
      return sum;
    };
    loss();
    at.Backward();
    CHECK(RelativeDistance(at.dx, CentralDifferences(at.x, loss, 1e-4)) < 1e-7);
    CHECK(RelativeDistance(at.gradients,
                           CentralDifferences(at.weights, loss, 1e-4)) < 1e-7);
  }
}

TEST_CASE("Attention in float is near attention in double", "[attention]") {
  ForEachTarget([] {
    Case<float> at(2, 9, 20, 24, 3);
    Case<double> want(2, 9, 20, 24, 3);
    for (size_t i = 0; i < at.x.size(); ++i) {
      want.x[i] = static_cast<double>(at.x[i]);
    }
    for (size_t i = 0; i < at.weights.size(); ++i) {
      at.weights[i] *= 0.2f;
      want.weights[i] = static_cast<double>(at.weights[i]);
    }
    for (size_t i = 0; i < at.dy.size(); ++i) {
      want.dy[i] = static_cast<double>(at.dy[i]);
    }
    at.Forward();
    at.Backward();
    want.Forward();
    want.Backward();
    const auto near = [](const std::vector<float>& got,
                         const std::vector<double>& expected) {
      return RelativeDistance({got.begin(), got.end()}, expected) < 2e-6;
    };
    CHECK(near(at.y, want.y));
    CHECK(near(at.dx, want.dx));
    CHECK(near(at.gradients, want.gradients));
  });
}

TEST_CASE("A causal token sees nothing later, and none sees padding",
          "[attention]") {
  ForEachTarget([] {
    Case<float> at(1, 5, 8, 8, 2);
    const std::vector<uint8_t> padding = {1, 0, 0, 1, 0};
    at.options.causal = true;
    at.options.padding = padding.data();
    at.Forward();
    for (size_t row = 0; row < 10; ++row) {
      const size_t token = row % 5;
      float sum = 0.0f;
      for (size_t key = 0; key < 5; ++key) {
        const float weight = at.probabilities[row * 5 + key];
        if (key > token || padding[key]) CHECK(weight == 0.0f);
        sum += weight;
      }
      // Token 0 sees itself only, which is padding: nothing is left.
      CHECK(std::fabs(sum - (token == 0 ? 0.0f : 1.0f)) < 1e-6f);
    }
    for (size_t i = 0; i < at.d; ++i) CHECK(at.context[i] == 0.0f);
  });
}

TEST_CASE("Sequences of a batch do not see each other", "[attention]") {
  ForEachTarget([] {
    Case<float> at(2, 4, 8, 8, 2);
    at.Forward();
    const std::vector<float> before(at.y.begin(), at.y.begin() + 4 * 8);
    for (size_t i = 4 * 8; i < at.x.size(); ++i) at.x[i] = 9.0f;
    at.Forward();
    CHECK(before == std::vector<float>(at.y.begin(), at.y.begin() + 4 * 8));
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
