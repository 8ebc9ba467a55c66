// The residual sum beside the add loop.
#include "bench/benches.h"
#include "bench/support/inputs.h"
#include "bench/support/table.h"
#include "kernels/residual_add.h"
#include "kernels/residual_add_reference.h"

namespace addnorm {
namespace bench {

void BenchResidualAdd() {
  for (const Size size : Sizes()) {
    const size_t count = size.rows * size.cols;
    const Array x = Array::Normal(count, 0), fx = Array::Normal(count, 1);
    Array sum(count, 2);
    const Contender kernel = {"residual_add", Bytes(size, 3), [&] {
                                ResidualAdd({x.data(), size.rows, size.cols},
                                            {fx.data(), size.rows, size.cols},
                                            1.0f, 1.0f,
                                            {sum.data(), size.rows, size.cols});
                              }};
    const auto right = [&] {
      const auto x_doubles = x.Doubles(), fx_doubles = fx.Doubles();
      std::vector<double> want(count);
      reference::ResidualAdd<double>({x_doubles.data(), size.rows, size.cols},
                                     {fx_doubles.data(), size.rows, size.cols},
                                     1.0, 1.0,
                                     {want.data(), size.rows, size.cols});
      return RowsAgree(sum, want, size.cols, 0.5);
    };
    Compare(size, kernel, AddLimit(size, x, fx, sum), right);
  }
}

}  // namespace bench
}  // namespace addnorm
