// Add & Norm, forward with either norm, beside the add loop.
#include "bench/benches.h"
#include "bench/support/inputs.h"
#include "bench/support/table.h"
#include "kernels/add_norm.h"
#include "kernels/layer_norm_reference.h"
#include "kernels/rms_norm_reference.h"

namespace addnorm {
namespace bench {
namespace {

void BenchForward(Size size, bool is_layer_norm) {
  const size_t rows = size.rows, cols = size.cols;
  const Array x = Array::Normal(rows * cols, 0, 0.3),
              fx = Array::Normal(rows * cols, 1),
              gamma = Array::Normal(cols, 2, 3.0),
              beta = Array::Normal(cols, 3);
  Array sum(rows * cols, 4), y(rows * cols, 5), limit_sum(rows * cols, 6);
  const Contender kernel = {
      is_layer_norm ? "add_norm (layer)" : "add_norm (rms)", Bytes(size, 4),
      [&] {
        if (is_layer_norm) {
          AddLayerNorm({x.data(), rows, cols}, {fx.data(), rows, cols},
                       gamma.data(), beta.data(), {}, {sum.data(), rows, cols},
                       {y.data(), rows, cols}, nullptr, nullptr);
        } else {
          AddRmsNorm({x.data(), rows, cols}, {fx.data(), rows, cols},
                     gamma.data(), {}, {sum.data(), rows, cols},
                     {y.data(), rows, cols}, nullptr);
        }
      }};
  const auto right = [&] {
    const auto in = sum.Doubles(), gains = gamma.Doubles(),
               shifts = beta.Doubles();
    std::vector<double> want(in.size());
    if (is_layer_norm) {
      reference::LayerNorm<double>({in.data(), rows, cols}, gains.data(),
                                   shifts.data(), {}, {want.data(), rows, cols},
                                   nullptr, nullptr);
    } else {
      reference::RmsNorm<double>({in.data(), rows, cols}, gains.data(), {},
                                 {want.data(), rows, cols}, nullptr);
    }
    for (size_t i = 0; i < sum.size(); ++i) {
      if (sum.data()[i] != x.data()[i] + fx.data()[i]) return false;
    }
    return RowsAgree(y, want, cols, 4.0);
  };
  Compare(size, kernel, AddLimit(size, x, fx, limit_sum), right);
}

}  // namespace

void BenchAddNorm() {
  for (const Size size : Sizes()) BenchForward(size, true);
  for (const Size size : Sizes()) BenchForward(size, false);
}

}  // namespace bench
}  // namespace addnorm
