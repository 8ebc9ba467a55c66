// What stands between the two linear maps of a feed-forward layer, and the
// sigmoid of highway gates.
#ifndef ADDNORM_KERNELS_ACTIVATION_H_
#define ADDNORM_KERNELS_ACTIVATION_H_

#include "matrix.h"

namespace addnorm {

enum class Activation {
  kRelu,     // max(0, x)
  kGelu,     // x * Phi(x), Phi the normal distribution's, with the exact erf:
             // torch.nn.GELU() (Hendrycks and Gimpel, arXiv:1606.08415)
  kSigmoid,  // 1 / (1 + exp(-x))
};

// y = f(x), element by element; y may be x. Each value is within 8 ulp of
// itself (relu: exact), and so gelu within 4 ulp of a row's largest |y| where
// that belongs to an x above 0. What is smaller than 2^-126 may become 0. NaN
// stays NaN, and -infinity under gelu becomes it.
void Activate(Activation f, const ConstMatrix& x, const Matrix& y);

// dx = dy * f'(x), with relu'(0) = 0. dx is overwritten and may be dy or x.
void ActivateBackward(Activation f, const ConstMatrix& x, const ConstMatrix& dy,
                      const Matrix& dx);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_ACTIVATION_H_
