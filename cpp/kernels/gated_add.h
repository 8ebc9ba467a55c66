// The highway's residual connection: a gate carries one part of the stream and
// lets one part of the branch in (Srivastava et al., arXiv:1505.00387).
#ifndef ADDNORM_KERNELS_GATED_ADD_H_
#define ADDNORM_KERNELS_GATED_ADD_H_

#include "matrix.h"

namespace addnorm {

// sum = gate * fx + (1 - gate) * x, all of one shape, gate on [0, 1]. sum may
// be x or fx.
void GatedAdd(const ConstMatrix& x, const ConstMatrix& fx,
              const ConstMatrix& gate, const Matrix& sum);

// dx = (1 - gate) * dsum,   dfx = gate * dsum,   dgate = (fx - x) * dsum.
// The three are overwritten; none overlaps another or an input.
void GatedAddBackward(const ConstMatrix& x, const ConstMatrix& fx,
                      const ConstMatrix& gate, const ConstMatrix& dsum,
                      const Matrix& dx, const Matrix& dfx, const Matrix& dgate);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_GATED_ADD_H_
