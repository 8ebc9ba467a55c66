// GroupNorm, forward then backward: LayerNorm of parts of rows, and bounded as
// it is; the narrower the groups, the more by what each costs of its own.
#include "kernels/group_norm.h"

#include "kernels/layer_norm.h"

namespace addnorm {
namespace {

float* Past(float* first, size_t count) {
  return first ? first + count : nullptr;
}

const float* Past(const float* first, size_t count) {
  return first ? first + count : nullptr;
}

}  // namespace

void GroupNorm(const ConstMatrix& x, size_t groups, const float* gamma,
               const float* beta, const LayerNormOptions& options,
               const Matrix& y, float* mean, float* rstd) {
  if (groups == 1) {
    return LayerNorm(x, gamma, beta, options, y, mean, rstd);
  }
  const size_t width = x.cols / groups;
  for (size_t part = 0; part < x.rows * groups; ++part) {
    const size_t feature = part % groups * width;
    LayerNorm({x.data + part * width, 1, width}, Past(gamma, feature),
              Past(beta, feature), options, {y.data + part * width, 1, width},
              Past(mean, part), Past(rstd, part));
  }
}

void GroupNormBackward(const ConstMatrix& x, const ConstMatrix& dy,
                       size_t groups, const float* gamma,
                       const LayerNormOptions& options, const Matrix& dx,
                       float* dgamma, float* dbeta) {
  if (groups == 1) {
    return LayerNormBackward(x, dy, gamma, options, dx, dgamma, dbeta);
  }
  const size_t width = x.cols / groups;
  for (size_t part = 0; part < x.rows * groups; ++part) {
    const size_t feature = part % groups * width;
    LayerNormBackward({x.data + part * width, 1, width},
                      {dy.data + part * width, 1, width}, Past(gamma, feature),
                      options, {dx.data + part * width, 1, width},
                      Past(dgamma, feature), Past(dbeta, feature));
  }
}

}  // namespace addnorm
