// Dynamic Tanh in scalar double: the specification.
#ifndef ADDNORM_KERNELS_DYNAMIC_TANH_REFERENCE_H_
#define ADDNORM_KERNELS_DYNAMIC_TANH_REFERENCE_H_

#include <cmath>
#include <cstddef>

#include "kernels/layer_norm_reference.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
void DynamicTanh(const MatrixView<const T>& x, double alpha, const T* gamma,
                 const T* beta, const MatrixView<T>& y) {
  for (size_t row = 0; row < x.rows; ++row) {
    for (size_t i = 0; i < x.cols; ++i) {
      const double t = std::tanh(alpha * static_cast<double>(x.Row(row)[i]));
      y.Row(row)[i] =
          static_cast<T>(t * ValueOr(gamma, i, 1.0) + ValueOr(beta, i, 0.0));
    }
  }
}

template <typename T>
void DynamicTanhBackward(const MatrixView<const T>& x,
                         const MatrixView<const T>& dy, double alpha,
                         const T* gamma, const MatrixView<T>& dx, T* dalpha,
                         T* dgamma, T* dbeta) {
  double sum = 0.0;
  for (size_t row = 0; row < x.rows; ++row) {
    for (size_t i = 0; i < x.cols; ++i) {
      const double in = static_cast<double>(x.Row(row)[i]);
      const double upstream = static_cast<double>(dy.Row(row)[i]);
      const double t = std::tanh(alpha * in);
      const double g = upstream * ValueOr(gamma, i, 1.0) * (1.0 - t * t);
      sum += g * in;
      if (dgamma) dgamma[i] = static_cast<T>(dgamma[i] + upstream * t);
      if (dbeta) dbeta[i] = static_cast<T>(dbeta[i] + upstream);
      dx.Row(row)[i] = static_cast<T>(g * alpha);
    }
  }
  if (dalpha) *dalpha = static_cast<T>(*dalpha + sum);
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_DYNAMIC_TANH_REFERENCE_H_
