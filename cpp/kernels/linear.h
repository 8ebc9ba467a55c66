// The linear map of each row: y = x W^T + b, as torch.nn.Linear.
#ifndef ADDNORM_KERNELS_LINEAR_H_
#define ADDNORM_KERNELS_LINEAR_H_

#include "matrix.h"

namespace addnorm {

// y = x W^T + b for x (rows x in), w (out x in, PyTorch's layout) and y
// (rows x out), which overlaps neither. b holds `out` values, or is null for 0.
//
// Error and memory as in matrix_product.h: float32 sums over blocks of 128
// features, 34 KB of stack. in = 0 gives b. NaN or infinity in a row of x
// poisons that row only.
void Linear(const ConstMatrix& x, const ConstMatrix& w, const float* b,
            const Matrix& y);

// The vector-Jacobian product:
//   dx = dy W,   dw += dy^T x,   db += sum over rows of dy.
// dx (rows x in) is overwritten and overlaps no input; dw (out x in) and db
// (out values) are accumulated. Each may be null (a view with null data).
void LinearBackward(const ConstMatrix& x, const ConstMatrix& dy,
                    const ConstMatrix& w, const Matrix& dx, const Matrix& dw,
                    float* db);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_LINEAR_H_
