// Add & Norm in scalar double: the specification.
#ifndef ADDNORM_KERNELS_ADD_NORM_REFERENCE_H_
#define ADDNORM_KERNELS_ADD_NORM_REFERENCE_H_

#include <cstddef>

#include "kernels/layer_norm_reference.h"
#include "kernels/residual_add_reference.h"
#include "kernels/rms_norm_reference.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
void AddLayerNorm(const MatrixView<const T>& x, const MatrixView<const T>& fx,
                  const T* gamma, const T* beta,
                  const LayerNormOptions& options, const MatrixView<T>& sum,
                  const MatrixView<T>& y, T* mean, T* rstd) {
  ResidualAdd<T>(x, fx, 1.0, 1.0, sum);
  LayerNorm<T>(sum, gamma, beta, options, y, mean, rstd);
}

template <typename T>
void AddRmsNorm(const MatrixView<const T>& x, const MatrixView<const T>& fx,
                const T* gamma, const RmsNormOptions& options,
                const MatrixView<T>& sum, const MatrixView<T>& y, T* rstd) {
  ResidualAdd<T>(x, fx, 1.0, 1.0, sum);
  RmsNorm<T>(sum, gamma, options, y, rstd);
}

// Writes one row's gradient to dx and dfx with what arrives at the sum added.
template <typename T>
auto EmitToBoth(const T* dsum, T* dx, T* dfx) {
  return [dsum, dx, dfx](size_t i, double value) {
    const T total = static_cast<T>(value + ValueOr(dsum, i, 0.0));
    dx[i] = total;
    if (dfx) dfx[i] = total;
  };
}

template <typename T>
void AddLayerNormBackward(const MatrixView<const T>& sum,
                          const MatrixView<const T>& dy,
                          const MatrixView<const T>& dsum, const T* gamma,
                          const LayerNormOptions& options,
                          const MatrixView<T>& dx, const MatrixView<T>& dfx,
                          T* dgamma, T* dbeta) {
  for (size_t row = 0; row < sum.rows; ++row) {
    LayerNormBackwardRow(sum.Row(row), dy.Row(row), sum.cols, gamma, options,
                         dgamma, dbeta,
                         EmitToBoth(dsum.Row(row), dx.Row(row), dfx.Row(row)));
  }
}

template <typename T>
void AddRmsNormBackward(const MatrixView<const T>& sum,
                        const MatrixView<const T>& dy,
                        const MatrixView<const T>& dsum, const T* gamma,
                        const RmsNormOptions& options, const MatrixView<T>& dx,
                        const MatrixView<T>& dfx, T* dgamma) {
  for (size_t row = 0; row < sum.rows; ++row) {
    RmsNormBackwardRow(sum.Row(row), dy.Row(row), sum.cols, gamma, options,
                       dgamma,
                       EmitToBoth(dsum.Row(row), dx.Row(row), dfx.Row(row)));
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_ADD_NORM_REFERENCE_H_
