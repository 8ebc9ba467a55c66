// The position-wise feed-forward sublayer (Vaswani et al., arXiv:1706.03762,
// section 3.3), in the layout of torch.nn.TransformerEncoderLayer.
#ifndef ADDNORM_SUBLAYERS_FEED_FORWARD_H_
#define ADDNORM_SUBLAYERS_FEED_FORWARD_H_

#include "kernels/activation.h"
#include "matrix.h"

namespace addnorm {

// up_weight is d_ff x d_in, up_bias d_ff, down_weight d x d_ff, down_bias d. T
// is const for weights, mutable for gradients.
template <typename T>
struct FeedForwardParameters {
  T* up_weight;
  T* up_bias;
  T* down_weight;
  T* down_bias;
};

// What is computed on the way, in the caller's memory; both rows x d_ff.
template <typename T>
struct FeedForwardSteps {
  MatrixView<T> up;         // x up_weight^T + up_bias
  MatrixView<T> activated;  // f(up)
};

// y = activated down_weight^T + down_bias for x (rows x d_in), y (rows x d).
// Made for float, over the kernels, and for double, over their references.
template <typename T>
void FeedForward(const MatrixView<const T>& x,
                 const FeedForwardParameters<const T>& at, Activation f,
                 const FeedForwardSteps<T>& steps, const MatrixView<T>& y);

// The vector-Jacobian product. `steps` are those of the forward pass, scratch
// is rows x d_ff. dx is overwritten; the parameters' gradients are accumulated.
template <typename T>
void FeedForwardBackward(const MatrixView<const T>& x,
                         const MatrixView<const T>& dy,
                         const FeedForwardParameters<const T>& at, Activation f,
                         const FeedForwardSteps<T>& steps,
                         const MatrixView<T>& scratch, const MatrixView<T>& dx,
                         const FeedForwardParameters<T>& gradients);

}  // namespace addnorm

#endif  // ADDNORM_SUBLAYERS_FEED_FORWARD_H_
