// Runs a planned stack of blocks, forward then backward.
#include "model/stack.h"

#include <algorithm>

#include "kernels/activation.h"
#include "kernels/double_kernels.h"
#include "kernels/gated_add.h"
#include "kernels/linear.h"
#include "kernels/residual_add.h"
#include "kernels/scaled_add.h"
#include "model/norm.h"
#include "sublayers/attention.h"
#include "sublayers/feed_forward.h"

namespace addnorm {
namespace {

// Where the matrices of a run lie.
template <typename T>
class Runner {
 public:
  explicit Runner(const ModelRun<T>& run) : run_(run), config_(run.config) {}

  void Forward(const Step& step) const {
    const MatrixView<T> y = Value(step);
    switch (step.op) {
      case Op::kInput:
        return Copy(run_.x, y);
      case Op::kProjection:
        return Linear(Input(step, 0), Weight(step), nullptr, y);
      case Op::kNorm:
        return ApplyNorm<T>(config_, Input(step, 0), run_.padding,
                            NormAt(run_.parameters, step), y);
      case Op::kAttention:
        return Attention<T>(Input(step, 0), AttentionAt(run_.parameters, step),
                            Options(), AttentionStepsOf(step), y);
      case Op::kFeedForward:
        return FeedForward<T>(Input(step, 0),
                              FeedForwardAt(run_.parameters, step),
                              config_.activation, FeedForwardStepsOf(step), y);
      case Op::kGiven:
        return Copy(run_.given + GivenPlace(step), y);
      case Op::kBranchSum:
        return ResidualAdd(Input(step, 0), Input(step, 1), T{1}, T{1}, y);
      case Op::kGateLogit:
        return Linear(Input(step, 0), Weight(step),
                      At(run_.parameters, step, 1), y);
      case Op::kGate:
        return Activate(Activation::kSigmoid, Input(step, 0), y);
      case Op::kResidual:
        return Connect(step, y);
      case Op::kQueryKeyValue:
      case Op::kAttentionWeights:
      case Op::kContext:
      case Op::kUp:
      case Op::kActivated:
        return;  // written by the sublayer's own step
    }
  }

 protected:
  static void Copy(const T* from, const MatrixView<T>& to) {
    std::copy(from, from + to.Size(), to.data);
  }

  void Connect(const Step& step, const MatrixView<T>& sum) const {
    const MatrixView<T> x = Input(step, 0), f = Input(step, 1);
    switch (config_.residual) {
      case Residual::kReZero:
      case Residual::kLayerScale:
        return ScaledAdd(x, f, At(run_.parameters, step, 0), Count(step), sum);
      case Residual::kGated:
        return GatedAdd(x, f, Input(step, 2), sum);
      case Residual::kIdentity:
      case Residual::kDeepNorm:
      case Residual::kNone:
        return ResidualAdd(x, f, Alpha(), T{1}, sum);
    }
  }

  // What the stream is scaled with: DeepNorm's alpha.
  T Alpha() const {
    return config_.residual == Residual::kDeepNorm
               ? static_cast<T>(config_.residual_value)
               : T{1};
  }

  const Step& StepAt(int32_t id) const { return run_.plan.steps[id]; }
  MatrixView<T> Value(const Step& step) const {
    return {run_.values + step.data, step.rows, step.cols};
  }
  [[gnu::noinline]] MatrixView<T> Input(const Step& step, int which) const {
    return Value(StepAt(step.inputs[which]));
  }

