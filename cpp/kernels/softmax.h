// Softmax of each row, with columns left out on request.
#ifndef ADDNORM_KERNELS_SOFTMAX_H_
#define ADDNORM_KERNELS_SOFTMAX_H_

#include <cstdint>

#include "matrix.h"

namespace addnorm {

// Which columns a row sees.
struct SoftmaxMask {
  // One byte a column: those that are not 0 are left out in every row. Null
  // leaves none out.
  const uint8_t* left_out = nullptr;
  // Row r sees columns 0 to r only.
  bool causal = false;
};

// y = exp(x - max) / sum(exp(x - max)) over the columns that a row sees, and 0
// in the others, whatever x holds there. A row that sees none is all zeros (and
// not NaN, as 0 / 0 would have it). y may be x.
//
// Within 4 ulp of the row's largest value. No finite row overflows. A seen NaN
// or +infinity makes what its row sees NaN; a seen -infinity weighs 0.
void Softmax(const ConstMatrix& x, const SoftmaxMask& mask, const Matrix& y);

// The vector-Jacobian product, from the result y:
//   dx = y * (dy - sum(dy * y)).
// It is 0 in the columns left out. dx is overwritten and may be dy.
void SoftmaxBackward(const ConstMatrix& y, const ConstMatrix& dy,
                     const Matrix& dx);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_SOFTMAX_H_
