// The config's norm, whichever it is.
#ifndef ADDNORM_MODEL_NORM_H_
#define ADDNORM_MODEL_NORM_H_

#include <cstdint>

#include "matrix.h"
#include "model/config.h"

namespace addnorm {

// What of it the norm has; the rest is not looked at. T is const for the
// parameters, mutable for their gradients.
template <typename T>
struct NormParameters {
  T* gamma;
  T* beta;
  T* alpha;
};

// y = norm(x), as the kernel of that norm states. padding (a byte a row, or
// null) matters to batch norm only.
template <typename T>
void ApplyNorm(const ModelConfig& config, const MatrixView<const T>& x,
               const uint8_t* padding, const NormParameters<const T>& at,
               const MatrixView<T>& y);

// The vector-Jacobian product: dx is overwritten, the parameters' gradients are
// accumulated.
template <typename T>
void ApplyNormBackward(const ModelConfig& config, const MatrixView<const T>& x,
                       const MatrixView<const T>& dy, const uint8_t* padding,
                       const NormParameters<const T>& at,
                       const MatrixView<T>& dx,
                       const NormParameters<T>& gradients);

}  // namespace addnorm

#endif  // ADDNORM_MODEL_NORM_H_
