// The matrices that the benchmarks work on, and how results are checked.
#ifndef ADDNORM_TESTS_BENCH_SUPPORT_INPUTS_H_
#define ADDNORM_TESTS_BENCH_SUPPORT_INPUTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/support/limits.h"
#include "bench/support/table.h"
#include "cpp/support/draw.h"
#include "cpp/support/ulp.h"
#include "matrix.h"

namespace addnorm {
namespace bench {

// Floats that begin at a multiple of 64 bytes. Each array of a benchmark takes
// another `slot`, since arrays that lie a multiple of 4 KiB apart slow each
// other down.
class Array {
 public:
  Array(size_t size, size_t slot)
      : storage_(size + kPage + kSlot * (slot + 1)), size_(size) {
    const auto address = reinterpret_cast<uintptr_t>(storage_.data());
    const size_t past = address / sizeof(float) % kPage;
    first_ = storage_.data() + (kPage - past) + kSlot * slot;
  }

  // Normal values around `mean`.
  static Array Normal(size_t size, size_t slot, double mean = 0.0) {
    Array array(size, slot);
    testing::Draw draw(1, slot);
    for (size_t i = 0; i < size; ++i) {
      array.first_[i] = static_cast<float>(mean + draw.Normal());
    }
    return array;
  }

  Array(Array&&) = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  float* data() { return first_; }
  const float* data() const { return first_; }
  size_t size() const { return size_; }
  std::vector<double> Doubles() const { return {first_, first_ + size_}; }

 private:
  static constexpr size_t kPage = 4096 / sizeof(float);
  static constexpr size_t kSlot = 320 / sizeof(float);

  std::vector<float> storage_;
  size_t size_;
  float* first_;
};

inline size_t Bytes(Size size, size_t arrays) {
  return arrays * size.rows * size.cols * sizeof(float);
}

// The copy loop over a matrix of this size, of its own memory.
inline Contender CopyLimit(Size size, const Array& from, Array& to) {
  return {"copy", Bytes(size, 2),
          [&from, &to] { CopyLoop(from.data(), from.size(), to.data()); }};
}

inline Contender AddLimit(Size size, const Array& x, const Array& fx,
                          Array& sum) {
  return {"add", Bytes(size, 3), [&x, &fx, &sum] {
            AddLoop(x.data(), fx.data(), x.size(), sum.data());
          }};
}

// Whether every row is within `ulps` of the wanted row's largest value.
inline bool RowsAgree(const Array& got, const std::vector<double>& want,
                      size_t cols, double ulps) {
  for (size_t at = 0; at < want.size(); at += cols) {
    const double* row = want.data() + at;
    const double scale = testing::Largest(row, cols);
    if (testing::RowError(got.data() + at, row, cols, scale) > ulps) {
      return false;
    }
  }
  return true;
}

}  // namespace bench
}  // namespace addnorm

#endif  // ADDNORM_TESTS_BENCH_SUPPORT_INPUTS_H_
