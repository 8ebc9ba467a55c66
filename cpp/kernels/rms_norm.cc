// RMSNorm, forward then backward, in Highway.
#include "kernels/rms_norm.h"

#include <cmath>

#include "kernels/rms_norm_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rms_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rms_norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardRmsNorm(ConstMatrix x, const float* gamma,
                    const RmsNormOptions& options, Matrix y, float* rstd) {
  NormalizeRows(
      hn::ScalableTag<float>(), RmsNormPolicy{gamma, options},
      [&](size_t r) ADDNORM_LAMBDA { return StoredRow{x.Row(r)}; }, x, y,
      nullptr, rstd);
}

void StepThroughRmsNorm(ConstMatrix x, const float* gamma,
                        const RmsNormOptions& options, Matrix normalized,
                        Matrix y, float* rms, float* rstd) {
  const hn::ScalableTag<float> d;
  const RmsNormPolicy norm{gamma, options};
  ForwardRmsNorm(x, gamma, options, y, rstd);
  for (size_t r = 0; r < x.rows && x.cols > 0; ++r) {
    const float* in = x.Row(r);
    float* unit = normalized.Row(r);
    const NormRow row = norm.Measure(d, StoredRow{in}, in, x.cols);
    if (!row.fits_float) {
      reference::RmsNormSteps<float>({in, 1, x.cols}, gamma, options,
                                     {unit, 1, x.cols}, {}, rms + r, nullptr);
      continue;
    }
    // Squares that underflow are hidden by eps in y, but not in rms.
    const bool vanishing = row.spread * row.spread < kLeastMeanSquare;
    rms[r] = static_cast<float>(
        vanishing
            ? std::sqrt(reference::Measure(in, x.cols, Variance::kPopulation)
                            .mean_square)
            : row.spread);
    ForEachVector(d, 0, x.cols, [&](size_t i, auto lanes) ADDNORM_LAMBDA {
      const auto v = hn::Mul(lanes.Load(d, in + i), hn::Set(d, row.rstd));
      lanes.Store(v, d, unit + i);
    });
  }
}

void BackwardRmsNorm(ConstMatrix x, ConstMatrix dy, const float* gamma,
                     const RmsNormOptions& options, Matrix dx, float* dgamma) {
  BackpropagateRows(hn::ScalableTag<float>(), RmsNormPolicy{gamma, options},
                    {x, dy, {}, dx, {}, dgamma, nullptr});
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(ForwardRmsNorm);
HWY_EXPORT(StepThroughRmsNorm);
HWY_EXPORT(BackwardRmsNorm);

void RmsNorm(ConstMatrix x, const float* gamma, const RmsNormOptions& options,
             Matrix y, float* rstd) {
  HWY_DYNAMIC_DISPATCH(ForwardRmsNorm)(x, gamma, options, y, rstd);
}

void RmsNormSteps(ConstMatrix x, const float* gamma,
                  const RmsNormOptions& options, Matrix normalized, Matrix y,
                  float* rms, float* rstd) {
  HWY_DYNAMIC_DISPATCH(StepThroughRmsNorm)
  (x, gamma, options, normalized, y, rms, rstd);
}

void RmsNormBackward(ConstMatrix x, ConstMatrix dy, const float* gamma,
                     const RmsNormOptions& options, Matrix dx, float* dgamma) {
  HWY_DYNAMIC_DISPATCH(BackwardRmsNorm)(x, dy, gamma, options, dx, dgamma);
}

}  // namespace addnorm
#endif  // HWY_ONCE
