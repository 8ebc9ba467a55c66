// LayerNorm, forward then backward, in Highway.
#include "kernels/layer_norm.h"

#include "kernels/layer_norm_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/layer_norm_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardLayerNorm(ConstMatrix x, const float* gamma, const float* beta,
                      const LayerNormOptions& options, Matrix y, float* mean,
                      float* rstd) {
  const hn::ScalableTag<float> d;
  if (x.cols == 0) return;
  WithGammaBeta(gamma, beta, [&](auto affine) HWY_ATTR {
    for (size_t r = 0; r < x.rows; ++r) {
      const float* in = x.Row(r);
      const LayerNormRow row =
          MeasureLayerNormRow(d, StoredRow{in}, in, x.cols, options);
      if (!row.fits_float) {
        reference::LayerNorm<float>(
            {in, 1, x.cols}, gamma, beta, options, {y.Row(r), 1, x.cols},
            mean ? mean + r : nullptr, rstd ? rstd + r : nullptr);
        continue;
      }
      WriteLayerNormRow(d, row, in, x.cols, affine, y.Row(r));
      if (mean) mean[r] = static_cast<float>(row.mean);
      if (rstd) rstd[r] = row.rstd;
    }
  });
}

void StepThroughLayerNorm(ConstMatrix x, const float* gamma, const float* beta,
                          const LayerNormOptions& options, Matrix deviation,
                          Matrix normalized, Matrix y, float* mean, float* std,
                          float* rstd) {
  const hn::ScalableTag<float> d;
  if (x.cols == 0) return;
  WithGammaBeta(gamma, beta, [&](auto affine) HWY_ATTR {
    for (size_t r = 0; r < x.rows; ++r) {
      const float* in = x.Row(r);
      float *centred = deviation.Row(r), *unit = normalized.Row(r);
      const LayerNormRow row =
          MeasureLayerNormRow(d, StoredRow{in}, in, x.cols, options);
      if (!row.fits_float) {
        reference::LayerNormSteps<float>(
            {in, 1, x.cols}, gamma, beta, options, {centred, 1, x.cols},
            {unit, 1, x.cols}, {y.Row(r), 1, x.cols}, mean + r, std + r,
            rstd + r);
        continue;
      }
      ForEachVector(d, 0, x.cols, [&](size_t i, auto lanes) HWY_ATTR {
        const auto v = lanes.Load(d, in + i);
        lanes.Store(Deviation(d, row, v), d, centred + i);
        lanes.Store(Normalized(d, row, v), d, unit + i);
      });
      WriteLayerNormRow(d, row, in, x.cols, affine, y.Row(r));
      mean[r] = static_cast<float>(row.mean);
      std[r] = static_cast<float>(row.std);
      rstd[r] = row.rstd;
    }
  });
}

void BackwardLayerNorm(ConstMatrix x, ConstMatrix dy, const float* gamma,
                       const LayerNormOptions& options, Matrix dx,
                       float* dgamma, float* dbeta) {
  const hn::ScalableTag<float> d;
  BackpropagateLayerNorm(d, {x, dy, {}, dx, {}, gamma, dgamma, dbeta}, options);
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardLayerNorm);
HWY_EXPORT(StepThroughLayerNorm);
HWY_EXPORT(BackwardLayerNorm);

void LayerNorm(ConstMatrix x, const float* gamma, const float* beta,
               const LayerNormOptions& options, Matrix y, float* mean,
               float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardLayerNorm)
  (x, gamma, beta, options, y, mean, rstd);
}

void LayerNormSteps(ConstMatrix x, const float* gamma, const float* beta,
                    const LayerNormOptions& options, Matrix deviation,
                    Matrix normalized, Matrix y, float* mean, float* std,
                    float* rstd) {
  HWY_DYNAMIC_DISPATCH(StepThroughLayerNorm)
  (x, gamma, beta, options, deviation, normalized, y, mean, std, rstd);
}

void LayerNormBackward(ConstMatrix x, ConstMatrix dy, const float* gamma,
                       const LayerNormOptions& options, Matrix dx,
                       float* dgamma, float* dbeta) {
  HWY_DYNAMIC_DISPATCH(BackwardLayerNorm)
  (x, dy, gamma, options, dx, dgamma, dbeta);
}

}  // namespace addnorm
#endif  // HWY_ONCE
