// The residual sum in scalar double: the specification.
#ifndef ADDNORM_KERNELS_RESIDUAL_ADD_REFERENCE_H_
#define ADDNORM_KERNELS_RESIDUAL_ADD_REFERENCE_H_

#include <cstddef>

#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
void ResidualAdd(const MatrixView<const T>& x, const MatrixView<const T>& fx,
                 double alpha, double beta, const MatrixView<T>& sum) {
  for (size_t i = 0; i < x.Size(); ++i) {
    sum.data[i] = static_cast<T>(alpha * static_cast<double>(x.data[i]) +
                                 beta * static_cast<double>(fx.data[i]));
  }
}

template <typename T>
void ResidualAddBackward(const MatrixView<const T>& dsum, double alpha,
                         double beta, const MatrixView<T>& dx,
                         const MatrixView<T>& dfx) {
  for (size_t i = 0; i < dsum.Size(); ++i) {
    const double gradient = static_cast<double>(dsum.data[i]);
    if (dx.data) dx.data[i] = static_cast<T>(alpha * gradient);
    if (dfx.data) dfx.data[i] = static_cast<T>(beta * gradient);
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_RESIDUAL_ADD_REFERENCE_H_
