// RMSNorm, forward then backward, in Highway: LayerNorm's loops without the
// mean (layer_norm.cc tells what bounds them), five operations a vector
// forward. The backward pass sums as LayerNorm's does and writes with one
// subtraction less.
#include "kernels/rms_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rms_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/norm_gradients-inl.h"
#include "simd/norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardRmsNorm(const ConstMatrix& x, const float* gamma,
                    const RmsNormOptions& options, const Matrix& y,
                    float* rstd) {
  NormalizeRows({gamma, options}, x, {}, {}, y, nullptr, rstd);
}

void StepThroughRmsNorm(const ConstMatrix& x, const float* gamma,
                        const RmsNormOptions& options, const Matrix& normalized,
                        const Matrix& y, float* rms, float* rstd) {
  const RowNorm norm(gamma, options);
  NormalizeRows(norm, x, {}, {}, y, nullptr, rstd);
  StepThroughRows(norm, x, {}, normalized, rms);
}

void BackwardRmsNorm(const ConstMatrix& x, const ConstMatrix& dy,
                     const float* gamma, const RmsNormOptions& options,
                     const Matrix& dx, float* dgamma) {
  BackpropagateRows({gamma, options}, {x, dy, {}, dx, {}, dgamma, nullptr});
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardRmsNorm);
HWY_EXPORT(StepThroughRmsNorm);
HWY_EXPORT(BackwardRmsNorm);

void RmsNorm(const ConstMatrix& x, const float* gamma,
             const RmsNormOptions& options, const Matrix& y, float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardRmsNorm)(x, gamma, options, y, rstd);
}

void RmsNormSteps(const ConstMatrix& x, const float* gamma,
                  const RmsNormOptions& options, const Matrix& normalized,
                  const Matrix& y, float* rms, float* rstd) {
  HWY_DYNAMIC_DISPATCH(StepThroughRmsNorm)
  (x, gamma, options, normalized, y, rms, rstd);
}

void RmsNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                     const float* gamma, const RmsNormOptions& options,
                     const Matrix& dx, float* dgamma) {
  HWY_DYNAMIC_DISPATCH(BackwardRmsNorm)(x, dy, gamma, options, dx, dgamma);
}

}  // namespace addnorm
#endif  // HWY_ONCE
