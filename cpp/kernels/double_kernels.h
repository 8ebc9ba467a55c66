// The kernels' names for double: each is its reference. What is built from
// kernels is written once for both types, runs in float, and is tested against
// central differences in double.
#ifndef ADDNORM_KERNELS_DOUBLE_KERNELS_H_
#define ADDNORM_KERNELS_DOUBLE_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/activation_reference.h"
#include "kernels/batch_norm_reference.h"
#include "kernels/dynamic_tanh_reference.h"
#include "kernels/gated_add_reference.h"
#include "kernels/group_norm_reference.h"
#include "kernels/l2_norm_reference.h"
#include "kernels/layer_norm_reference.h"
#include "kernels/linear_reference.h"
#include "kernels/matrix_product_reference.h"
#include "kernels/residual_add_reference.h"
#include "kernels/rms_norm_reference.h"
#include "kernels/scaled_add_reference.h"
#include "kernels/softmax_reference.h"
#include "matrix.h"

namespace addnorm {

using DoubleMatrix = MatrixView<double>;
using ConstDoubleMatrix = MatrixView<const double>;

inline void AddProduct(const StridedView<double>& a,
                       const StridedView<double>& b, double alpha, double* c,
                       size_t c_step) {
  reference::AddProduct(a, b, alpha, c, c_step);
}
inline void Linear(const ConstDoubleMatrix& x, const ConstDoubleMatrix& w,
                   const double* b, const DoubleMatrix& y) {
  reference::Linear(x, w, b, y);
}
inline void LinearBackward(const ConstDoubleMatrix& x,
                           const ConstDoubleMatrix& dy,
                           const ConstDoubleMatrix& w, const DoubleMatrix& dx,
                           const DoubleMatrix& dw, double* db) {
  reference::LinearBackward(x, dy, w, dx, dw, db);
}
inline void Softmax(const ConstDoubleMatrix& x, const SoftmaxMask& mask,
                    const DoubleMatrix& y) {
  reference::Softmax(x, mask, y);
}
inline void SoftmaxBackward(const ConstDoubleMatrix& y,
                            const ConstDoubleMatrix& dy,
                            const DoubleMatrix& dx) {
  reference::SoftmaxBackward(y, dy, dx);
}
inline void Activate(Activation f, const ConstDoubleMatrix& x,
                     const DoubleMatrix& y) {
  reference::Activate(f, x, y);
}
inline void ActivateBackward(Activation f, const ConstDoubleMatrix& x,
                             const ConstDoubleMatrix& dy,
                             const DoubleMatrix& dx) {
  reference::ActivateBackward(f, x, dy, dx);
}
inline void ResidualAdd(const ConstDoubleMatrix& x, const ConstDoubleMatrix& fx,
                        double alpha, double beta, const DoubleMatrix& sum) {
  reference::ResidualAdd(x, fx, alpha, beta, sum);
}
inline void ScaledAdd(const ConstDoubleMatrix& x, const ConstDoubleMatrix& fx,
                      const double* scale, size_t scale_count,
                      const DoubleMatrix& sum) {
  reference::ScaledAdd(x, fx, scale, scale_count, sum);
}
inline void ScaledAddBackward(const ConstDoubleMatrix& fx,
                              const ConstDoubleMatrix& dsum,
                              const double* scale, size_t scale_count,
                              const DoubleMatrix& dfx, double* dscale) {
  reference::ScaledAddBackward(fx, dsum, scale, scale_count, dfx, dscale);
}
inline void GatedAdd(const ConstDoubleMatrix& x, const ConstDoubleMatrix& fx,
                     const ConstDoubleMatrix& gate, const DoubleMatrix& sum) {
  reference::GatedAdd(x, fx, gate, sum);
}
inline void GatedAddBackward(const ConstDoubleMatrix& x,
                             const ConstDoubleMatrix& fx,
                             const ConstDoubleMatrix& gate,
                             const ConstDoubleMatrix& dsum,
                             const DoubleMatrix& dx, const DoubleMatrix& dfx,
                             const DoubleMatrix& dgate) {
  reference::GatedAddBackward(x, fx, gate, dsum, dx, dfx, dgate);
}
inline void LayerNorm(const ConstDoubleMatrix& x, const double* gamma,
                      const double* beta, const LayerNormOptions& options,
                      const DoubleMatrix& y, double* mean, double* rstd) {
  reference::LayerNorm(x, gamma, beta, options, y, mean, rstd);
}
inline void LayerNormBackward(const ConstDoubleMatrix& x,
                              const ConstDoubleMatrix& dy, const double* gamma,
                              const LayerNormOptions& options,
                              const DoubleMatrix& dx, double* dgamma,
                              double* dbeta) {
  reference::LayerNormBackward(x, dy, gamma, options, dx, dgamma, dbeta);
}
inline void RmsNorm(const ConstDoubleMatrix& x, const double* gamma,
                    const RmsNormOptions& options, const DoubleMatrix& y,
                    double* rstd) {
  reference::RmsNorm(x, gamma, options, y, rstd);
}
inline void RmsNormBackward(const ConstDoubleMatrix& x,
                            const ConstDoubleMatrix& dy, const double* gamma,
                            const RmsNormOptions& options,
                            const DoubleMatrix& dx, double* dgamma) {
  reference::RmsNormBackward(x, dy, gamma, options, dx, dgamma);
}
inline void BatchNorm(const ConstDoubleMatrix& x, const uint8_t* padding,
                      const double* gamma, const double* beta,
                      const LayerNormOptions& options, const DoubleMatrix& y,
                      double* mean, double* rstd) {
  reference::BatchNorm(x, padding, gamma, beta, options, y, mean, rstd);
}
inline void BatchNormBackward(const ConstDoubleMatrix& x,
                              const ConstDoubleMatrix& dy,
                              const uint8_t* padding, const double* gamma,
                              const LayerNormOptions& options,
                              const DoubleMatrix& dx, double* dgamma,
                              double* dbeta) {
  reference::BatchNormBackward(x, dy, padding, gamma, options, dx, dgamma,
                               dbeta);
}
inline void GroupNorm(const ConstDoubleMatrix& x, size_t groups,
                      const double* gamma, const double* beta,
                      const LayerNormOptions& options, const DoubleMatrix& y,
                      double* mean, double* rstd) {
  reference::GroupNorm(x, groups, gamma, beta, options, y, mean, rstd);
}
inline void GroupNormBackward(const ConstDoubleMatrix& x,
                              const ConstDoubleMatrix& dy, size_t groups,
                              const double* gamma,
                              const LayerNormOptions& options,
                              const DoubleMatrix& dx, double* dgamma,
                              double* dbeta) {
  reference::GroupNormBackward(x, dy, groups, gamma, options, dx, dgamma,
                               dbeta);
}
inline void L2Norm(const ConstDoubleMatrix& x, const double* gain, double eps,
                   const DoubleMatrix& y, double* norm) {
  reference::L2Norm(x, gain, eps, y, norm);
}
inline void L2NormBackward(const ConstDoubleMatrix& x,
                           const ConstDoubleMatrix& dy, const double* gain,
                           double eps, const DoubleMatrix& dx, double* dgain) {
  reference::L2NormBackward(x, dy, gain, eps, dx, dgain);
}
inline void DynamicTanh(const ConstDoubleMatrix& x, double alpha,
                        const double* gamma, const double* beta,
                        const DoubleMatrix& y) {
  reference::DynamicTanh(x, alpha, gamma, beta, y);
}
inline void DynamicTanhBackward(const ConstDoubleMatrix& x,
                                const ConstDoubleMatrix& dy, double alpha,
                                const double* gamma, const DoubleMatrix& dx,
                                double* dalpha, double* dgamma, double* dbeta) {
  reference::DynamicTanhBackward(x, dy, alpha, gamma, dx, dalpha, dgamma,
                                 dbeta);
}

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_DOUBLE_KERNELS_H_
