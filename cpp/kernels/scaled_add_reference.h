// The scaled residual sum in scalar double: the specification.
#ifndef ADDNORM_KERNELS_SCALED_ADD_REFERENCE_H_
#define ADDNORM_KERNELS_SCALED_ADD_REFERENCE_H_

#include <cstddef>

#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
void ScaledAdd(const MatrixView<const T>& x, const MatrixView<const T>& fx,
               const T* scale, size_t scale_count, const MatrixView<T>& sum) {
  for (size_t row = 0; row < x.rows; ++row) {
    for (size_t i = 0; i < x.cols; ++i) {
      sum.Row(row)[i] =
          static_cast<T>(static_cast<double>(x.Row(row)[i]) +
                         static_cast<double>(scale[scale_count == 1 ? 0 : i]) *
                             static_cast<double>(fx.Row(row)[i]));
    }
  }
}

template <typename T>
void ScaledAddBackward(const MatrixView<const T>& fx,
                       const MatrixView<const T>& dsum, const T* scale,
                       size_t scale_count, const MatrixView<T>& dfx,
                       T* dscale) {
  for (size_t i = 0; i < fx.cols; ++i) {
    const size_t at = scale_count == 1 ? 0 : i;
    double sum = 0.0;
    for (size_t row = 0; row < fx.rows; ++row) {
      const double upstream = static_cast<double>(dsum.Row(row)[i]);
      sum += upstream * static_cast<double>(fx.Row(row)[i]);
      dfx.Row(row)[i] =
          static_cast<T>(static_cast<double>(scale[at]) * upstream);
    }
    if (dscale) dscale[at] = static_cast<T>(dscale[at] + sum);
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_SCALED_ADD_REFERENCE_H_
