// Sums over the rows of a matrix, for a vector of columns at a time.

#if defined(ADDNORM_SIMD_COLUMNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ADDNORM_SIMD_COLUMNS_INL_H_
#undef ADDNORM_SIMD_COLUMNS_INL_H_
#else
#define ADDNORM_SIMD_COLUMNS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace addnorm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 columns at a time, so that their sums have a fixed size.
using ColumnsTag = hn::CappedTag<float, 16>;
constexpr size_t kMostColumns = 16;

// The lanes of a vector of columns, of which the last may be partial.
struct ColumnLanes {
  size_t count;

  HWY_INLINE hn::Vec<ColumnsTag> Load(const float* from) const {
    return SomeLanes{count}.Load(ColumnsTag(), from);
  }
  // values[0, count), or `absent` where there are none.
  HWY_INLINE hn::Vec<ColumnsTag> LoadOr(const float* values, size_t col,
                                        float absent) const {
    return values ? Load(values + col) : hn::Set(ColumnsTag(), absent);
  }
  HWY_INLINE void Store(hn::Vec<ColumnsTag> v, float* to) const {
    SomeLanes{count}.Store(v, ColumnsTag(), to);
  }
};

// Calls body(col, lanes) for each vector of columns.
template <class Body>
HWY_INLINE void ForEachColumns(size_t cols, const Body& body) {
  const size_t N = hn::Lanes(ColumnsTag());
  for (size_t col = 0; col < cols; col += N) {
    body(col, ColumnLanes{std::min(N, cols - col)});
  }
}

struct ColumnSums {
  double first[kMostColumns] = {};
  double second[kMostColumns] = {};
};

// Two sums for each column of a vector over the rows that left_out (a byte a
// row, or null) does not name. term(row, a, b) adds its row's share to the
// accumulators a and b, which are emptied into double every 4 rows.
template <class Term>
HWY_INLINE ColumnSums SumColumns(size_t rows, const uint8_t* left_out,
                                 const Term& term) {
  constexpr size_t kRowsAtOnce = 4;
  const ColumnsTag d;
  ColumnSums sums;
  for (size_t begin = 0; begin < rows; begin += kRowsAtOnce) {
    auto a = hn::Zero(d), b = a;
    for (size_t r = begin; r < std::min(rows, begin + kRowsAtOnce); ++r) {
      if (!left_out || !left_out[r]) term(r, a, b);
    }
    HWY_ALIGN float first[kMostColumns], second[kMostColumns];
    hn::Store(a, d, first);
    hn::Store(b, d, second);
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      sums.first[i] += static_cast<double>(first[i]);
      sums.second[i] += static_cast<double>(second[i]);
    }
  }
  return sums;
}

// to[0, count) += sums; nothing where `to` is null.
inline void AddSums(const double* sums, size_t count, float* to) {
  for (size_t i = 0; to && i < count; ++i) {
    to[i] = static_cast<float>(static_cast<double>(to[i]) + sums[i]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace addnorm
HWY_AFTER_NAMESPACE();

#endif  // ADDNORM_SIMD_COLUMNS_INL_H_
