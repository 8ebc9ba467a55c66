// Add & Norm, forward then backward, in Highway: the first pass over a row adds
// and measures, the second, while the row is still in cache, normalizes.
#include "kernels/add_norm.h"

#include "kernels/add_norm_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/add_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/layer_norm_row-inl.h"
#include "simd/rms_norm_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardAddLayerNorm(ConstMatrix x, ConstMatrix fx, const float* gamma,
                         const float* beta, const LayerNormOptions& options,
                         Matrix sum, Matrix y, float* mean, float* rstd) {
  const hn::ScalableTag<float> d;
  const size_t cols = x.cols;
  if (cols == 0) return;
  WithGammaBeta(gamma, beta, [&](auto affine) HWY_ATTR {
    for (size_t r = 0; r < x.rows; ++r) {
      float* stream = sum.Row(r);
      const LayerNormRow row = MeasureLayerNormRow(
          d, SummedRow{x.Row(r), fx.Row(r), stream}, stream, cols, options);
      if (!row.fits_float) {
        reference::LayerNorm<float>(
            {stream, 1, cols}, gamma, beta, options, {y.Row(r), 1, cols},
            mean ? mean + r : nullptr, rstd ? rstd + r : nullptr);
        continue;
      }
      WriteLayerNormRow(d, row, stream, cols, affine, y.Row(r));
      if (mean) mean[r] = static_cast<float>(row.mean);
      if (rstd) rstd[r] = row.rstd;
    }
  });
}

void ForwardAddRmsNorm(ConstMatrix x, ConstMatrix fx, const float* gamma,
                       const RmsNormOptions& options, Matrix sum, Matrix y,
                       float* rstd) {
  const hn::ScalableTag<float> d;
  const size_t cols = x.cols;
  if (cols == 0) return;
  WithOffsetGamma(gamma, options.gamma_offset, [&](auto affine) HWY_ATTR {
    for (size_t r = 0; r < x.rows; ++r) {
      float* stream = sum.Row(r);
      const RmsNormRow row = MeasureRmsNormRow(
          d, SummedRow{x.Row(r), fx.Row(r), stream}, cols, options);
      if (!row.fits_float) {
        reference::RmsNorm<float>({stream, 1, cols}, gamma, options,
                                  {y.Row(r), 1, cols},
                                  rstd ? rstd + r : nullptr);
        continue;
      }
      WriteRmsNormRow(d, row, stream, cols, affine, y.Row(r));
      if (rstd) rstd[r] = row.rstd;
    }
  });
}

void BackwardAddLayerNorm(ConstMatrix sum, ConstMatrix dy, ConstMatrix dsum,
                          const float* gamma, const LayerNormOptions& options,
                          Matrix dx, Matrix dfx, float* dgamma, float* dbeta) {
  const hn::ScalableTag<float> d;
  BackpropagateLayerNorm(d, {sum, dy, dsum, dx, dfx, gamma, dgamma, dbeta},
                         options);
}

void BackwardAddRmsNorm(ConstMatrix sum, ConstMatrix dy, ConstMatrix dsum,
                        const float* gamma, const RmsNormOptions& options,
                        Matrix dx, Matrix dfx, float* dgamma) {
  const hn::ScalableTag<float> d;
  BackpropagateRmsNorm(d, {sum, dy, dsum, dx, dfx, gamma, dgamma}, options);
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

void AddLayerNorm(ConstMatrix x, ConstMatrix fx, const float* gamma,
                  const float* beta, const LayerNormOptions& options,
                  Matrix sum, Matrix y, float* mean, float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardAddLayerNorm)
  (x, fx, gamma, beta, options, sum, y, mean, rstd);
}

void AddRmsNorm(ConstMatrix x, ConstMatrix fx, const float* gamma,
                const RmsNormOptions& options, Matrix sum, Matrix y,
                float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardAddRmsNorm)(x, fx, gamma, options, sum, y, rstd);
}

void AddLayerNormBackward(ConstMatrix sum, ConstMatrix dy, ConstMatrix dsum,
                          const float* gamma, const LayerNormOptions& options,
                          Matrix dx, Matrix dfx, float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(BackwardAddLayerNorm)
  (sum, dy, dsum, gamma, options, dx, dfx, dgamma, dbeta);
}

void AddRmsNormBackward(ConstMatrix sum, ConstMatrix dy, ConstMatrix dsum,
                        const float* gamma, const RmsNormOptions& options,
                        Matrix dx, Matrix dfx, float* dgamma) {
  HWY_DYNAMIC_DISPATCH(BackwardAddRmsNorm)
  (sum, dy, dsum, gamma, options, dx, dfx, dgamma);
}

}  // namespace addnorm
#endif  // HWY_ONCE
