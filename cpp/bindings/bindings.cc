// The wasm module's functions: a table over plain numbers, and nothing else.
// Matrices are byte addresses (0 = absent) with their sizes; the package in
// web/lib has checked them. web/lib/load/embind.ts calls them, and relies on it
// that arguments and results are integers, bools, floats and doubles.
//
// A model (cpp/model) is described by records in wasm memory.
//
// config, 22 doubles: 0 sequences, 1 tokens of each, 2 dInput, 3 dModel,
//   4 heads, 5 dFf, 6 layers, 7 sublayers (computed, given), 8 activation
//   (relu, gelu), 9 causal, 10 placement (post, pre, sandwich, none),
//   11 branches (serial, parallel), 12 residual (identity, none, re_zero,
//   layer_scale, deep_norm, gated), 13 its value, 14 projection, 15 norm
//   (layer, rms, batch, group, l2, dyt, none), 16 groups, 17 eps, 18 eps
//   outside, 19 sample variance, 20 gammaOffset, 21 final norm. A choice is its
//   place in its list, counted from 0.
// modelCheck(config): 0, or why it is refused (config.h, Refusal, from 1: zero,
//   layers, heads, groups, widths, projection, finalNorm, tooLarge).
// modelSizes(config, out): 5 doubles: steps, parameters, floats of all
//   parameters, floats of all steps, floats for gradients (scratch included).
// modelPlan(config, steps, parameters): fills the records of trace.h.
//   Step, 12 int32: op, block, site, state, inputs (3 ids), parameter, rows,
//   cols, data, gradient (-1: none); Parameter, 6 int32: kind, block, site,
//   rows, cols, data. data and gradient count floats from where those begin.
// modelDraw(config, steps, parameters, seed, gain, weights).
// run, 8 addresses (uint32): config, steps, parameters, weights, x, given,
//   padding (bytes), values.
// modelForward(run, first, end): the steps first to end - 1.
// modelBackward(run, dy, gradients, dweights, first, end): the steps end - 1
//   down to first; dy = 0: from the mean square of the output. dweights is
//   accumulated; the gradient of step 0 is dx.
#include <emscripten/bind.h>

#include <cstdint>
#include <cstdlib>

#include "bindings/convert.h"
#include "hwy/highway.h"
#include "hwy/targets.h"
#include "kernels/activation.h"
#include "kernels/add_norm.h"
#include "kernels/batch_norm.h"
#include "kernels/dynamic_tanh.h"
#include "kernels/group_norm.h"
#include "kernels/l2_norm.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/memory_loops.h"
#include "kernels/residual_add.h"
#include "kernels/rms_norm.h"
#include "kernels/row_stats.h"
#include "kernels/softmax.h"
#include "model/plan.h"
#include "model/stack.h"
#include "random/numpy_random.h"

#ifdef ADDNORM_RUN_BINDINGS
// Called for each EMSCRIPTEN_BINDINGS: runs it at once.
extern "C" void _embind_register_bindings(
    emscripten::internal::InitFunc* bindings) {
  bindings->init_func();
}
#endif

