// What the tests of matrix products share: shapes, draws, the error bound.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_PRODUCTS_H_
#define ADDNORM_TESTS_CPP_SUPPORT_PRODUCTS_H_

#include <cmath>
#include <cstddef>
#include <vector>

#include "cpp/support/draw.h"
#include "cpp/support/guarded.h"

namespace addnorm {
namespace testing {

inline Guarded Normals(size_t count, Draw& draw) {
  Guarded values(count, draw.Below(3));
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(draw.Normal());
  }
  return values;
}

inline std::vector<double> Doubles(const Guarded& values) {
  return {values.data(), values.data() + values.size()};
}

// visit(m, k, n): every width from 0 to 2N + 1 in each place, and sizes of
// models, on both sides of the blocks' edges (4, 64, 128).
template <class Visit>
void ForEachProductShape(const Visit& visit) {
  for (size_t width = 0; width <= 33; ++width) {
    visit(width, 5, 3);
    visit(5, width, 19);
    visit(3, 7, width);
  }
  visit(7, 127, 65);
  visit(6, 128, 64);
  visit(5, 129, 63);
  visit(130, 100, 130);
  visit(3, 1000, 68);
  visit(2, 768, 100);
}

// The error of a sum of k products as a share of what matrix_product.h allows;
// `scale` is the sum of the terms' magnitudes.
inline double ErrorBesideBound(float got, double want, size_t k, double scale) {
  const double bound = (129.0 + static_cast<double>(k) / 128.0) * 0x1p-24;
  const double error = std::fabs(static_cast<double>(got) - want);
  return error == 0.0 ? 0.0 : error / (bound * scale);
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_PRODUCTS_H_
