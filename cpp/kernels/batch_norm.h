// BatchNorm: each feature is centred and scaled over the tokens of the batch
// (Ioffe and Szegedy, arXiv:1502.03167), as in training: no running statistics.
#ifndef ADDNORM_KERNELS_BATCH_NORM_H_
#define ADDNORM_KERNELS_BATCH_NORM_H_

#include <cstdint>

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {

// y = (x - mean) * rstd * gamma + beta, with mean and variance of each column
// of x (n x d) over the rows that are not padding; rstd as in layer_norm.h,
// with the number of those rows for d. padding holds one byte a row, not 0
// where the row is padding, or is null. gamma and beta hold d values, or are
// null for 1 and 0. mean and rstd receive d values, or are null. y may be x.
//
// Padded rows give 0, whatever they hold. A constant column gives exactly beta,
// and so does a single row; without rows mean and rstd are 0. No finite column
// overflows. NaN or infinity poisons its own column only.
void BatchNorm(const ConstMatrix& x, const uint8_t* padding, const float* gamma,
               const float* beta, const LayerNormOptions& options,
               const Matrix& y, float* mean, float* rstd);

// The vector-Jacobian product. With xhat = (x - mean) * rstd and sums over the
// n rows that are not padding
//   dx = rstd * gamma * (dy - sum(dy) / n - xhat * sum(dy * xhat) * k)
//   dgamma += sum(dy * xhat),   dbeta += sum(dy)
// with layer_norm.h's k. Padded rows have gradient 0. dx is overwritten and may
// be dy or x; dgamma and dbeta (d values, or null) are accumulated.
void BatchNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                       const uint8_t* padding, const float* gamma,
                       const LayerNormOptions& options, const Matrix& dx,
                       float* dgamma, float* dbeta);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_BATCH_NORM_H_