namespace addnorm {
namespace bindings {
namespace {

// Texts that end with 0.
Address Target() {
  return reinterpret_cast<Address>(hwy::TargetName(HWY_STATIC_TARGET));
}

Address Version() { return reinterpret_cast<Address>(ADDNORM_VERSION); }

// 0 where memory is not to be had. Addresses are multiples of 64.
Address Allocate(size_t bytes) {
  constexpr size_t kAlignment = 64;
  if (bytes > SIZE_MAX - kAlignment) return 0;
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  return reinterpret_cast<Address>(aligned_alloc(kAlignment, rounded));
}

void Release(Address address) { free(reinterpret_cast<void*>(address)); }

void Randn(uint32_t seed, size_t count, Address out) {
  NumpyRandom(seed).Randn(reinterpret_cast<double*>(out), count);
}

}  // namespace

EMSCRIPTEN_BINDINGS(addnorm) {
  using emscripten::function;

  function("target", &Target);
  function("version", &Version);
  function("allocate", &Allocate);
  function("release", &Release);
  function("randn", &Randn);

  function(
      "residualAdd", +[](Address x, Address fx, size_t count, float alpha,
                         float beta, Address sum) {
        ResidualAdd(View(x, 1, count), View(fx, 1, count), alpha, beta,
                    View(sum, 1, count));
      });
  function(
      "residualAddBackward", +[](Address dsum, size_t count, float alpha,
                                 float beta, Address dx, Address dfx) {
        ResidualAddBackward(View(dsum, 1, count), alpha, beta,
                            View(dx, 1, count), View(dfx, 1, count));
      });
  function(
      "layerNorm",
      +[](Address x, size_t rows, size_t cols, Address gamma, Address beta,
          double eps, bool eps_outside, bool sample_variance, Address y,
          Address mean, Address rstd) {
        LayerNorm(View(x, rows, cols), Floats(gamma), Floats(beta),
                  LayerOptions(eps, eps_outside, sample_variance),
                  View(y, rows, cols), Floats(mean), Floats(rstd));
      });
  function(
      "layerNormSteps",
      +[](Address x, size_t rows, size_t cols, Address gamma, Address beta,
          double eps, bool eps_outside, bool sample_variance, Address deviation,
          Address normalized, Address y, Address mean, Address std,
          Address rstd) {
        LayerNormSteps(View(x, rows, cols), Floats(gamma), Floats(beta),
                       LayerOptions(eps, eps_outside, sample_variance),
                       View(deviation, rows, cols),
                       View(normalized, rows, cols), View(y, rows, cols),
                       Floats(mean), Floats(std), Floats(rstd));
      });
  function(
      "layerNormBackward",
      +[](Address x, Address dy, size_t rows, size_t cols, Address gamma,
          double eps, bool eps_outside, bool sample_variance, Address dx,
          Address dgamma, Address dbeta) {
        LayerNormBackward(View(x, rows, cols), View(dy, rows, cols),
                          Floats(gamma),
                          LayerOptions(eps, eps_outside, sample_variance),
                          View(dx, rows, cols), Floats(dgamma), Floats(dbeta));
      });
  function(
      "rmsNorm", +[](Address x, size_t rows, size_t cols, Address gamma,
                     float gamma_offset, double eps, Address y, Address rstd) {
        RmsNorm(View(x, rows, cols), Floats(gamma), {eps, gamma_offset},
                View(y, rows, cols), Floats(rstd));
      });
  function(
      "rmsNormSteps", +[](Address x, size_t rows, size_t cols, Address gamma,
                          float gamma_offset, double eps, Address normalized,
                          Address y, Address rms, Address rstd) {
        RmsNormSteps(View(x, rows, cols), Floats(gamma), {eps, gamma_offset},
                     View(normalized, rows, cols), View(y, rows, cols),
                     Floats(rms), Floats(rstd));
      });
  function(
      "rmsNormBackward",
      +[](Address x, Address dy, size_t rows, size_t cols, Address gamma,
          float gamma_offset, double eps, Address dx, Address dgamma) {
        RmsNormBackward(View(x, rows, cols), View(dy, rows, cols),
                        Floats(gamma), {eps, gamma_offset},
                        View(dx, rows, cols), Floats(dgamma));
      });
  function(
      "addLayerNorm",
      +[](Address x, Address fx, size_t rows, size_t cols, Address gamma,
          Address beta, double eps, bool eps_outside, bool sample_variance,
          Address sum, Address y, Address mean, Address rstd) {
        AddLayerNorm(View(x, rows, cols), View(fx, rows, cols), Floats(gamma),
                     Floats(beta),
                     LayerOptions(eps, eps_outside, sample_variance),
                     View(sum, rows, cols), View(y, rows, cols), Floats(mean),
                     Floats(rstd));
      });
  function(
      "addLayerNormBackward",
      +[](Address sum, Address dy, Address dsum, size_t rows, size_t cols,
          Address gamma, double eps, bool eps_outside, bool sample_variance,
          Address dx, Address dfx, Address dgamma, Address dbeta) {
        AddLayerNormBackward(View(sum, rows, cols), View(dy, rows, cols),
                             View(dsum, rows, cols), Floats(gamma),
                             LayerOptions(eps, eps_outside, sample_variance),
                             View(dx, rows, cols), View(dfx, rows, cols),
                             Floats(dgamma), Floats(dbeta));
      });
  function(
      "addRmsNorm", +[](Address x, Address fx, size_t rows, size_t cols,
                        Address gamma, float gamma_offset, double eps,
                        Address sum, Address y, Address rstd) {
        AddRmsNorm(View(x, rows, cols), View(fx, rows, cols), Floats(gamma),
                   {eps, gamma_offset}, View(sum, rows, cols),
                   View(y, rows, cols), Floats(rstd));
      });
  function(
      "addRmsNormBackward",
      +[](Address sum, Address dy, Address dsum, size_t rows, size_t cols,
          Address gamma, float gamma_offset, double eps, Address dx,
          Address dfx, Address dgamma) {
        AddRmsNormBackward(View(sum, rows, cols), View(dy, rows, cols),
                           View(dsum, rows, cols), Floats(gamma),
                           {eps, gamma_offset}, View(dx, rows, cols),
                           View(dfx, rows, cols), Floats(dgamma));
      });
  function(
      "linear", +[](Address x, size_t rows, size_t in_features, Address w,
                    Address b, size_t out_features, Address y) {
        Linear(View(x, rows, in_features), View(w, out_features, in_features),
               Floats(b), View(y, rows, out_features));
      });
  function(
      "linearBackward",
      +[](Address x, Address dy, size_t rows, size_t in_features, Address w,
          size_t out_features, Address dx, Address dw, Address db) {
        LinearBackward(View(x, rows, in_features), View(dy, rows, out_features),
                       View(w, out_features, in_features),
                       View(dx, rows, in_features),
                       View(dw, out_features, in_features), Floats(db));
      });
  function(
      "rowStats", +[](Address x, size_t rows, size_t cols, bool sample_variance,
                      Address mean, Address std, Address rms) {
        RowStats(View(x, rows, cols),
                 sample_variance ? Variance::kSample : Variance::kPopulation,
                 Floats(mean), Floats(std), Floats(rms));
      });
  function(
      "softmax", +[](Address x, size_t rows, size_t cols, Address left_out,
                     bool causal, Address y) {
        Softmax(View(x, rows, cols), {Bytes(left_out), causal},
                View(y, rows, cols));
      });
  function(
      "softmaxBackward",
      +[](Address y, Address dy, size_t rows, size_t cols, Address dx) {
        SoftmaxBackward(View(y, rows, cols), View(dy, rows, cols),
                        View(dx, rows, cols));
      });
  function(
      "activation", +[](int f, Address x, size_t count, Address y) {
        Activate(static_cast<Activation>(f), View(x, 1, count),
                 View(y, 1, count));
      });
  function(
      "activationBackward",
      +[](int f, Address x, Address dy, size_t count, Address dx) {
        ActivateBackward(static_cast<Activation>(f), View(x, 1, count),
                         View(dy, 1, count), View(dx, 1, count));
      });
  function(
      "batchNorm",
      +[](Address x, size_t rows, size_t cols, Address padding, Address gamma,
          Address beta, double eps, bool eps_outside, bool sample_variance,
          Address y, Address mean, Address rstd) {
        BatchNorm(View(x, rows, cols), Bytes(padding), Floats(gamma),
                  Floats(beta), LayerOptions(eps, eps_outside, sample_variance),
                  View(y, rows, cols), Floats(mean), Floats(rstd));
      });
  function(
      "batchNormBackward",
      +[](Address x, Address dy, size_t rows, size_t cols, Address padding,
          Address gamma, double eps, bool eps_outside, bool sample_variance,
          Address dx, Address dgamma, Address dbeta) {
        BatchNormBackward(View(x, rows, cols), View(dy, rows, cols),
                          Bytes(padding), Floats(gamma),
                          LayerOptions(eps, eps_outside, sample_variance),
                          View(dx, rows, cols), Floats(dgamma), Floats(dbeta));
      });
  function(
      "groupNorm",
      +[](Address x, size_t rows, size_t cols, size_t groups, Address gamma,
          Address beta, double eps, bool eps_outside, bool sample_variance,
          Address y, Address mean, Address rstd) {
        GroupNorm(View(x, rows, cols), groups, Floats(gamma), Floats(beta),
                  LayerOptions(eps, eps_outside, sample_variance),
                  View(y, rows, cols), Floats(mean), Floats(rstd));
      });
  function(
      "groupNormBackward",
      +[](Address x, Address dy, size_t rows, size_t cols, size_t groups,
          Address gamma, double eps, bool eps_outside, bool sample_variance,
          Address dx, Address dgamma, Address dbeta) {
        GroupNormBackward(View(x, rows, cols), View(dy, rows, cols), groups,
                          Floats(gamma),
                          LayerOptions(eps, eps_outside, sample_variance),
                          View(dx, rows, cols), Floats(dgamma), Floats(dbeta));
      });
  function(
      "l2Norm", +[](Address x, size_t rows, size_t cols, Address gain,
                    double eps, Address y, Address norm) {
        L2Norm(View(x, rows, cols), Floats(gain), eps, View(y, rows, cols),
               Floats(norm));
      });
  function(
      "l2NormBackward",
      +[](Address x, Address dy, size_t rows, size_t cols, Address gain,
          double eps, Address dx, Address dgain) {
        L2NormBackward(View(x, rows, cols), View(dy, rows, cols), Floats(gain),
                       eps, View(dx, rows, cols), Floats(dgain));
      });
  function(
      "dynamicTanh", +[](Address x, size_t rows, size_t cols, float alpha,
                         Address gamma, Address beta, Address y) {
        DynamicTanh(View(x, rows, cols), alpha, Floats(gamma), Floats(beta),
                    View(y, rows, cols));
      });
  function(
      "dynamicTanhBackward",
      +[](Address x, Address dy, size_t rows, size_t cols, float alpha,
          Address gamma, Address dx, Address dalpha, Address dgamma,
          Address dbeta) {
        DynamicTanhBackward(View(x, rows, cols), View(dy, rows, cols), alpha,
                            Floats(gamma), View(dx, rows, cols), Floats(dalpha),
                            Floats(dgamma), Floats(dbeta));
      });
  function(
      "simdCopy", +[](Address x, size_t count, Address y) {
        SimdCopy(View(x, 1, count), View(y, 1, count));
      });
  function(
      "simdAdd", +[](Address x, Address fx, size_t count, Address sum) {
        SimdAdd(View(x, 1, count), View(fx, 1, count), View(sum, 1, count));
      });
  function(
      "modelCheck", +[](Address config) {
        return static_cast<int>(CheckConfig(Config(config)));
      });
  function(
      "modelSizes", +[](Address config, Address out) {
        WriteSizes(PlanModel(Config(config), nullptr, nullptr),
                   reinterpret_cast<double*>(out));
      });
  function(
      "modelPlan", +[](Address config, Address steps, Address parameters) {
        PlanModel(Config(config), reinterpret_cast<Step*>(steps),
                  reinterpret_cast<Parameter*>(parameters));
      });
  function(
      "modelDraw", +[](Address config, Address steps, Address parameters,
                       uint32_t seed, double gain, Address weights) {
        const ModelConfig at = Config(config);
        DrawParameters(at,
                       PlanModel(at, reinterpret_cast<Step*>(steps),
                                 reinterpret_cast<Parameter*>(parameters)),
                       seed, gain, Floats(weights));
      });
  function(
      "modelForward", +[](Address run, size_t first, size_t end) {
        RunForward(Run(reinterpret_cast<Address*>(run)).run, first, end);
      });
  function(
      "modelBackward", +[](Address run, Address dy, Address gradients,
                           Address dweights, size_t first, size_t end) {
        RunBackward<float>(Run(reinterpret_cast<Address*>(run)).run, Floats(dy),
                           first, end, Floats(gradients), Floats(dweights));
      });
}

}  // namespace bindings
}  // namespace addnorm
