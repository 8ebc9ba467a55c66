// A non-owning row-major view: the one argument type of all kernels.
#ifndef ADDNORM_MATRIX_H_
#define ADDNORM_MATRIX_H_

#include <cstddef>
#include <type_traits>

namespace addnorm {

// rows x cols values that lie without gaps, row after row (tokens x features).
// `data` may be null where a kernel's contract says that an output is optional.
template <typename T>
struct MatrixView {
  T* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;

  MatrixView() = default;
  MatrixView(T* first, size_t row_count, size_t col_count)
      : data(first), rows(row_count), cols(col_count) {}

  // A mutable view serves wherever a constant one is asked for.
  template <typename U, typename = std::enable_if_t<std::is_same_v<T, const U>>>
  MatrixView(const MatrixView<U>& other)  // NOLINT: implicit on purpose
      : data(other.data), rows(other.rows), cols(other.cols) {}

  T* Row(size_t row) const { return data ? data + row * cols : nullptr; }
  size_t Size() const { return rows * cols; }
};

using Matrix = MatrixView<float>;
using ConstMatrix = MatrixView<const float>;

}  // namespace addnorm

#endif  // ADDNORM_MATRIX_H_
