// The statistics of rows beside the copy loop, which also writes.
#include "bench/benches.h"
#include "bench/support/inputs.h"
#include "bench/support/table.h"
#include "kernels/row_stats.h"
#include "kernels/row_stats_reference.h"

namespace addnorm {
namespace bench {

void BenchRowStats() {
  for (const Size size : Sizes()) {
    const size_t rows = size.rows, cols = size.cols;
    const Array x = Array::Normal(rows * cols, 0, 0.3);
    Array mean(rows, 1), std(rows, 2), rms(rows, 3), copy(rows * cols, 4);
    const Contender kernel = {"row_stats", Bytes(size, 1), [&] {
                                RowStats({x.data(), rows, cols},
                                         Variance::kPopulation, mean.data(),
                                         std.data(), rms.data());
                              }};
    const auto right = [&] {
      const auto in = x.Doubles();
      std::vector<double> want(rows);
      reference::RowStats<double>({in.data(), rows, cols},
                                  Variance::kPopulation, nullptr, want.data(),
                                  nullptr);
      return RowsAgree(std, want, 1, 4.0);
    };
    Compare(size, kernel, CopyLimit(size, x, copy), right);
  }
}

}  // namespace bench
}  // namespace addnorm
