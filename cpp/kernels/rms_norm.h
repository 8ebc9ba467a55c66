// RMSNorm: each row is divided by its root mean square and scaled; nothing is
// centred (Zhang and Sennrich, arXiv:1910.07467).
#ifndef ADDNORM_KERNELS_RMS_NORM_H_
#define ADDNORM_KERNELS_RMS_NORM_H_

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {

// y = x * rstd * (gamma_offset + gamma) for each row of x (rows x d), where
// rstd = 1 / sqrt(sum(x^2) / d + eps). gamma holds d values, or is null, and
// then y = x * rstd. rstd receives one value a row, or is null. y may be x.
//
// Where the divisor is 0 (a row of zeros with eps 0), rstd and y are 0. No
// finite row overflows. NaN or infinity poisons its own row only.
void RmsNorm(const ConstMatrix& x, const float* gamma,
             const RmsNormOptions& options, const Matrix& y, float* rstd);

// The same with every step: normalized = x * rstd, y, and rms =
// sqrt(sum(x^2) / d), without eps. y has the bits of RmsNorm. The two matrices
// are rows x d; neither may overlap x or the other.
void RmsNormSteps(const ConstMatrix& x, const float* gamma,
                  const RmsNormOptions& options, const Matrix& normalized,
                  const Matrix& y, float* rms, float* rstd);

// The vector-Jacobian product. With g = dy * (gamma_offset + gamma) and
// xhat = x * rstd
//   dx = rstd * (g - xhat * sum(g * xhat) / d)
//   dgamma += sum over rows of dy * xhat.
// dx is overwritten and may be dy or x; dgamma (d values, or null) is
// accumulated.
void RmsNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                     const float* gamma, const RmsNormOptions& options,
                     const Matrix& dx, float* dgamma);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_RMS_NORM_H_
