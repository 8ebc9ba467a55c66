// One block: PyTorch's encoder layer, and the gradients of every making.
#include "model/block.h"

#include <cmath>
#include <cstddef>
#include <string>
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

TEST_CASE("A block has PyTorch's output and gradients to 1e-5", "[block]") {
  const Json cases = ReadGolden("encoder_block.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      INFO(record["name"]);
      ModelCase<float> block(ConfigOf(record));
      block.x = FloatsAt(record, "x");
      block.dy = FloatsAt(record, "dy");
      GiveWeights(record["weights"], 0, &block);
      block.Forward();
      block.Backward();
      CHECK(RelativeError(block.Y(), DoublesAt(record, "y")) < 1e-5);
      CHECK(RelativeError(block.Dx(), DoublesAt(record, "dx")) < 1e-5);
      for (const Parameter& at : block.records) {
        const std::string name = NameOf(at);
        const float* first = block.dparameters.data() + at.data;
        INFO(name);
        CHECK(RelativeError({first, first + at.rows * at.cols},
                            DoublesAt(record["grads"], name.c_str())) < 1e-5);
      }
    }
  });
}

// The loss is the sum of y * dy, so its gradients are what Backward gives.
double LossOf(ModelCase<double>& block) {
  block.Forward();
  const std::vector<double> y = block.Y();
  double sum = 0.0;
  for (size_t i = 0; i < y.size(); ++i) sum += y[i] * block.dy[i];
  return sum;
}

void CheckGradients(const ModelConfig& config, bool padded = false) {
  if (CheckConfig(config) != Refusal::kNone) return;
  ModelCase<double> block(config);
  block.DrawAll(12);
  if (padded) {
    block.padding.assign(config.Rows(), 0);
    block.padding[1] = 1;
  }
  block.Forward();
  block.Backward();
  const auto loss = [&] { return LossOf(block); };
  CHECK(RelativeDistance(block.Dx(), CentralDifferences(block.x, loss, 1e-4)) <
        1e-7);
  CHECK(RelativeDistance(block.dparameters,
                         CentralDifferences(block.parameters, loss, 1e-4)) <
        1e-7);
}

ModelConfig SmallConfig() {
  ModelConfig config;
  config.tokens = 3;
  config.d_input = config.d_model = 4;
  config.heads = 2;
  config.d_ff = 3;
  config.layers = 1;
  config.activation = Activation::kGelu;
  config.residual_value = 0.7;
  config.groups = 2;
  config.norm_options.eps = 0.01;
  return config;
}

const Norm kNorms[] = {Norm::kLayer, Norm::kRms, Norm::kBatch,
                       Norm::kGroup, Norm::kL2,  Norm::kDynamicTanh,
                       Norm::kNone};
const Placement kPlacements[] = {Placement::kPost, Placement::kPre,
                                 Placement::kSandwich, Placement::kNone};
const Residual kResiduals[] = {Residual::kIdentity, Residual::kNone,
                               Residual::kReZero,   Residual::kLayerScale,
                               Residual::kDeepNorm, Residual::kGated};

TEST_CASE("The gradients of every making agree with central differences",
          "[block]") {
  for (const Norm norm : kNorms) {
    for (const Placement placement : kPlacements) {
      for (const Residual residual : kResiduals) {
        for (const Branches branches :
             {Branches::kSerial, Branches::kParallel}) {
          ModelConfig config = SmallConfig();
          config.norm = norm;
          config.placement = placement;
          config.residual = residual;
          config.branches = branches;
          INFO("norm " << static_cast<int>(norm) << ", placement "
                       << static_cast<int>(placement) << ", residual "
                       << static_cast<int>(residual) << ", branches "
                       << static_cast<int>(branches));
          CheckGradients(config);
        }
      }
    }
  }
}

TEST_CASE("So do those of each option of attention, norm and width",
          "[block]") {
  for (unsigned bits = 0; bits < 32; ++bits) {
    INFO("options " << bits);
    ModelConfig config = SmallConfig();
    config.causal = (bits & 1u) != 0;
    config.sequences = bits & 2u ? 2 : 1;
    config.placement = bits & 4u ? Placement::kPre : Placement::kPost;
    config.norm = bits & 8u ? Norm::kBatch : Norm::kLayer;
    config.norm_options.eps_placement =
        bits & 1u ? EpsPlacement::kOutside : EpsPlacement::kInside;
    config.norm_options.variance =
        bits & 2u ? Variance::kSample : Variance::kPopulation;
    CheckGradients(config, (bits & 16u) != 0);
  }
}

TEST_CASE("A projection mends unequal widths, in every residual connection",
          "[block]") {
  for (const Placement placement : kPlacements) {
    for (const Residual residual : kResiduals) {
      ModelConfig config = SmallConfig();
      config.d_input = 6;
      config.placement = placement;
      config.residual = residual;
      const bool adds = residual != Residual::kNone;
      CHECK(CheckConfig(config) == (adds ? Refusal::kWidths : Refusal::kNone));
      config.projection = adds;
      CHECK(CheckConfig(config) == Refusal::kNone);
      CheckGradients(config);
    }
  }
}

TEST_CASE("Given sublayers pass no gradient to the stream", "[block]") {
  for (const Placement placement : kPlacements) {
    for (const Branches branches : {Branches::kSerial, Branches::kParallel}) {
      ModelConfig config = SmallConfig();
      config.sublayers = Sublayers::kGiven;
      config.placement = placement;
      config.branches = branches;
      CheckGradients(config);
    }
  }
}

TEST_CASE("What makes no sense is refused with its reason", "[block]") {
  const auto refusal = [](const auto& change) {
    ModelConfig config = SmallConfig();
    change(config);
    return CheckConfig(config);
  };
  using C = ModelConfig;
  CHECK(refusal([](C&) {}) == Refusal::kNone);
  CHECK(refusal([](C& c) { c.tokens = 0; }) == Refusal::kZero);
  CHECK(refusal([](C& c) { c.layers = 0; }) == Refusal::kLayers);
  CHECK(refusal([](C& c) { c.layers = 129; }) == Refusal::kLayers);
  CHECK(refusal([](C& c) { c.heads = 3; }) == Refusal::kHeads);
  CHECK(refusal([](C& c) {
          c.norm = Norm::kGroup;
          c.groups = 3;
        }) == Refusal::kGroups);
  CHECK(refusal([](C& c) { c.d_input = 5; }) == Refusal::kWidths);
  CHECK(refusal([](C& c) { c.projection = true; }) == Refusal::kProjection);
  CHECK(refusal([](C& c) {
          c.norm = Norm::kNone;
          c.final_norm = true;
        }) == Refusal::kFinalNorm);
  CHECK(refusal([](C& c) { c.tokens = 1u << 20; }) == Refusal::kTooLarge);
  CHECK(refusal([](C& c) { c.d_model = c.d_input = 1u << 30; }) ==
        Refusal::kTooLarge);
}

TEST_CASE("A parallel block adds both branches to one stream", "[block]") {
  ModelConfig config = SmallConfig();
  config.branches = Branches::kParallel;
  config.placement = Placement::kPre;
  ModelCase<double> block(config);
  size_t norms = 0, residuals = 0;
  for (const Step& step : block.steps) {
    norms += step.op == Op::kNorm;
    residuals += step.op == Op::kResidual;
  }
  CHECK((norms == 1 && residuals == 1));
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
