// ScaleNorm: each row is brought to one length, which is learned (Nguyen and
// Salazar, arXiv:1910.05895).
#ifndef ADDNORM_KERNELS_L2_NORM_H_
#define ADDNORM_KERNELS_L2_NORM_H_

#include "matrix.h"

namespace addnorm {

// y = gain * x / max(||x||, eps) for each row of x (rows x d), ||x|| =
// sqrt(sum(x^2)). gain is one value, or null for 1; eps is at least 0. norm
// receives ||x||, one value a row, or is null. y may be x.
//
// Where the divisor is 0 (a row of zeros with eps 0), y is 0. No finite row
// overflows. NaN or infinity poisons its own row only.
void L2Norm(const ConstMatrix& x, const float* gain, double eps,
            const Matrix& y, float* norm);

// The vector-Jacobian product. With xhat = x / max(||x||, eps)
//   dx = gain / ||x|| * (dy - xhat * sum(dy * xhat)), or gain / eps * dy where
//        ||x|| <= eps (0 where both are 0)
//   dgain += sum over all elements of dy * xhat.
// dx is overwritten and may be dy or x; dgain (one value, or null) is
// accumulated.
void L2NormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                    const float* gain, double eps, const Matrix& dx,
                    float* dgain);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_L2_NORM_H_
