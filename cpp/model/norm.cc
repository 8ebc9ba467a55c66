// The config's norm, whichever it is: forward, then backward.
#include "model/norm.h"

#include <algorithm>

#include "kernels/batch_norm.h"
#include "kernels/double_kernels.h"
#include "kernels/dynamic_tanh.h"
#include "kernels/group_norm.h"
#include "kernels/l2_norm.h"
#include "kernels/layer_norm.h"
#include "kernels/rms_norm.h"

namespace addnorm {
namespace {

RmsNormOptions RmsOptions(const ModelConfig& config) {
  return {config.norm_options.eps, static_cast<float>(config.gamma_offset)};
}

}  // namespace

template <typename T>
void ApplyNorm(const ModelConfig& config, const MatrixView<const T>& x,
               const uint8_t* padding, const NormParameters<const T>& at,
               const MatrixView<T>& y) {
  const LayerNormOptions& options = config.norm_options;
  T* const none = nullptr;
  switch (config.norm) {
    case Norm::kLayer:
      return LayerNorm(x, at.gamma, at.beta, options, y, none, none);
    case Norm::kRms:
      return RmsNorm(x, at.gamma, RmsOptions(config), y, none);
    case Norm::kBatch:
      return BatchNorm(x, padding, at.gamma, at.beta, options, y, none, none);
    case Norm::kGroup:
      return GroupNorm(x, config.groups, at.gamma, at.beta, options, y, none,
                       none);
    case Norm::kL2:
      return L2Norm(x, at.gamma, options.eps, y, none);
    case Norm::kDynamicTanh:
      return DynamicTanh(x, *at.alpha, at.gamma, at.beta, y);
    case Norm::kNone:
      std::copy(x.data, x.data + x.Size(), y.data);
  }
}

template <typename T>
void ApplyNormBackward(const ModelConfig& config, const MatrixView<const T>& x,
                       const MatrixView<const T>& dy, const uint8_t* padding,
                       const NormParameters<const T>& at,
                       const MatrixView<T>& dx, const NormParameters<T>& to) {
  const LayerNormOptions& options = config.norm_options;
  switch (config.norm) {
    case Norm::kLayer:
      return LayerNormBackward(x, dy, at.gamma, options, dx, to.gamma, to.beta);
    case Norm::kRms:
      return RmsNormBackward(x, dy, at.gamma, RmsOptions(config), dx, to.gamma);
    case Norm::kBatch:
      return BatchNormBackward(x, dy, padding, at.gamma, options, dx, to.gamma,
                               to.beta);
    case Norm::kGroup:
      return GroupNormBackward(x, dy, config.groups, at.gamma, options, dx,
                               to.gamma, to.beta);
    case Norm::kL2:
      return L2NormBackward(x, dy, at.gamma, options.eps, dx, to.gamma);
    case Norm::kDynamicTanh:
      return DynamicTanhBackward(x, dy, *at.alpha, at.gamma, dx, to.alpha,
                                 to.gamma, to.beta);
    case Norm::kNone:
      std::copy(dy.data, dy.data + dy.Size(), dx.data);
  }
}

#define ADDNORM_MAKE(T)                                                      \
  template void ApplyNorm<T>(const ModelConfig&, const MatrixView<const T>&, \
                             const uint8_t*, const NormParameters<const T>&, \
                             const MatrixView<T>&);                          \
  template void ApplyNormBackward<T>(                                        \
      const ModelConfig&, const MatrixView<const T>&,                        \
      const MatrixView<const T>&, const uint8_t*,                            \
      const NormParameters<const T>&, const MatrixView<T>&,                  \
      const NormParameters<T>&)
ADDNORM_MAKE(float);
ADDNORM_MAKE(double);
#undef ADDNORM_MAKE

}  // namespace addnorm
