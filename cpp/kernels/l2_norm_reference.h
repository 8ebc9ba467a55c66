// ScaleNorm in scalar double: the specification. The SIMD kernel hands it the
// rows that float32 arithmetic cannot carry (T = float).
#ifndef ADDNORM_KERNELS_L2_NORM_REFERENCE_H_
#define ADDNORM_KERNELS_L2_NORM_REFERENCE_H_

#include <cmath>
#include <cstddef>

#include "kernels/layer_norm_reference.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
double LengthOf(const T* x, size_t count) {
  double squares = 0.0;
  for (size_t i = 0; i < count; ++i) {
    squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  }
  return std::sqrt(squares);
}

// 1 / max(length, eps), 0 where that divides by 0; a NaN length stays.
inline double ReciprocalLength(double length, double eps) {
  const double divisor = length < eps ? eps : length;
  return divisor == 0.0 ? 0.0 : 1.0 / divisor;
}

template <typename T>
void L2Norm(const MatrixView<const T>& x, const T* gain, double eps,
            const MatrixView<T>& y, T* norm) {
  for (size_t row = 0; row < x.rows; ++row) {
    const double length = LengthOf(x.Row(row), x.cols);
    const double scale = ReciprocalLength(length, eps) * ValueOr(gain, 0, 1.0);
    for (size_t i = 0; i < x.cols; ++i) {
      y.Row(row)[i] =
          static_cast<T>(static_cast<double>(x.Row(row)[i]) * scale);
    }
    if (norm) norm[row] = static_cast<T>(length);
  }
}

// One row; returns its share of dgain.
template <typename T>
double L2NormBackwardRow(const T* x, const T* dy, size_t count, double gain,
                         double eps, T* dx) {
  const double length = LengthOf(x, count);
  const double scale = ReciprocalLength(length, eps);
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) {
    sum += static_cast<double>(dy[i]) * static_cast<double>(x[i]) * scale;
  }
  const double slope = length <= eps ? 0.0 : sum;
  for (size_t i = 0; i < count; ++i) {
    dx[i] = static_cast<T>(gain * scale *
                           (static_cast<double>(dy[i]) -
                            static_cast<double>(x[i]) * scale * slope));
  }
  return sum;
}

template <typename T>
void L2NormBackward(const MatrixView<const T>& x, const MatrixView<const T>& dy,
                    const T* gain, double eps, const MatrixView<T>& dx,
                    T* dgain) {
  double sum = 0.0;
  for (size_t row = 0; row < x.rows; ++row) {
    sum += L2NormBackwardRow(x.Row(row), dy.Row(row), x.cols,
                             ValueOr(gain, 0, 1.0), eps, dx.Row(row));
  }
  if (dgain) *dgain = static_cast<T>(*dgain + sum);
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_L2_NORM_REFERENCE_H_
