// The gated residual sum in scalar double: the specification.
#ifndef ADDNORM_KERNELS_GATED_ADD_REFERENCE_H_
#define ADDNORM_KERNELS_GATED_ADD_REFERENCE_H_

#include <cstddef>

#include "matrix.h"

namespace addnorm {
namespace reference {

template <typename T>
void GatedAdd(const MatrixView<const T>& x, const MatrixView<const T>& fx,
              const MatrixView<const T>& gate, const MatrixView<T>& sum) {
  for (size_t i = 0; i < x.Size(); ++i) {
    const double open = static_cast<double>(gate.data[i]);
    sum.data[i] = static_cast<T>(open * static_cast<double>(fx.data[i]) +
                                 (1.0 - open) * static_cast<double>(x.data[i]));
  }
}

template <typename T>
void GatedAddBackward(const MatrixView<const T>& x,
                      const MatrixView<const T>& fx,
                      const MatrixView<const T>& gate,
                      const MatrixView<const T>& dsum, const MatrixView<T>& dx,
                      const MatrixView<T>& dfx, const MatrixView<T>& dgate) {
  for (size_t i = 0; i < x.Size(); ++i) {
    const double open = static_cast<double>(gate.data[i]);
    const double upstream = static_cast<double>(dsum.data[i]);
    dx.data[i] = static_cast<T>((1.0 - open) * upstream);
    dfx.data[i] = static_cast<T>(open * upstream);
    dgate.data[i] = static_cast<T>(upstream * (static_cast<double>(fx.data[i]) -
                                               static_cast<double>(x.data[i])));
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_GATED_ADD_REFERENCE_H_
