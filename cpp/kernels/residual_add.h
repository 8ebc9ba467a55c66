// The residual connection: what a sublayer adds to the stream (He et al.,
// arXiv:1512.03385).
#ifndef ADDNORM_KERNELS_RESIDUAL_ADD_H_
#define ADDNORM_KERNELS_RESIDUAL_ADD_H_

#include "matrix.h"

namespace addnorm {

// sum = alpha * x + beta * fx, element by element; with alpha = beta = 1 it is
// x + fx, rounded once. All three have the same shape; sum may be x or fx.
void ResidualAdd(const ConstMatrix& x, const ConstMatrix& fx, float alpha,
                 float beta, const Matrix& sum);

// dx = alpha * dsum, dfx = beta * dsum. Both are overwritten; either may be
// dsum, or have null data and be left out.
void ResidualAddBackward(const ConstMatrix& dsum, float alpha, float beta,
                         const Matrix& dx, const Matrix& dfx);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_RESIDUAL_ADD_H_
