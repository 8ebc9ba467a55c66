// Multi-head self-attention (Vaswani et al., arXiv:1706.03762, section 3.2), in
// the layout of torch.nn.MultiheadAttention.
#ifndef ADDNORM_SUBLAYERS_ATTENTION_H_
#define ADDNORM_SUBLAYERS_ATTENTION_H_

#include <cstddef>
#include <cstdint>

#include "matrix.h"

namespace addnorm {

// How the rows are read: `sequences` sequences of rows / sequences tokens each,
// which do not see each other. heads divides the width d.
struct AttentionOptions {
  size_t heads = 1;
  size_t sequences = 1;
  bool causal = false;  // token i sees tokens 0 to i
  // One byte a row, not 0 where no token looks; or null.
  const uint8_t* padding = nullptr;
};

// in_weight is 3d x d_in (query, key, value, each head after head), in_bias 3d,
// out_weight d x d, out_bias d. T is const for weights, mutable for gradients.
template <typename T>
struct AttentionParameters {
  T* in_weight;
  T* in_bias;
  T* out_weight;
  T* out_bias;
};

// What is computed on the way, in the caller's memory.
template <typename T>
struct AttentionSteps {
  MatrixView<T> qkv;      // rows x 3d: x in_weight^T + in_bias
  MatrixView<T> weights;  // (sequences * heads * tokens) x tokens
  MatrixView<T> context;  // rows x d: weights times values
};

// y = context out_weight^T + out_bias for x (rows x d_in) and y (rows x d),
// weights = softmax(query key^T / sqrt(d / heads)) in each head of each
// sequence. y overlaps nothing else. A token that sees none has context 0.
//
// Made for float, over the kernels, and for double, over their references.
template <typename T>
void Attention(const MatrixView<const T>& x,
               const AttentionParameters<const T>& at,
               const AttentionOptions& options, const AttentionSteps<T>& steps,
               const MatrixView<T>& y);

// The vector-Jacobian product. `steps` are those of the forward pass, `scratch`
// three matrices of their shapes. dx is overwritten; the parameters' gradients
// are accumulated.
template <typename T>
void AttentionBackward(
    const MatrixView<const T>& x, const MatrixView<const T>& dy,
    const AttentionParameters<const T>& at, const AttentionOptions& options,
    const AttentionSteps<T>& steps, const AttentionSteps<T>& scratch,
    const MatrixView<T>& dx, const AttentionParameters<T>& gradients);

}  // namespace addnorm

#endif  // ADDNORM_SUBLAYERS_ATTENTION_H_