  // The k-th parameter of a step, or its gradient, among `all`.
  template <typename U>
  [[gnu::noinline]] U* At(U* all, const Step& step, int k) const {
    return all + run_.plan.parameters[step.parameter + k].data;
  }
  size_t Count(const Step& step) const {
    return run_.plan.parameters[step.parameter].cols;
  }
  [[gnu::noinline]] MatrixView<const T> Weight(const Step& step) const {
    const Parameter& at = run_.plan.parameters[step.parameter];
    return {run_.parameters + at.data, at.rows, at.cols};
  }
  template <typename U>
  NormParameters<U> NormAt(U* all, const Step& step) const {
    NormParameters<U> at = {At(all, step, 0), nullptr, nullptr};
    if (config_.norm == Norm::kRms || config_.norm == Norm::kL2) return at;
    at.beta = At(all, step, 1);
    if (config_.norm == Norm::kDynamicTanh) at.alpha = At(all, step, 2);
    return at;
  }
  template <typename U>
  AttentionParameters<U> AttentionAt(U* all, const Step& step) const {
    return {At(all, step, 0), At(all, step, 1), At(all, step, 2),
            At(all, step, 3)};
  }
  template <typename U>
  FeedForwardParameters<U> FeedForwardAt(U* all, const Step& step) const {
    return {At(all, step, 0), At(all, step, 1), At(all, step, 2),
            At(all, step, 3)};
  }
  AttentionOptions Options() const {
    return {config_.heads, config_.sequences, config_.causal, run_.padding};
  }
  AttentionSteps<T> AttentionStepsOf(const Step& step) const {
    const Step& context = StepAt(step.inputs[1]);
    return {Input(context, 1), Input(context, 0), Value(context)};
  }
  FeedForwardSteps<T> FeedForwardStepsOf(const Step& step) const {
    const Step& activated = StepAt(step.inputs[1]);
    return {Input(activated, 0), Value(activated)};
  }
  size_t GivenPlace(const Step& step) const {
    const size_t before = 2 * static_cast<size_t>(step.block) +
                          static_cast<size_t>(step.site - 1);
    return before * config_.Rows() * config_.d_model;
  }

  const ModelRun<T>& run_;
  const ModelConfig& config_;
};

template <typename T>
class BackwardRunner : public Runner<T> {
 public:
  BackwardRunner(const ModelRun<T>& run, T* gradients, T* to)
      : Runner<T>(run), gradients_(gradients), to_(to) {}

  void Seed(const T* dy) const {
    const Plan& plan = this->run_.plan;
    std::fill(gradients_, gradients_ + plan.scratch, T{0});
    const Step& last = plan.steps[plan.step_count - 1];
    const MatrixView<T> gradient = Gradient(last);
    if (dy) return this->Copy(dy, gradient);
    const T scale = T{2} / static_cast<T>(gradient.Size());
    ResidualAdd(this->Value(last), gradient, scale, T{0}, gradient);
  }

  void Backward(const Step& step) const {
    if (step.gradient == kNoPlace) return;
    const MatrixView<T> dy = Gradient(step);
    switch (step.op) {
      case Op::kProjection: {
        const MatrixView<T> x = this->Input(step, 0), dx = Dx(x);
        const MatrixView<const T> w = this->Weight(step);
        LinearBackward(x, dy, w, dx, {this->At(to_, step, 0), w.rows, w.cols},
                       nullptr);
        return Add(dx, step, 0);
      }
      case Op::kNorm: {
        const MatrixView<T> x = this->Input(step, 0), dx = Dx(x);
        ApplyNormBackward<T>(this->config_, x, dy, this->run_.padding,
                             this->NormAt(this->run_.parameters, step), dx,
                             this->NormAt(to_, step));
        return Add(dx, step, 0);
      }
      case Op::kAttention: {
        const MatrixView<T> x = this->Input(step, 0), dx = Dx(x);
        const AttentionSteps<T> steps = this->AttentionStepsOf(step);
        const MatrixView<T> qkv = Scratch(steps.qkv, Within());
        const MatrixView<T> context =
            Scratch(steps.context, qkv.data + qkv.Size());
        const MatrixView<T> weights =
            Scratch(steps.weights, context.data + context.Size());
        AttentionBackward<T>(x, dy,
                             this->AttentionAt(this->run_.parameters, step),
                             this->Options(), steps, {qkv, weights, context},
                             dx, this->AttentionAt(to_, step));
        return Add(dx, step, 0);
      }
      case Op::kFeedForward: {
        const MatrixView<T> x = this->Input(step, 0), dx = Dx(x);
        const FeedForwardSteps<T> steps = this->FeedForwardStepsOf(step);
        FeedForwardBackward<T>(
            x, dy, this->FeedForwardAt(this->run_.parameters, step),
            this->config_.activation, steps, Scratch(steps.up, Within()), dx,
            this->FeedForwardAt(to_, step));
        return Add(dx, step, 0);
      }
      case Op::kBranchSum:
        Add(dy, step, 0);
        return Add(dy, step, 1);
      case Op::kResidual:
        return ConnectBackward(step, dy);
      default:
        return;  // nothing lies before, or nothing is learned from it
    }
  }

