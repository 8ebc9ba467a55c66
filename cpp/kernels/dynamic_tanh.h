// Dynamic Tanh: what may stand in a normalization's place without measuring
// anything (Zhu et al., arXiv:2503.10622).
#ifndef ADDNORM_KERNELS_DYNAMIC_TANH_H_
#define ADDNORM_KERNELS_DYNAMIC_TANH_H_

#include "matrix.h"

namespace addnorm {

// y = gamma * tanh(alpha * x) + beta for x (rows x d). alpha is one value;
// gamma and beta hold d values, or are null for 1 and 0. y may be x. The tanh
// is within 4 ulp of itself; infinity gives gamma * +-1 + beta, NaN stays NaN.
void DynamicTanh(const ConstMatrix& x, float alpha, const float* gamma,
                 const float* beta, const Matrix& y);

// The vector-Jacobian product. With t = tanh(alpha * x) and s = 1 - t^2
//   dx = dy * gamma * alpha * s
//   dalpha += sum over all elements of dy * gamma * x * s
//   dgamma += sum over rows of dy * t,   dbeta += sum over rows of dy.
// dx is overwritten and may be dy or x; dalpha (one value), dgamma and dbeta
// (d values) are accumulated, and each may be null.
void DynamicTanhBackward(const ConstMatrix& x, const ConstMatrix& dy,
                         float alpha, const float* gamma, const Matrix& dx,
                         float* dalpha, float* dgamma, float* dbeta);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_DYNAMIC_TANH_H_
