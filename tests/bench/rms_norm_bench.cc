// RMSNorm, forward and backward, beside the copy and the add loop.
#include "bench/benches.h"
#include "bench/support/inputs.h"
#include "bench/support/table.h"
#include "kernels/rms_norm.h"
#include "kernels/rms_norm_reference.h"

namespace addnorm {
namespace bench {
namespace {

void BenchForward(Size size) {
  const size_t rows = size.rows, cols = size.cols;
  const Array x = Array::Normal(rows * cols, 0),
              gamma = Array::Normal(cols, 1, 3.0);
  Array y(rows * cols, 2), rstd(rows, 3);
  const Contender kernel = {"rms_norm", Bytes(size, 2), [&] {
                              RmsNorm({x.data(), rows, cols}, gamma.data(), {},
                                      {y.data(), rows, cols}, rstd.data());
                            }};
  const auto right = [&] {
    const auto in = x.Doubles(), gains = gamma.Doubles();
    std::vector<double> want(in.size());
    reference::RmsNorm<double>({in.data(), rows, cols}, gains.data(), {},
                               {want.data(), rows, cols}, nullptr);
    return RowsAgree(y, want, cols, 4.0);
  };
  Compare(size, kernel, CopyLimit(size, x, y), right);
}

void BenchBackward(Size size) {
  const size_t rows = size.rows, cols = size.cols;
  const Array x = Array::Normal(rows * cols, 0),
              dy = Array::Normal(rows * cols, 1),
              gamma = Array::Normal(cols, 2, 3.0);
  Array dx(rows * cols, 3), dgamma(cols, 4);
  const Contender kernel = {"rms_norm backward", Bytes(size, 3), [&] {
                              RmsNormBackward(
                                  {x.data(), rows, cols},
                                  {dy.data(), rows, cols}, gamma.data(), {},
                                  {dx.data(), rows, cols}, dgamma.data());
                            }};
  const auto right = [&] {
    const auto in = x.Doubles(), upstream = dy.Doubles(),
               gains = gamma.Doubles();
    std::vector<double> want(in.size());
    reference::RmsNormBackward<double>(
        {in.data(), rows, cols}, {upstream.data(), rows, cols}, gains.data(),
        {}, {want.data(), rows, cols}, nullptr);
    return RowsAgree(dx, want, cols, 8.0);
  };
  Compare(size, kernel, AddLimit(size, x, dy, dx), right);
}

}  // namespace

void BenchRmsNorm() {
  for (const Size size : Sizes()) BenchForward(size);
  for (const Size size : Sizes()) BenchBackward(size);
}

}  // namespace bench
}  // namespace addnorm
