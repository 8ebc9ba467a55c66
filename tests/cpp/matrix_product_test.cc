// The blocked matrix product: against the reference, within its stated error.
#include "kernels/matrix_product.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/draw.h"
#include "cpp/support/guarded.h"
#include "cpp/support/products.h"
#include "cpp/support/targets.h"
#include "kernels/matrix_product_reference.h"

namespace addnorm {
namespace testing {
namespace {

TEST_CASE("AddProduct keeps its error bound at every shape and layout",
          "[matrix_product]") {
  ForEachTarget([] {
    double worst = 0.0;
    size_t index = 0;
    ForEachProductShape([&](size_t m, size_t k, size_t n) {
      Draw draw(Seed(), ++index);
      const unsigned bits = static_cast<unsigned>(draw.Word());
      const Guarded a = Normals(m * k, draw), b = Normals(k * n, draw);
      const Guarded first = Normals(m * n, draw);
      Guarded c(first.Values(), draw.Below(3));
      const StridedView<float> left =
          bits & 1u ? StridedView<float>(a.data(), m, k, k, 1)
                    : StridedView<float>(a.data(), m, k, 1, m);
      const StridedView<float> right =
          bits & 2u ? StridedView<float>(b.data(), k, n, n, 1)
                    : StridedView<float>(b.data(), k, n, 1, k);
      const float alpha = bits & 4u ? 1.0f : 0.25f;
      AddProduct(left, right, alpha, c.data(), n);
      CHECK(c.Intact());
      for (size_t i = 0; i < m * n; ++i) {
        double want = static_cast<double>(first[i]), scale = std::fabs(want);
        for (size_t p = 0; p < k; ++p) {
          const double term = static_cast<double>(alpha) *
                              static_cast<double>(left.At(i / n, p)) *
                              static_cast<double>(right.At(p, i % n));
          want += term;
          scale += std::fabs(term);
        }
        worst = std::max(worst, ErrorBesideBound(c[i], want, k, scale));
      }
    });
    INFO("ADDNORM_SEED=" << Seed());
    CHECK(worst <= 1.0);
  });
}

TEST_CASE("AddProduct leaves columns between rows of c alone",
          "[matrix_product]") {
  ForEachTarget([] {
    Draw draw(1);
    const Guarded a = Normals(5 * 3, draw), b = Normals(3 * 4, draw);
    std::vector<float> c(5 * 9, 7.0f), want(c);
    AddProduct({a.data(), 5, 3, 3, 1}, {b.data(), 3, 4, 4, 1}, 1.0f,
               c.data() + 2, 9);
    reference::AddProduct<float>({a.data(), 5, 3, 3, 1}, {b.data(), 3, 4, 4, 1},
                                 1.0, want.data() + 2, 9);
    for (size_t i = 0; i < c.size(); ++i) {
      CHECK(std::fabs(c[i] - want[i]) <= 1e-5f);
    }
  });
}

TEST_CASE("AddProduct carries a NaN to its row and its column only",
          "[matrix_product]") {
  ForEachTarget([] {
    Draw draw(2);
    Guarded a = Normals(9 * 20, draw), b = Normals(20 * 11, draw);
    a[4 * 20 + 7] = std::numeric_limits<float>::quiet_NaN();
    b[3 * 11 + 10] = std::numeric_limits<float>::infinity();
    std::vector<float> c(9 * 11);
    AddProduct({a.data(), 9, 20, 20, 1}, {b.data(), 20, 11, 11, 1}, 1.0f,
               c.data(), 11);
    for (size_t i = 0; i < c.size(); ++i) {
      CHECK(std::isfinite(c[i]) == (i / 11 != 4 && i % 11 != 10));
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
