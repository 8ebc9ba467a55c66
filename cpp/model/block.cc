// The wiring of one block: which matrix is made from which.
#include "model/block.h"

namespace addnorm {
namespace {

constexpr bool kWithoutGradient = true;

// Appends the steps of one block.
class Wiring {
 public:
  Wiring(const ModelConfig& config, int32_t block, Plan* plan)
      : config_(config), block_(block), plan_(plan) {}

  Stream Attention(Stream x) {
    if (config_.sublayers == Sublayers::kGiven) return Given(x, 1);
    const size_t d = config_.d_model;
    const int32_t first =
        AddParameter(ParameterKind::kAttnInWeight, 0, 3 * d, x.width);
    AddParameter(ParameterKind::kAttnInBias, 0, 1, 3 * d);
    AddParameter(ParameterKind::kAttnOutWeight, 0, d, d);
    AddParameter(ParameterKind::kAttnOutBias, 0, 1, d);
    const int32_t qkv = AddStep(Op::kQueryKeyValue, 0, {x.step}, first, Rows(),
                                3 * d, kWithoutGradient);
    const int32_t weights =
        AddStep(Op::kAttentionWeights, 0, {qkv}, -1, Rows() * config_.heads,
                config_.tokens, kWithoutGradient);
    const int32_t context = AddStep(Op::kContext, 0, {weights, qkv}, -1, Rows(),
                                    d, kWithoutGradient);
    // Its inputs are x and context, its parameters those of the whole sublayer.
    return {AddStep(Op::kAttention, 0, {x.step, context}, first, Rows(), d), d};
  }

  Stream FeedForward(Stream x) {
    if (config_.sublayers == Sublayers::kGiven) return Given(x, 2);
    const size_t d = config_.d_model, d_ff = config_.d_ff;
    const int32_t first =
        AddParameter(ParameterKind::kFfnUpWeight, 0, d_ff, x.width);
    AddParameter(ParameterKind::kFfnUpBias, 0, 1, d_ff);
    AddParameter(ParameterKind::kFfnDownWeight, 0, d, d_ff);
    AddParameter(ParameterKind::kFfnDownBias, 0, 1, d);
    const int32_t up =
        AddStep(Op::kUp, 0, {x.step}, first, Rows(), d_ff, kWithoutGradient);
    const int32_t activated =
        AddStep(Op::kActivated, 0, {up}, -1, Rows(), d_ff, kWithoutGradient);
    return {AddStep(Op::kFeedForward, 0, {x.step, activated}, first, Rows(), d),
            d};
  }

  // Both branches side by side.
  Stream Both(Stream x) {
    const Stream attention = Attention(x);
    const Stream feed_forward = FeedForward(x);
    return {AddStep(Op::kBranchSum, 0, {attention.step, feed_forward.step}, -1,
                    Rows(), config_.d_model),
            config_.d_model};
  }

  // One branch with its norms and its residual connection.
  Stream Unit(int32_t site, Stream x, Stream (Wiring::*branch)(Stream)) {
    const Placement placement = config_.placement;
    const bool before =
        placement == Placement::kPre || placement == Placement::kSandwich;
    Stream f = (this->*branch)(before ? Normalize(site, x) : x);
    if (placement == Placement::kSandwich) f = Normalize(site + 2, f);
    const Stream sum = Connect(site, x, f);
    return placement == Placement::kPost ? Normalize(site, sum) : sum;
  }

 private:
  size_t Rows() const { return config_.Rows(); }

  int32_t AddParameter(ParameterKind kind, int32_t site, size_t rows,
                       size_t cols) {
    return plan_->AddParameter(kind, block_, site, rows, cols);
  }

  struct Inputs {
    int32_t first, second = kNoStep, third = kNoStep;
  };

  int32_t AddStep(Op op, int32_t site, Inputs from, int32_t parameter,
                  size_t rows, size_t cols, bool without_gradient = false) {
    Step step = {};
    step.op = op;
    step.block = block_;
    step.site = site;
    step.inputs[0] = from.first;
    step.inputs[1] = from.second;
    step.inputs[2] = from.third;
    step.parameter = parameter;
    return plan_->AddStep(step, rows, cols, without_gradient);
  }

  Stream Normalize(int32_t site, Stream x) {
    return AppendNorm(config_, block_, site, x, plan_);
  }

  // The input tells what the sublayer stands behind; no gradient goes there.
  Stream Given(Stream x, int32_t site) {
    return {AddStep(Op::kGiven, site, {x.step}, -1, Rows(), config_.d_model),
            config_.d_model};
  }

  Stream Connect(int32_t site, Stream x, Stream f) {
    const size_t d = config_.d_model;
    if (config_.residual == Residual::kNone) return f;
    if (x.width != d) {
      const int32_t weight =
          AddParameter(ParameterKind::kProjectionWeight, 0, d, x.width);
      x = {AddStep(Op::kProjection, 0, {x.step}, weight, Rows(), d), d};
    }
    int32_t parameter = -1, gate = kNoStep;
    if (config_.residual == Residual::kReZero ||
        config_.residual == Residual::kLayerScale) {
      const size_t count = config_.residual == Residual::kReZero ? 1 : d;
      parameter = AddParameter(ParameterKind::kResidualScale, site, 1, count);
    } else if (config_.residual == Residual::kGated) {
      parameter = AddParameter(ParameterKind::kGateWeight, site, d, d);
      AddParameter(ParameterKind::kGateBias, site, 1, d);
      const int32_t logit = AddStep(Op::kGateLogit, site, {x.step}, parameter,
                                    Rows(), d, kWithoutGradient);
      gate = AddStep(Op::kGate, site, {logit}, -1, Rows(), d, kWithoutGradient);
    }
    return {AddStep(Op::kResidual, site, {x.step, f.step, gate}, parameter,
                    Rows(), d),
            d};
  }

  const ModelConfig& config_;
  int32_t block_;
  Plan* plan_;
};

}  // namespace

Stream AppendBlock(const ModelConfig& config, int32_t block, Stream stream,
                   Plan* plan) {
  Wiring wiring(config, block, plan);
  if (config.branches == Branches::kParallel) {
    return wiring.Unit(1, stream, &Wiring::Both);
  }
  const Stream middle = wiring.Unit(1, stream, &Wiring::Attention);
  return wiring.Unit(2, middle, &Wiring::FeedForward);
}

Stream AppendNorm(const ModelConfig& config, int32_t block, int32_t site,
                  Stream input, Plan* plan) {
  if (config.norm == Norm::kNone) return input;
  const size_t gains = config.norm == Norm::kL2 ? 1 : input.width;
  const int32_t parameter =
      plan->AddParameter(ParameterKind::kNormGamma, block, site, 1, gains);
  if (config.norm != Norm::kRms && config.norm != Norm::kL2) {
    plan->AddParameter(ParameterKind::kNormBeta, block, site, 1, input.width);
  }
  if (config.norm == Norm::kDynamicTanh) {
    plan->AddParameter(ParameterKind::kNormAlpha, block, site, 1, 1);
  }
  Step step = {};
  step.op = Op::kNorm;
  step.block = block;
  step.site = site;
  step.inputs[0] = input.step;
  step.inputs[1] = step.inputs[2] = kNoStep;
  step.parameter = parameter;
  return {plan->AddStep(step, config.Rows(), input.width), input.width};
}

}  // namespace addnorm
