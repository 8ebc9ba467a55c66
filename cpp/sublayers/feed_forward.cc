// The feed-forward sublayer, forward then backward, over the kernels, bounded
// by its two linear maps.
#include "sublayers/feed_forward.h"

#include "kernels/double_kernels.h"
#include "kernels/linear.h"

namespace addnorm {

template <typename T>
void FeedForward(const MatrixView<const T>& x,
                 const FeedForwardParameters<const T>& at, Activation f,
                 const FeedForwardSteps<T>& steps, const MatrixView<T>& y) {
  Linear(x, {at.up_weight, steps.up.cols, x.cols}, at.up_bias, steps.up);
  Activate(f, steps.up, steps.activated);
  Linear(steps.activated, {at.down_weight, y.cols, steps.up.cols}, at.down_bias,
         y);
}

template <typename T>
void FeedForwardBackward(const MatrixView<const T>& x,
                         const MatrixView<const T>& dy,
                         const FeedForwardParameters<const T>& at, Activation f,
                         const FeedForwardSteps<T>& steps,
                         const MatrixView<T>& scratch, const MatrixView<T>& dx,
                         const FeedForwardParameters<T>& gradients) {
  const size_t d_ff = steps.up.cols;
  LinearBackward(steps.activated, dy, {at.down_weight, dy.cols, d_ff}, scratch,
                 {gradients.down_weight, dy.cols, d_ff}, gradients.down_bias);
  ActivateBackward(f, steps.up, scratch, scratch);
  LinearBackward(x, scratch, {at.up_weight, d_ff, x.cols}, dx,
                 {gradients.up_weight, d_ff, x.cols}, gradients.up_bias);
}

#define ADDNORM_MAKE(T)                                                       \
  template void FeedForward<T>(                                               \
      const MatrixView<const T>&, const FeedForwardParameters<const T>&,      \
      Activation, const FeedForwardSteps<T>&, const MatrixView<T>&);          \
  template void FeedForwardBackward<T>(                                       \
      const MatrixView<const T>&, const MatrixView<const T>&,                 \
      const FeedForwardParameters<const T>&, Activation,                      \
      const FeedForwardSteps<T>&, const MatrixView<T>&, const MatrixView<T>&, \
      const FeedForwardParameters<T>&)
ADDNORM_MAKE(float);
ADDNORM_MAKE(double);
#undef ADDNORM_MAKE

}  // namespace addnorm
