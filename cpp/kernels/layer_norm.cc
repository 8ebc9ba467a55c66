// LayerNorm, forward then backward, in Highway.
//
// Forward, a row is read twice: the sums of x and x^2 (one load, three
// operations a vector), then, together with the row behind it so that gamma and
// beta are loaded once, the result (two loads, four operations, one store). A
// row whose mean would take digits from its variance is read a third time.
// Backward, one pass sums x, x^2, g and g x (seven operations), one writes dx
// and adds up dgamma and dbeta in registers over 16 rows (nine operations, one
// store). Matrices in the second-level cache are bounded by these operations,
// at most three a cycle and in practice two: 7 forward, 16 backward, against a
// copy that one store a cycle bounds. Larger ones are bounded by memory. A row
// costs some 80 cycles of its own: two divisions and two square roots in
// double.
#include "kernels/layer_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/norm_gradients-inl.h"
#include "simd/norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardLayerNorm(const ConstMatrix& x, const float* gamma,
                      const float* beta, const LayerNormOptions& options,
                      const Matrix& y, float* mean, float* rstd) {
  NormalizeRows({gamma, beta, options}, x, {}, {}, y, mean, rstd);
}

void StepThroughLayerNorm(const ConstMatrix& x, const float* gamma,
                          const float* beta, const LayerNormOptions& options,
                          const Matrix& deviation, const Matrix& normalized,
                          const Matrix& y, float* mean, float* std,
                          float* rstd) {
  const RowNorm norm(gamma, beta, options);
  NormalizeRows(norm, x, {}, {}, y, mean, rstd);
  StepThroughRows(norm, x, deviation, normalized, std);
}

void BackwardLayerNorm(const ConstMatrix& x, const ConstMatrix& dy,
                       const float* gamma, const LayerNormOptions& options,
                       const Matrix& dx, float* dgamma, float* dbeta) {
  BackpropagateRows({gamma, nullptr, options},
                    {x, dy, {}, dx, {}, dgamma, dbeta});
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardLayerNorm);
HWY_EXPORT(StepThroughLayerNorm);
HWY_EXPORT(BackwardLayerNorm);

void LayerNorm(const ConstMatrix& x, const float* gamma, const float* beta,
               const LayerNormOptions& options, const Matrix& y, float* mean,
               float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardLayerNorm)
  (x, gamma, beta, options, y, mean, rstd);
}

void LayerNormSteps(const ConstMatrix& x, const float* gamma, const float* beta,
                    const LayerNormOptions& options, const Matrix& deviation,
                    const Matrix& normalized, const Matrix& y, float* mean,
                    float* std, float* rstd) {
  HWY_DYNAMIC_DISPATCH(StepThroughLayerNorm)
  (x, gamma, beta, options, deviation, normalized, y, mean, std, rstd);
}

void LayerNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                       const float* gamma, const LayerNormOptions& options,
                       const Matrix& dx, float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(BackwardLayerNorm)
  (x, dy, gamma, options, dx, dgamma, dbeta);
}

}  // namespace addnorm
#endif  // HWY_ONCE
