// Softmax in scalar double: the specification. The SIMD kernel hands it the
// rows that hold NaN or infinity (T = float).
#ifndef ADDNORM_KERNELS_SOFTMAX_REFERENCE_H_
#define ADDNORM_KERNELS_SOFTMAX_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "kernels/softmax.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

// Softmax of `count` values. y may be x.
template <typename T>
void SoftmaxRow(const T* x, size_t count, T* y) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
  for (size_t i = 0; i < count; ++i) {
    largest = std::max(largest, static_cast<double>(x[i]));
  }
  for (size_t i = 0; i < count; ++i) {
    sum += std::exp(static_cast<double>(x[i]) - largest);
  }
  for (size_t i = 0; i < count; ++i) {
    y[i] = static_cast<T>(std::exp(static_cast<double>(x[i]) - largest) / sum);
  }
}

// Brings the columns that a row sees to the front of y, has `softmax` (from,
// count, y) replace them, and puts them back to their places.
template <typename T, typename RowSoftmax>
void SoftmaxMaskedRow(const T* x, size_t cols, size_t row,
                      const SoftmaxMask& mask, T* y,
                      const RowSoftmax& softmax) {
  const size_t end = mask.causal ? std::min(cols, row + 1) : cols;
  if (!mask.left_out) {
    softmax(x, end, y);
    std::fill(y + end, y + cols, T{0});
    return;
  }
  size_t seen = 0;
  for (size_t i = 0; i < end; ++i) {
    if (!mask.left_out[i]) y[seen++] = x[i];
  }
  softmax(y, seen, y);
  for (size_t i = cols; i-- > 0;) {
    y[i] = i < end && !mask.left_out[i] ? y[--seen] : T{0};
  }
}

template <typename T>
void Softmax(const MatrixView<const T>& x, const SoftmaxMask& mask,
             const MatrixView<T>& y) {
  for (size_t row = 0; row < x.rows; ++row) {
    SoftmaxMaskedRow(x.Row(row), x.cols, row, mask, y.Row(row), SoftmaxRow<T>);
  }
}

template <typename T>
void SoftmaxBackward(const MatrixView<const T>& y,
                     const MatrixView<const T>& dy, const MatrixView<T>& dx) {
  for (size_t row = 0; row < y.rows; ++row) {
    double sum = 0.0;
    for (size_t i = 0; i < y.cols; ++i) {
      sum += static_cast<double>(dy.Row(row)[i]) *
             static_cast<double>(y.Row(row)[i]);
    }
    for (size_t i = 0; i < y.cols; ++i) {
      dx.Row(row)[i] =
          static_cast<T>(static_cast<double>(y.Row(row)[i]) *
                         (static_cast<double>(dy.Row(row)[i]) - sum));
    }
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_SOFTMAX_REFERENCE_H_
