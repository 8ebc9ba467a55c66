// Residual connections whose branch is scaled by what is learned: one value
// (ReZero: Bachlechner et al., arXiv:2003.04887) or one a feature (LayerScale:
// Touvron et al., arXiv:2103.17239).
#ifndef ADDNORM_KERNELS_SCALED_ADD_H_
#define ADDNORM_KERNELS_SCALED_ADD_H_

#include <cstddef>

#include "matrix.h"

namespace addnorm {

// sum = x + scale * fx, all rows x d; scale holds d values, or, where
// scale_count is 1, one for all features. sum may be x or fx.
void ScaledAdd(const ConstMatrix& x, const ConstMatrix& fx, const float* scale,
               size_t scale_count, const Matrix& sum);

// dfx = scale * dsum is overwritten and may be dsum or fx;
// dscale += sum of dsum * fx over the rows, or over all elements, or is null.
// The gradient at x is dsum itself.
void ScaledAddBackward(const ConstMatrix& fx, const ConstMatrix& dsum,
                       const float* scale, size_t scale_count,
                       const Matrix& dfx, float* dscale);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_SCALED_ADD_H_
