// The matrix product in Highway: blocks are packed, then multiplied in tiles
// that stay in registers (Goto and van de Geijn, 2008). A tile's step loads two
// vectors and four scalars for eight multiplications and eight additions, which
// bound it: wasm has no fused multiply-add, so half of the machine's arithmetic
// is out of reach. Packing takes a few percent at 128 rows and more below.
#include "kernels/matrix_product.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/matrix_product.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {

// A tile is kTileRows rows by two vectors. A block of b, kDepth by kBlockCols,
// fits the first-level cache beside the rows of a that meet it.
constexpr size_t kTileRows = 4;
constexpr size_t kDepth = 128;
constexpr size_t kBlockCols = 64;
using D = hn::CappedTag<float, 16>;

// panel[p * kTileRows + i] = alpha * a(i, p), with zeros past the last row.
void PackRows(const StridedView<float>& a, float alpha, float* panel) {
  for (size_t p = 0; p < a.cols; ++p) {
    for (size_t i = 0; i < kTileRows; ++i) {
      *panel++ = i < a.rows ? alpha * a.At(i, p) : 0.0f;
    }
  }
}

// Panels of `width` columns, one after another: panel[p * width + j] =
// b(p, j), with zeros past the last column.
void PackCols(const StridedView<float>& b, size_t width, float* panel) {
  for (size_t begin = 0; begin < b.cols; begin += width) {
    const size_t count = std::min(width, b.cols - begin);
    for (size_t p = 0; p < b.rows; ++p) {
      const float* from = &b.At(p, begin);
      for (size_t j = 0; j < count; ++j) *panel++ = from[j * b.col_step];
      for (size_t j = count; j < width; ++j) *panel++ = 0.0f;
    }
  }
}

// c += the product of one panel of rows and one of columns; c takes the first
// `rows` rows and `cols` columns of the tile.
HWY_NOINLINE void AddTile(const float* a, const float* b, size_t depth,
                          size_t rows, size_t cols, float* c, size_t c_step) {
  const D d;
  const size_t N = hn::Lanes(d);
  auto c00 = hn::Zero(d), c01 = c00, c10 = c00, c11 = c00;
  auto c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  for (size_t p = 0; p < depth; ++p, a += kTileRows, b += 2 * N) {
    const auto b0 = hn::Load(d, b);
    const auto b1 = hn::Load(d, b + N);
    const auto a0 = hn::Set(d, a[0]);
    c00 = hn::MulAdd(a0, b0, c00);
    c01 = hn::MulAdd(a0, b1, c01);
    const auto a1 = hn::Set(d, a[1]);
    c10 = hn::MulAdd(a1, b0, c10);
    c11 = hn::MulAdd(a1, b1, c11);
    const auto a2 = hn::Set(d, a[2]);
    c20 = hn::MulAdd(a2, b0, c20);
    c21 = hn::MulAdd(a2, b1, c21);
    const auto a3 = hn::Set(d, a[3]);
    c30 = hn::MulAdd(a3, b0, c30);
    c31 = hn::MulAdd(a3, b1, c31);
  }
  HWY_ALIGN float tile[kTileRows * 2 * hn::MaxLanes(D())];
  hn::Store(c00, d, tile);
  hn::Store(c01, d, tile + N);
  hn::Store(c10, d, tile + 2 * N);
  hn::Store(c11, d, tile + 3 * N);
  hn::Store(c20, d, tile + 4 * N);
  hn::Store(c21, d, tile + 5 * N);
  hn::Store(c30, d, tile + 6 * N);
  hn::Store(c31, d, tile + 7 * N);
  for (size_t i = 0; i < rows; ++i) {
    float* to = c + i * c_step;
    const float* from = tile + i * 2 * N;
    ForEachVector(d, 0, cols, [&](size_t j, auto lanes) HWY_ATTR {
      lanes.Store(hn::Add(lanes.Load(d, to + j), hn::Load(d, from + j)), d,
                  to + j);
    });
  }
}

StridedView<float> Part(const StridedView<float>& m, size_t row, size_t rows,
                        size_t col, size_t cols) {
  return {&m.At(row, col), std::min(rows, m.rows - row),
          std::min(cols, m.cols - col), m.row_step, m.col_step};
}

void AddBlockedProduct(const StridedView<float>& a, const StridedView<float>& b,
                       float alpha, float* c, size_t c_step) {
  HWY_ALIGN float block[kDepth * kBlockCols];
  HWY_ALIGN float panel[kDepth * kTileRows];
  const size_t width = 2 * hn::Lanes(D());
  for (size_t col = 0; col < b.cols; col += kBlockCols) {
    for (size_t p = 0; p < b.rows; p += kDepth) {
      const StridedView<float> part = Part(b, p, kDepth, col, kBlockCols);
      PackCols(part, width, block);
      for (size_t row = 0; row < a.rows; row += kTileRows) {
        const StridedView<float> rows = Part(a, row, kTileRows, p, kDepth);
        PackRows(rows, alpha, panel);
        for (size_t j = 0; j < part.cols; j += width) {
          AddTile(panel, block + j * part.rows, part.rows, rows.rows,
                  std::min(width, part.cols - j), c + row * c_step + col + j,
                  c_step);
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace addnorm {

HWY_EXPORT(AddBlockedProduct);

void AddProduct(const StridedView<float>& a, const StridedView<float>& b,
                float alpha, float* c, size_t c_step) {
  HWY_DYNAMIC_DISPATCH(AddBlockedProduct)(a, b, alpha, c, c_step);
}

}  // namespace addnorm
#endif  // HWY_ONCE
