// Stacks of blocks: PyTorch's twelve layers, depth, runs in pieces.
#include "model/stack.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/golden.h"
#include "cpp/support/model_case.h"
#include "cpp/support/model_golden.h"
#include "cpp/support/targets.h"

namespace addnorm {
namespace testing {
namespace {

double Rms(const std::vector<float>& values) {
  double sum = 0.0;
  for (const float value : values) {
    sum += static_cast<double>(value) * static_cast<double>(value);
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST_CASE("Twelve layers have PyTorch's output, gradient and RMS curves",
          "[stack]") {
  const Json cases = ReadGolden("encoder_stack.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      INFO(record["name"]);
      ModelCase<float> stack(ConfigOf(record));
      stack.x = FloatsAt(record, "x");
      stack.dy = FloatsAt(record, "dy");
      for (int block = 0; block < 12; ++block) {
        GiveWeights(record["weights"][static_cast<size_t>(block)], block,
                    &stack);
      }
      stack.Forward();
      stack.Backward();
      CHECK(RelativeError(stack.Y(), DoublesAt(record, "y")) < 1e-5);
      CHECK(RelativeError(stack.Dx(), DoublesAt(record, "dx")) < 1e-5);
      const auto activations = DoublesAt(record, "activationRms"),
                 gradients = DoublesAt(record, "gradientRms");
      size_t states = 0;
      for (const Step& step : stack.steps) {
        if (step.state < 0) continue;
        const size_t k = static_cast<size_t>(step.state);
        CHECK(k == states++);
        CHECK(std::fabs(Rms(stack.ValuesOf(step)) / activations.at(k) - 1.0) <
              1e-5);
        CHECK(std::fabs(Rms(stack.GradientOf(step)) / gradients.at(k) - 1.0) <
              1e-5);
      }
      CHECK(states == 13);
    }
  });
}

bool AllFinite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

ModelConfig DeepConfig(Placement placement) {
  ModelConfig config;
  config.tokens = 5;
  config.d_input = config.d_model = 64;
  config.heads = 4;
  config.d_ff = 128;
  config.layers = 128;
  config.placement = placement;
  config.final_norm = placement == Placement::kPre;
  return config;
}

TEST_CASE("128 layers stay finite, forward and backward", "[stack]") {
  for (const Placement placement : {Placement::kPost, Placement::kPre}) {
    ModelCase<float> stack(DeepConfig(placement));
    stack.DrawAll(13);
    DrawParameters<float>(stack.config, stack.plan, 1, 1.0,
                          stack.parameters.data());
    stack.Forward();
    stack.Backward();
    CHECK((AllFinite(stack.values) && AllFinite(stack.dparameters) &&
           AllFinite(stack.Dx())));
  }
}

TEST_CASE("A run in pieces gives the bits of a whole run", "[stack]") {
  ModelConfig config = DeepConfig(Placement::kPre);
  config.d_input = config.d_model = 8;
  config.layers = 3;
  ModelCase<float> whole(config), pieces(config);
  whole.DrawAll(14);
  pieces.DrawAll(14);
  whole.Forward();
  whole.Backward();
  const size_t count = pieces.steps.size();
  for (size_t i = 0; i < count; i += 4) {
    RunForward(pieces.Run(), i, std::min(count, i + 4));
  }
  for (size_t end = count; end > 0; end -= std::min(end, size_t{3})) {
    RunBackward(pieces.Run(), pieces.dy.data(), end - std::min(end, size_t{3}),
                end, pieces.gradients.data(), pieces.dparameters.data());
  }
  CHECK(pieces.values == whole.values);
  CHECK(pieces.Dx() == whole.Dx());
  CHECK(pieces.dparameters == whole.dparameters);
}

TEST_CASE("Without dy the loss is the mean square of the output", "[stack]") {
  ModelConfig config = DeepConfig(Placement::kPre);
  config.tokens = 2;
  config.d_input = config.d_model = 4;
  config.d_ff = 3;
  config.layers = 2;
  config.activation = Activation::kGelu;
  ModelCase<double> stack(config);
  stack.DrawAll(15);
  stack.Forward();
  stack.Backward(false);
  const auto loss = [&] {
    stack.Forward();
    double sum = 0.0;
    for (const double y : stack.Y()) sum += y * y;
    return sum / static_cast<double>(stack.dy.size());
  };
  CHECK(RelativeDistance(stack.Dx(), CentralDifferences(stack.x, loss, 1e-4)) <
        1e-7);
  CHECK(RelativeDistance(stack.dparameters,
                         CentralDifferences(stack.parameters, loss, 1e-4)) <
        1e-7);
}

TEST_CASE("A stack that begins with another width projects once", "[stack]") {
  ModelConfig config = DeepConfig(Placement::kPost);
  config.layers = 3;
  config.d_input = 10;
  config.projection = true;
  const ModelCase<float> stack(config);
  size_t projections = 0;
  for (const Step& step : stack.steps) {
    projections += step.op == Op::kProjection;
  }
  CHECK(projections == 1);
}

TEST_CASE("Drawn weights have the spread that the gain asks for", "[stack]") {
  ModelCase<float> stack(DeepConfig(Placement::kPost));
  DrawParameters<float>(stack.config, stack.plan, 7, 2.0,
                        stack.parameters.data());
  const Parameter& at = stack.records.front();
  const float* first = stack.parameters.data() + at.data;
  const double rms = Rms({first, first + at.rows * at.cols});
  CHECK(std::fabs(rms * std::sqrt(64.0) - 2.0) < 0.05);
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
