// The matrix product that linear maps and attention are made of.
#ifndef ADDNORM_KERNELS_MATRIX_PRODUCT_H_
#define ADDNORM_KERNELS_MATRIX_PRODUCT_H_

#include <cstddef>

#include "matrix.h"

namespace addnorm {

// A view whose element (r, c) lies at data[r * row_step + c * col_step]: a
// matrix, its transpose, the columns of one attention head, or, with steps of
// 0, one value that stands everywhere.
template <typename T>
struct StridedView {
  const T* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;
  size_t row_step = 0;
  size_t col_step = 0;

  StridedView() = default;
  StridedView(const T* first, size_t row_count, size_t col_count,
              size_t from_row_to_row, size_t from_col_to_col)
      : data(first),
        rows(row_count),
        cols(col_count),
        row_step(from_row_to_row),
        col_step(from_col_to_col) {}

  StridedView(const MatrixView<const T>& m)  // NOLINT: implicit on purpose
      : StridedView(m.data, m.rows, m.cols, m.cols, 1) {}
  StridedView(const MatrixView<T>& m)  // NOLINT: implicit on purpose
      : StridedView(m.data, m.rows, m.cols, m.cols, 1) {}

  StridedView Transposed() const {
    return {data, cols, rows, col_step, row_step};
  }
  const T& At(size_t row, size_t col) const {
    return data[row * row_step + col * col_step];
  }
};

// c += alpha * a b, with a m x k and b k x n; row r of c (m x n) begins at
// c + r * c_step. c overlaps neither a nor b.
//
// Float32: k is cut into blocks of 128; a block's products are summed one after
// another, then added to c. The error is at most
//   (129 + k / 128) * 2^-24 * (|c| + |alpha| sum |a| |b|), to first order.
// Uses 34 KB of stack and no heap. NaN and infinity reach only the rows of a,
// or the columns of b, that hold them.
void AddProduct(const StridedView<float>& a, const StridedView<float>& b,
                float alpha, float* c, size_t c_step);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_MATRIX_PRODUCT_H_
