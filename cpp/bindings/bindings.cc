// The wasm module's functions: a table over plain numbers, and nothing else.
// Matrices are byte addresses (0 = absent) with their sizes; the package in
// web/lib has checked them.
#include <emscripten/bind.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "bindings/convert.h"
#include "hwy/highway.h"
#include "hwy/targets.h"
#include "kernels/add_norm.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual_add.h"
#include "kernels/rms_norm.h"
#include "kernels/row_stats.h"
#include "random/numpy_random.h"

namespace addnorm {
namespace bindings {
namespace {

struct Info {
  std::string target;
  std::string version;
};

Info GetInfo() { return {hwy::TargetName(HWY_STATIC_TARGET), ADDNORM_VERSION}; }

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

  emscripten::value_object<Info>("Info")
      .field("target", &Info::target)
      .field("version", &Info::version);
  function("info", &GetInfo);
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
}

}  // namespace bindings
}  // namespace addnorm
