// LayerNorm, forward then backward, in Highway.
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
