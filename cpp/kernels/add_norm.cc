// Add & Norm, forward then backward, in Highway: the first pass over a row adds
// and measures, the second, while the row is still in cache, normalizes. Four
// matrices pass through the caches once, where the add loop (memory_loops.h)
// moves three; the eight operations a vector, at two to three a cycle, come on
// top where the matrices are in the second-level cache, and mostly hide behind
// memory where they are not. Backward is LayerNorm's, with the stream's
// gradient added as the row is written.
#include "kernels/add_norm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/add_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/norm_gradients-inl.h"
#include "simd/norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardAddLayerNorm(const ConstMatrix& x, const ConstMatrix& fx,
                         const float* gamma, const float* beta,
                         const LayerNormOptions& options, const Matrix& sum,
                         const Matrix& y, float* mean, float* rstd) {
  NormalizeRows({gamma, beta, options}, x, fx, sum, y, mean, rstd);
}

void ForwardAddRmsNorm(const ConstMatrix& x, const ConstMatrix& fx,
                       const float* gamma, const RmsNormOptions& options,
                       const Matrix& sum, const Matrix& y, float* rstd) {
  NormalizeRows({gamma, options}, x, fx, sum, y, nullptr, rstd);
}

void BackwardAddLayerNorm(const ConstMatrix& sum, const ConstMatrix& dy,
                          const ConstMatrix& dsum, const float* gamma,
                          const LayerNormOptions& options, const Matrix& dx,
                          const Matrix& dfx, float* dgamma, float* dbeta) {
  BackpropagateRows({gamma, nullptr, options},
                    {sum, dy, dsum, dx, dfx, dgamma, dbeta});
}

void BackwardAddRmsNorm(const ConstMatrix& sum, const ConstMatrix& dy,
                        const ConstMatrix& dsum, const float* gamma,
                        const RmsNormOptions& options, const Matrix& dx,
                        const Matrix& dfx, float* dgamma) {
  BackpropagateRows({gamma, options},
                    {sum, dy, dsum, dx, dfx, dgamma, nullptr});
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardAddLayerNorm);
HWY_EXPORT(ForwardAddRmsNorm);
HWY_EXPORT(BackwardAddLayerNorm);
HWY_EXPORT(BackwardAddRmsNorm);

void AddLayerNorm(const ConstMatrix& x, const ConstMatrix& fx,
                  const float* gamma, const float* beta,
                  const LayerNormOptions& options, const Matrix& sum,
                  const Matrix& y, float* mean, float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardAddLayerNorm)
  (x, fx, gamma, beta, options, sum, y, mean, rstd);
}

void AddRmsNorm(const ConstMatrix& x, const ConstMatrix& fx, const float* gamma,
                const RmsNormOptions& options, const Matrix& sum,
                const Matrix& y, float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardAddRmsNorm)(x, fx, gamma, options, sum, y, rstd);
}

void AddLayerNormBackward(const ConstMatrix& sum, const ConstMatrix& dy,
                          const ConstMatrix& dsum, const float* gamma,
                          const LayerNormOptions& options, const Matrix& dx,
                          const Matrix& dfx, float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(BackwardAddLayerNorm)
  (sum, dy, dsum, gamma, options, dx, dfx, dgamma, dbeta);
}

void AddRmsNormBackward(const ConstMatrix& sum, const ConstMatrix& dy,
                        const ConstMatrix& dsum, const float* gamma,
                        const RmsNormOptions& options, const Matrix& dx,
                        const Matrix& dfx, float* dgamma) {
  HWY_DYNAMIC_DISPATCH(BackwardAddRmsNorm)
  (sum, dy, dsum, gamma, options, dx, dfx, dgamma);
}

}  // namespace addnorm
#endif  // HWY_ONCE
