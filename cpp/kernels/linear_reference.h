// The linear map in scalar double: the specification.
#ifndef ADDNORM_KERNELS_LINEAR_REFERENCE_H_
#define ADDNORM_KERNELS_LINEAR_REFERENCE_H_

#include <cstddef>

#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
void Linear(const MatrixView<const T>& x, const MatrixView<const T>& w,
            const T* b, const MatrixView<T>& y) {
  for (size_t row = 0; row < y.rows; ++row) {
    for (size_t out = 0; out < y.cols; ++out) {
      double sum = b ? static_cast<double>(b[out]) : 0.0;
      for (size_t in = 0; in < x.cols; ++in) {
        sum += static_cast<double>(x.Row(row)[in]) *
               static_cast<double>(w.Row(out)[in]);
      }
      y.Row(row)[out] = static_cast<T>(sum);
    }
  }
}

template <typename T>
void LinearBackward(const MatrixView<const T>& x, const MatrixView<const T>& dy,
                    const MatrixView<const T>& w, const MatrixView<T>& dx,
                    const MatrixView<T>& dw, T* db) {
  for (size_t row = 0; dx.data && row < dx.rows; ++row) {
    for (size_t in = 0; in < dx.cols; ++in) {
      double sum = 0.0;
      for (size_t out = 0; out < dy.cols; ++out) {
        sum += static_cast<double>(dy.Row(row)[out]) *
               static_cast<double>(w.Row(out)[in]);
      }
      dx.Row(row)[in] = static_cast<T>(sum);
    }
  }
  for (size_t out = 0; out < dy.cols; ++out) {
    for (size_t row = 0; row < dy.rows; ++row) {
      const double upstream = static_cast<double>(dy.Row(row)[out]);
      if (db) db[out] = static_cast<T>(db[out] + upstream);
      for (size_t in = 0; dw.data && in < x.cols; ++in) {
        T& gradient = dw.Row(out)[in];
        gradient = static_cast<T>(
            gradient + upstream * static_cast<double>(x.Row(row)[in]));
      }
    }
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_LINEAR_REFERENCE_H_