 private:
  void ConnectBackward(const Step& step, const MatrixView<T>& dy) const {
    const MatrixView<T> x = this->Input(step, 0), f = this->Input(step, 1);
    switch (this->config_.residual) {
      case Residual::kReZero:
      case Residual::kLayerScale: {
        const MatrixView<T> df = Dx(f);
        ScaledAddBackward(f, dy, this->At(this->run_.parameters, step, 0),
                          this->Count(step), df, this->At(to_, step, 0));
        Add(dy, step, 0);
        return Add(df, step, 1);
      }
      case Residual::kGated:
        return Gated(step, x, f, dy);
      case Residual::kIdentity:
      case Residual::kDeepNorm:
      case Residual::kNone:
        Add(dy, step, 0, this->Alpha());
        return Add(dy, step, 1);
    }
  }

  void Gated(const Step& step, const MatrixView<T>& x, const MatrixView<T>& f,
             const MatrixView<T>& dy) const {
    const Step& gate = this->StepAt(step.inputs[2]);
    const Step& logit = this->StepAt(gate.inputs[0]);
    const MatrixView<T> dx = Dx(x), df = Scratch(f, Within()),
                        dgate = Scratch(f, df.data + df.Size());
    GatedAddBackward(x, f, this->Value(gate), dy, dx, df, dgate);
    Add(dx, step, 0);
    Add(df, step, 1);
    ActivateBackward(Activation::kSigmoid, this->Value(logit), dgate, dgate);
    const MatrixView<const T> w = this->Weight(step);
    LinearBackward(x, dgate, w, dx, {this->At(to_, step, 0), w.rows, w.cols},
                   this->At(to_, step, 1));
    Add(dx, step, 0);
  }

  MatrixView<T> Gradient(const Step& step) const {
    return {gradients_ + step.gradient, step.rows, step.cols};
  }
  // The gradient of an input += factor * dx.
  void Add(const MatrixView<T>& dx, const Step& step, int which,
           T factor = 1) const {
    const MatrixView<T> sum = Gradient(this->StepAt(step.inputs[which]));
    ResidualAdd(sum, dx, T{1}, factor, sum);
  }
  static MatrixView<T> Scratch(const MatrixView<T>& like, T* data) {
    return {data, like.rows, like.cols};
  }
  // Scratch: first what one input's gradient needs, then what a sublayer does.
  MatrixView<T> Dx(const MatrixView<T>& like) const {
    return Scratch(like, gradients_ + this->run_.plan.scratch);
  }
  T* Within() const {
    return gradients_ + this->run_.plan.scratch +
           this->config_.Rows() *
               std::max(this->config_.d_input, this->config_.d_model);
  }

  T* gradients_;
  T* to_;
};

}  // namespace

template <typename T>
void RunForward(const ModelRun<T>& run, size_t first, size_t end) {
  const Runner<T> runner(run);
  for (size_t id = first; id < end; ++id) runner.Forward(run.plan.steps[id]);
}

template <typename T>
void RunBackward(const ModelRun<T>& run, const T* dy, size_t first, size_t end,
                 T* gradients, T* parameter_gradients) {
  const BackwardRunner<T> runner(run, gradients, parameter_gradients);
  if (end == run.plan.step_count) runner.Seed(dy);
  for (size_t id = end; id-- > first;) runner.Backward(run.plan.steps[id]);
}

#define ADDNORM_MAKE(T)                                                      \
  template void RunForward<T>(const ModelRun<T>&, size_t, size_t);           \
  template void RunBackward<T>(const ModelRun<T>&, const T*, size_t, size_t, \
                               T*, T*)
ADDNORM_MAKE(float);
ADDNORM_MAKE(double);
#undef ADDNORM_MAKE

}  // namespace addnorm
