// RMSNorm as a policy for norm_rows-inl.h and norm_gradients-inl.h.

#if defined(ADDNORM_SIMD_RMS_NORM_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_RMS_NORM_ROWS_INL_H_
#undef ADDNORM_SIMD_RMS_NORM_ROWS_INL_H_
#else
#define ADDNORM_SIMD_RMS_NORM_ROWS_INL_H_
#endif

#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "kernels/add_norm_reference.h"
#include "kernels/rms_norm_reference.h"
#include "simd/norm_gradients-inl.h"
#include "simd/norm_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

struct RmsNormPolicy {
  static constexpr bool kCentres = false;

  const float* gamma;
  const RmsNormOptions& options;

  template <class Body>
  HWY_INLINE void WithAffine(const Body& body) const {
    WithOffsetGamma(gamma, options.gamma_offset, body);
  }

  template <class D, class Source>
  HWY_NOINLINE NormRow Measure(D d, const Source& source,
                               const float* /*stored*/, size_t count) const {
    const double squares = SumOfSquares(d, source, count);
    const double mean_square = squares / static_cast<double>(count);
    NormRow row;
    row.spread = std::sqrt(mean_square);
    row.rstd = static_cast<float>(reference::ReciprocalStd(
        mean_square, options.eps, EpsPlacement::kInside));
    row.fits_float = count >= kLeastCount && std::isfinite(squares) &&
                     std::isfinite(row.rstd) &&
                     mean_square <= kMostMeanSquare &&
                     (mean_square >= kLeastMeanSquare ||
                      EpsHidesUnderflow(options.eps, EpsPlacement::kInside));
    return row;
  }

  HWY_INLINE void ReferenceRow(const float* x, size_t count, float* y,
                               float* /*mean*/, float* rstd) const {
    reference::RmsNorm<float>({x, 1, count}, gamma, options, {y, 1, count},
                              rstd);
  }

  // From the sums of g and g * u to dx = g * rstd - (u * slope + offset).
  HWY_INLINE void SetCoefficients(const Sums& sums, size_t count,
                                  GradientRow& row) const {
    const double rstd = static_cast<double>(row.norm.rstd);
    row.slope = static_cast<float>(rstd * rstd * rstd * sums.second /
                                   static_cast<double>(count));
    row.offset = 0.0f;
  }

  HWY_INLINE void ReferenceGradientRow(const NormGradients& at,
                                       size_t r) const {
    reference::RmsNormBackwardRow(
        at.x.Row(r), at.dy.Row(r), at.x.cols, gamma, options, at.dgamma,
        reference::EmitToBoth(at.dsum.Row(r), at.dx.Row(r), at.dfx.Row(r)));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_RMS_NORM_ROWS_INL_H_
