// LayerNorm, forward then backward, in Highway.
#include "kernels/layer_norm.h"

#include <cmath>

#include "kernels/layer_norm_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/layer_norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardLayerNorm(ConstMatrix x, const float* gamma, const float* beta,
                      const LayerNormOptions& options, Matrix y, float* mean,
                      float* rstd) {
  NormalizeRows(
      hn::ScalableTag<float>(), LayerNormPolicy{gamma, beta, options},
      [&](size_t r) ADDNORM_LAMBDA { return StoredRow{x.Row(r)}; }, x, y, mean,
      rstd);
}

void StepThroughLayerNorm(ConstMatrix x, const float* gamma, const float* beta,
                          const LayerNormOptions& options, Matrix deviation,
                          Matrix normalized, Matrix y, float* mean, float* std,
                          float* rstd) {
  const hn::ScalableTag<float> d;
  const LayerNormPolicy norm{gamma, beta, options};
  ForwardLayerNorm(x, gamma, beta, options, y, mean, rstd);
  for (size_t r = 0; r < x.rows && x.cols > 0; ++r) {
    const float* in = x.Row(r);
    float *centred = deviation.Row(r), *unit = normalized.Row(r);
    const NormRow row = norm.Measure(d, StoredRow{in}, in, x.cols);
    if (!row.fits_float) {
      reference::LayerNormSteps<float>({in, 1, x.cols}, gamma, beta, options,
                                       {centred, 1, x.cols}, {unit, 1, x.cols},
                                       {}, nullptr, std + r, nullptr);
      continue;
    }
    // Squares that underflow are hidden by eps in y, but not in std.
    const bool vanishing = row.spread * row.spread < kLeastMeanSquare;
    std[r] = static_cast<float>(
        vanishing
            ? std::sqrt(
                  reference::Measure(in, x.cols, options.variance).variance)
            : row.spread);
    ForEachVector(d, 0, x.cols, [&](size_t i, auto lanes) ADDNORM_LAMBDA {
      const auto v = Centred<Centre::kCorrected>(d, row, lanes.Load(d, in + i));
      lanes.Store(v, d, centred + i);
      lanes.Store(hn::Mul(v, hn::Set(d, row.rstd)), d, unit + i);
    });
  }
}

void BackwardLayerNorm(ConstMatrix x, ConstMatrix dy, const float* gamma,
                       const LayerNormOptions& options, Matrix dx,
                       float* dgamma, float* dbeta) {
  BackpropagateRows(hn::ScalableTag<float>(),
                    LayerNormPolicy{gamma, nullptr, options},
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
