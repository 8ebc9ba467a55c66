// GroupNorm in scalar double: the specification.
#ifndef ADDNORM_KERNELS_GROUP_NORM_REFERENCE_H_
#define ADDNORM_KERNELS_GROUP_NORM_REFERENCE_H_

#include <cstddef>

#include "kernels/layer_norm_reference.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
void GroupNorm(const MatrixView<const T>& x, size_t groups, const T* gamma,
               const T* beta, const LayerNormOptions& options,
               const MatrixView<T>& y, T* mean, T* rstd) {
  const size_t width = x.cols / groups;
  for (size_t row = 0; row < x.rows; ++row) {
    for (size_t group = 0; group < groups; ++group) {
      const size_t first = group * width;
      const size_t part = row * groups + group;
      LayerNorm<T>({x.Row(row) + first, 1, width},
                   gamma ? gamma + first : nullptr,
                   beta ? beta + first : nullptr, options,
                   {y.Row(row) + first, 1, width}, mean ? mean + part : nullptr,
                   rstd ? rstd + part : nullptr);
    }
  }
}

template <typename T>
void GroupNormBackward(const MatrixView<const T>& x,
                       const MatrixView<const T>& dy, size_t groups,
                       const T* gamma, const LayerNormOptions& options,
                       const MatrixView<T>& dx, T* dgamma, T* dbeta) {
  const size_t width = x.cols / groups;
  for (size_t row = 0; row < x.rows; ++row) {
    for (size_t group = 0; group < groups; ++group) {
      const size_t first = group * width;
      LayerNormBackward<T>(
          {x.Row(row) + first, 1, width}, {dy.Row(row) + first, 1, width},
          gamma ? gamma + first : nullptr, options,
          {dx.Row(row) + first, 1, width}, dgamma ? dgamma + first : nullptr,
          dbeta ? dbeta + first : nullptr);
    }
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_GROUP_NORM_REFERENCE_H_
