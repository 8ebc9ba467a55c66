// The matrix product in scalar double: the specification.
#ifndef ADDNORM_KERNELS_MATRIX_PRODUCT_REFERENCE_H_
#define ADDNORM_KERNELS_MATRIX_PRODUCT_REFERENCE_H_

#include <cstddef>

#include "kernels/matrix_product.h"

namespace addnorm {
namespace reference {

template <typename T>
void AddProduct(const StridedView<T>& a, const StridedView<T>& b, double alpha,
                T* c, size_t c_step) {
  for (size_t row = 0; row < a.rows; ++row) {
    for (size_t col = 0; col < b.cols; ++col) {
      double sum = 0.0;
      for (size_t p = 0; p < a.cols; ++p) {
        sum += static_cast<double>(a.At(row, p)) *
               static_cast<double>(b.At(p, col));
      }
      T& out = c[row * c_step + col];
      out = static_cast<T>(static_cast<double>(out) + alpha * sum);
    }
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_MATRIX_PRODUCT_REFERENCE_H_
