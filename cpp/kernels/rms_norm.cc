// RMSNorm, forward then backward, in Highway.
#include "kernels/rms_norm.h"

#include "kernels/rms_norm_reference.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rms_norm.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rms_norm_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

void ForwardRmsNorm(ConstMatrix x, const float* gamma,
                    const RmsNormOptions& options, Matrix y, float* rstd) {
  const hn::ScalableTag<float> d;
  if (x.cols == 0) return;
  WithOffsetGamma(gamma, options.gamma_offset, [&](auto affine) HWY_ATTR {
    for (size_t r = 0; r < x.rows; ++r) {
      const float* in = x.Row(r);
      const RmsNormRow row =
          MeasureRmsNormRow(d, StoredRow{in}, x.cols, options);
      if (!row.fits_float) {
        reference::RmsNorm<float>({in, 1, x.cols}, gamma, options,
                                  {y.Row(r), 1, x.cols},
                                  rstd ? rstd + r : nullptr);
        continue;
      }
      WriteRmsNormRow(d, row, in, x.cols, affine, y.Row(r));
      if (rstd) rstd[r] = row.rstd;
    }
  });
}

void StepThroughRmsNorm(ConstMatrix x, const float* gamma,
                        const RmsNormOptions& options, Matrix normalized,
                        Matrix y, float* rms, float* rstd) {
  const hn::ScalableTag<float> d;
  if (x.cols == 0) return;
  WithOffsetGamma(gamma, options.gamma_offset, [&](auto affine) HWY_ATTR {
    for (size_t r = 0; r < x.rows; ++r) {
      const float* in = x.Row(r);
      float* unit = normalized.Row(r);
      const RmsNormRow row =
          MeasureRmsNormRow(d, StoredRow{in}, x.cols, options);
      if (!row.fits_float) {
        reference::RmsNormSteps<float>({in, 1, x.cols}, gamma, options,
                                       {unit, 1, x.cols}, {y.Row(r), 1, x.cols},
                                       rms + r, rstd + r);
        continue;
      }
      WriteRmsNormRow(d, row, in, x.cols, Identity(), unit);
      WriteRmsNormRow(d, row, in, x.cols, affine, y.Row(r));
      rms[r] = static_cast<float>(row.rms);
      rstd[r] = row.rstd;
    }
  });
}

void BackwardRmsNorm(ConstMatrix x, ConstMatrix dy, const float* gamma,
                     const RmsNormOptions& options, Matrix dx, float* dgamma) {
  const hn::ScalableTag<float> d;
  BackpropagateRmsNorm(d, {x, dy, {}, dx, {}, gamma, dgamma}, options);
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
