// GroupNorm: each token's features are normalized in groups (Wu and He,
// arXiv:1803.08494). One group is LayerNorm.
#ifndef ADDNORM_KERNELS_GROUP_NORM_H_
#define ADDNORM_KERNELS_GROUP_NORM_H_

#include <cstddef>

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {

// LayerNorm (layer_norm.h) of each of the `groups` equal parts of each row of x
// (rows x d), with one gamma and beta a feature: d values, or null for 1 and 0.
// groups is at least 1 and divides d. mean and rstd receive rows x groups
// values, or are null. y may be x.
void GroupNorm(const ConstMatrix& x, size_t groups, const float* gamma,
               const float* beta, const LayerNormOptions& options,
               const Matrix& y, float* mean, float* rstd);

// LayerNormBackward of each part: dx is overwritten and may be dy or x; dgamma
// and dbeta (d values, or null) are accumulated.
void GroupNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                       size_t groups, const float* gamma,
                       const LayerNormOptions& options, const Matrix& dx,
                       float* dgamma, float* dbeta);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_GROUP_NORM_H_
