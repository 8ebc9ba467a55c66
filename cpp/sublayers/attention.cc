// Multi-head self-attention, forward then backward, over the kernels. The
// matrix products bound it: two linear maps, and two products a head that work
// on few columns and so pack more for each multiplication.
#include "sublayers/attention.h"

#include <algorithm>
#include <cmath>

#include "kernels/double_kernels.h"
#include "kernels/linear.h"
#include "kernels/matrix_product.h"
#include "kernels/softmax.h"

namespace addnorm {
namespace {

template <typename T>
void Clear(const MatrixView<T>& m) {
  std::fill(m.data, m.data + m.Size(), T{0});
}

// One head of one sequence.
struct Head {
  size_t tokens, width, d;
  size_t first_row;     // of the sequence
  size_t first_col;     // of the head, among d
  size_t first_weight;  // row of the weights

  // Query, key and value are the parts 0, 1 and 2 of the rows of qkv.
  template <typename T>
  T* Part(const MatrixView<T>& qkv, size_t part) const {
    return qkv.Row(first_row) + part * d + first_col;
  }
  template <typename T>
  StridedView<T> PartView(const MatrixView<T>& qkv, size_t part) const {
    return {Part(qkv, part), tokens, width, 3 * d, 1};
  }
  template <typename T>
  MatrixView<T> Weights(const MatrixView<T>& weights) const {
    return {weights.Row(first_weight), tokens, tokens};
  }
  template <typename T>
  T* Context(const MatrixView<T>& context) const {
    return context.Row(first_row) + first_col;
  }
  template <typename T>
  StridedView<T> ContextView(const MatrixView<T>& context) const {
    return {Context(context), tokens, width, d, 1};
  }
};

template <typename Body>
void ForEachHead(const AttentionOptions& options, size_t rows, size_t d,
                 const Body& body) {
  const size_t tokens = rows / options.sequences, width = d / options.heads;
  for (size_t i = 0; i < options.sequences * options.heads; ++i) {
    const size_t sequence = i / options.heads, head = i % options.heads;
    body(Head{tokens, width, d, sequence * tokens, head * width, i * tokens});
  }
}

double ScoreScale(const Head& head) {
  return 1.0 / std::sqrt(static_cast<double>(head.width));
}

}  // namespace

template <typename T>
void Attention(const MatrixView<const T>& x,
               const AttentionParameters<const T>& at,
               const AttentionOptions& options, const AttentionSteps<T>& steps,
               const MatrixView<T>& y) {
  Linear(x, {at.in_weight, steps.qkv.cols, x.cols}, at.in_bias, steps.qkv);
  Clear(steps.weights);
  Clear(steps.context);
  ForEachHead(options, x.rows, y.cols, [&](const Head& head) {
    const MatrixView<T> weights = head.Weights(steps.weights);
    const uint8_t* left_out =
        options.padding ? options.padding + head.first_row : nullptr;
    AddProduct(head.PartView(steps.qkv, 0),
               head.PartView(steps.qkv, 1).Transposed(),
               static_cast<T>(ScoreScale(head)), weights.data, head.tokens);
    Softmax(weights, {left_out, options.causal}, weights);
    AddProduct(StridedView<T>(weights), head.PartView(steps.qkv, 2), T{1},
               head.Context(steps.context), head.d);
  });
  Linear(steps.context, {at.out_weight, y.cols, y.cols}, at.out_bias, y);
}

template <typename T>
void AttentionBackward(
    const MatrixView<const T>& x, const MatrixView<const T>& dy,
    const AttentionParameters<const T>& at, const AttentionOptions& options,
    const AttentionSteps<T>& steps, const AttentionSteps<T>& scratch,
    const MatrixView<T>& dx, const AttentionParameters<T>& gradients) {
  const size_t d = dy.cols;
  LinearBackward(steps.context, dy, {at.out_weight, d, d}, scratch.context,
                 {gradients.out_weight, d, d}, gradients.out_bias);
  Clear(scratch.qkv);
  Clear(scratch.weights);
  ForEachHead(options, x.rows, d, [&](const Head& head) {
    const T scale = static_cast<T>(ScoreScale(head));
    const MatrixView<T> weights = head.Weights(steps.weights);
    const MatrixView<T> dscores = head.Weights(scratch.weights);
    const StridedView<T> dcontext = head.ContextView(scratch.context);
    AddProduct(StridedView<T>(weights).Transposed(), dcontext, T{1},
               head.Part(scratch.qkv, 2), 3 * d);
    AddProduct(dcontext, head.PartView(steps.qkv, 2).Transposed(), T{1},
               dscores.data, head.tokens);
    SoftmaxBackward(weights, dscores, dscores);
    AddProduct(StridedView<T>(dscores), head.PartView(steps.qkv, 1), scale,
               head.Part(scratch.qkv, 0), 3 * d);
    AddProduct(StridedView<T>(dscores).Transposed(),
               head.PartView(steps.qkv, 0), scale, head.Part(scratch.qkv, 1),
               3 * d);
  });
  LinearBackward(x, scratch.qkv, {at.in_weight, 3 * d, x.cols}, dx,
                 {gradients.in_weight, 3 * d, x.cols}, gradients.in_bias);
}

#define ADDNORM_MAKE(T)                                                       \
  template void Attention<T>(const MatrixView<const T>&,                      \
                             const AttentionParameters<const T>&,             \
                             const AttentionOptions&,                         \
                             const AttentionSteps<T>&, const MatrixView<T>&); \
  template void AttentionBackward<T>(                                         \
      const MatrixView<const T>&, const MatrixView<const T>&,                 \
      const AttentionParameters<const T>&, const AttentionOptions&,           \
      const AttentionSteps<T>&, const AttentionSteps<T>&,                     \
      const MatrixView<T>&, const AttentionParameters<T>&)
ADDNORM_MAKE(float);
ADDNORM_MAKE(double);
#undef ADDNORM_MAKE

}  // namespace addnorm
