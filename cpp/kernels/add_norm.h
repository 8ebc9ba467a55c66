// Add & Norm: the residual sum and its normalization in one pass over memory
// (Vaswani et al., arXiv:1706.03762, section 3.1).
#ifndef ADDNORM_KERNELS_ADD_NORM_H_
#define ADDNORM_KERNELS_ADD_NORM_H_

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {

// sum = x + fx, rounded to float32: the residual stream; y = LayerNorm(sum),
// with gamma, beta, mean and rstd as in layer_norm.h. sum may be x or fx. y may
// be x, fx or sum; where y is sum, the stream is lost and y stays.
void AddLayerNorm(const ConstMatrix& x, const ConstMatrix& fx,
                  const float* gamma, const float* beta,
                  const LayerNormOptions& options, const Matrix& sum,
                  const Matrix& y, float* mean, float* rstd);

// The vector-Jacobian product for gradients dy at y and dsum at sum (dsum may
// have null data: nothing else reads the stream).
//   dx = dfx = dsum + LayerNorm's gradient at sum
// dx and dfx are overwritten, hold the same values, and may be dy, dsum or sum;
// dfx may have null data. dgamma and dbeta (or null) are accumulated.
void AddLayerNormBackward(const ConstMatrix& sum, const ConstMatrix& dy,
                          const ConstMatrix& dsum, const float* gamma,
                          const LayerNormOptions& options, const Matrix& dx,
                          const Matrix& dfx, float* dgamma, float* dbeta);

// The same two with RMSNorm (rms_norm.h).
void AddRmsNorm(const ConstMatrix& x, const ConstMatrix& fx, const float* gamma,
                const RmsNormOptions& options, const Matrix& sum,
                const Matrix& y, float* rstd);
void AddRmsNormBackward(const ConstMatrix& sum, const ConstMatrix& dy,
                        const ConstMatrix& dsum, const float* gamma,
                        const RmsNormOptions& options, const Matrix& dx,
                        const Matrix& dfx, float* dgamma);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_ADD_NORM_H_
