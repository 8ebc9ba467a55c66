// The linear map, forward then backward, over the blocked matrix product, which
// takes all the time (matrix_product.cc).
#include "kernels/linear.h"

#include <algorithm>

#include "kernels/matrix_product.h"

namespace addnorm {

void Linear(const ConstMatrix& x, const ConstMatrix& w, const float* b,
            const Matrix& y) {
  for (size_t r = 0; r < y.rows; ++r) {
    if (b) {
      std::copy(b, b + y.cols, y.Row(r));
    } else {
      std::fill(y.Row(r), y.Row(r) + y.cols, 0.0f);
    }
  }
  AddProduct(x, StridedView<float>(w).Transposed(), 1.0f, y.data, y.cols);
}

void LinearBackward(const ConstMatrix& x, const ConstMatrix& dy,
                    const ConstMatrix& w, const Matrix& dx, const Matrix& dw,
                    float* db) {
  if (dx.data) {
    std::fill(dx.data, dx.data + dx.Size(), 0.0f);
    AddProduct(dy, w, 1.0f, dx.data, dx.cols);
  }
  if (dw.data) {
    AddProduct(StridedView<float>(dy).Transposed(), x, 1.0f, dw.data, dw.cols);
  }
  if (db) {
    const float one = 1.0f;
    AddProduct({&one, 1, dy.rows, 0, 0}, dy, 1.0f, db, dy.cols);
  }
}

}  // namespace addnorm
