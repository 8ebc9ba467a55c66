// LayerNorm as a policy for norm_rows-inl.h and norm_gradients-inl.h.

#if defined(ADDNORM_SIMD_LAYER_NORM_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_LAYER_NORM_ROWS_INL_H_
#undef ADDNORM_SIMD_LAYER_NORM_ROWS_INL_H_
#else
#define ADDNORM_SIMD_LAYER_NORM_ROWS_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/add_norm_reference.h"
#include "kernels/layer_norm_reference.h"
#include "simd/norm_gradients-inl.h"
#include "simd/norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

struct LayerNormPolicy {
  static constexpr bool kCentres = true;

  const float* gamma;
  const float* beta;
  const LayerNormOptions& options;

  template <class Body>
  HWY_INLINE void WithAffine(const Body& body) const {
    WithGammaBeta(gamma, beta, body);
  }

  template <class D, class Source>
  HWY_NOINLINE NormRow Measure(D d, const Source& source, const float* stored,
                               size_t count) const {
    // What rounding the mean to float32 may shift a normalized value by.
    constexpr double kHidden = 0x1p-24;
    const Moments moments = MeasureMoments(d, source, stored, count);
    const double variance =
        moments.squares / reference::VarianceDivisor(count, options.variance);
    NormRow row;
    row.mean = moments.mean;
    row.spread = std::sqrt(variance);
    row.shift = static_cast<float>(row.mean);
    row.correction =
        static_cast<float>(row.mean - static_cast<double>(row.shift));
    if (std::fabs(row.correction) <= row.spread * kHidden) row.correction = 0.f;
    row.rstd = static_cast<float>(
        reference::ReciprocalStd(variance, options.eps, options.eps_placement));
    row.fits_float = count >= kLeastCount && moments.finite &&
                     std::isfinite(row.rstd) && variance <= kMostMeanSquare &&
                     (variance >= kLeastMeanSquare ||
                      EpsHidesUnderflow(options.eps, options.eps_placement));
    return row;
  }

  HWY_INLINE void ReferenceRow(const float* x, size_t count, float* y,
                               float* mean, float* rstd) const {
    reference::LayerNorm<float>({x, 1, count}, gamma, beta, options,
                                {y, 1, count}, mean, rstd);
  }

  // From the sums of g and g * u to dx = g * rstd - (u * slope + offset).
  HWY_INLINE void SetCoefficients(const Sums& sums, size_t count,
                                  GradientRow& row) const {
    const double rstd = static_cast<double>(row.norm.rstd);
    const double spread = row.norm.spread;
    double k = 1.0 / reference::VarianceDivisor(count, options.variance);
    if (options.eps_placement == EpsPlacement::kOutside) {
      k *= spread == 0.0 ? 0.0 : (spread + options.eps) / spread;
    }
    row.slope = static_cast<float>(rstd * rstd * rstd * k * sums.second);
    row.offset =
        static_cast<float>(rstd * sums.first / static_cast<double>(count));
  }

  HWY_INLINE void ReferenceGradientRow(const NormGradients& at,
                                       size_t r) const {
    reference::LayerNormBackwardRow(
        at.x.Row(r), at.dy.Row(r), at.x.cols, gamma, options, at.dgamma,
        at.dbeta,
        reference::EmitToBoth(at.dsum.Row(r), at.dx.Row(r), at.dfx.Row(r)));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_LAYER_NORM_ROWS_INL_H_
