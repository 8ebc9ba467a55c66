// The yardsticks of the benchmark: what touching memory alone costs, in the
// same build and over the same matrices as the kernels.
#ifndef ADDNORM_KERNELS_MEMORY_LOOPS_H_
#define ADDNORM_KERNELS_MEMORY_LOOPS_H_

#include "matrix.h"

namespace addnorm {

// y = x: one load and one store a vector.
void SimdCopy(const ConstMatrix& x, const Matrix& y);

// sum = x + fx: two loads and one store a vector.
void SimdAdd(const ConstMatrix& x, const ConstMatrix& fx, const Matrix& sum);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_MEMORY_LOOPS_H_
