// LayerNorm: each row is centred, scaled to unit spread, then scaled and
// shifted by learned parameters (Ba, Kiros and Hinton, arXiv:1607.06450).
#ifndef ADDNORM_KERNELS_LAYER_NORM_H_
#define ADDNORM_KERNELS_LAYER_NORM_H_

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {

// y = (x - mean) * rstd * gamma + beta for each row of x (rows x d), where
//   variance = sum((x - mean)^2) / d, or / (d - 1) for Variance::kSample
//   rstd = 1 / sqrt(variance + eps), or 1 / (sqrt(variance) + eps).
// gamma and beta hold d values, or are null for 1 and 0. mean and rstd receive
// one value a row, or are null. y is rows x d and may be x.
//
// A constant row gives exactly beta, and so does d = 1. Where the divisor is 0
// (a constant row with eps 0), rstd is 0 and y is beta. No finite row
// overflows. A row with NaN or infinity becomes NaN and leaves others alone.
void LayerNorm(const ConstMatrix& x, const float* gamma, const float* beta,
               const LayerNormOptions& options, const Matrix& y, float* mean,
               float* rstd);

// The same with every step: deviation = x - mean, normalized = deviation *
// rstd, y, and std = sqrt(variance), without eps. y has the bits of LayerNorm.
// The three matrices are rows x d; none may overlap x or another.
void LayerNormSteps(const ConstMatrix& x, const float* gamma, const float* beta,
                    const LayerNormOptions& options, const Matrix& deviation,
                    const Matrix& normalized, const Matrix& y, float* mean,
                    float* std, float* rstd);

// The vector-Jacobian product. With g = dy * gamma and xhat = (x - mean) * rstd
//   dx = rstd * (g - sum(g) / d - xhat * sum(g * xhat) * k)
//   k = 1 / divisor (eps inside), (std + eps) / (std * divisor) (outside)
//   dgamma += sum over rows of dy * xhat,  dbeta += sum over rows of dy.
// divisor is the variance's d or d - 1. dx is overwritten and may be dy or x;
// dgamma and dbeta (d values, or null) are accumulated. At std = 0, where the
// root has no derivative, its term counts as 0; d = 1 gives dx = 0.
// The statistics are measured again from x: a mean rounded to float32 could not
// rebuild x - mean.
void LayerNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                       const float* gamma, const LayerNormOptions& options,
                       const Matrix& dx, float* dgamma, float* dbeta);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_LAYER_NORM_H_
