// What a block and a stack of blocks are made of, and which makings are
// refused.
#ifndef ADDNORM_MODEL_CONFIG_H_
#define ADDNORM_MODEL_CONFIG_H_

#include <cstddef>

#include "kernels/activation.h"
#include "kernels/norm_options.h"

namespace addnorm {

// Where the norms stand around a branch F and its residual connection:
//   post      norm(x + F(x))             (arXiv:1706.03762)
//   pre       x + F(norm(x))             (arXiv:2002.04745)
//   sandwich  x + norm'(F(norm(x)))      (arXiv:2105.13290)
//   none      x + F(x)
enum class Placement { kPost, kPre, kSandwich, kNone };

// serial: attention and feed-forward one after the other, each with its own
// residual connection; parallel: one branch F(x) = attention(x) +
// feed_forward(x), and so one residual connection and one norm a block (as in
// GPT-J and PaLM, arXiv:2204.02311).
enum class Branches { kSerial, kParallel };

// What becomes of the stream x and the branch's f:
//   identity    x + f
//   none        f
//   re_zero     x + a f, one learned a            (arXiv:2003.04887)
//   layer_scale x + a f, a learned a per feature  (arXiv:2103.17239)
//   deep_norm   alpha x + f, a constant alpha     (arXiv:2203.00555)
//   gated       g f + (1 - g) x, g = sigmoid(x W^T + b)  (arXiv:1505.00387)
enum class Residual {
  kIdentity,
  kNone,
  kReZero,
  kLayerScale,
  kDeepNorm,
  kGated
};

// kNone stands for no norm, wherever one would be placed.
enum class Norm {
  kLayer,
  kRms,
  kBatch,
  kGroup,
  kL2,
  kDynamicTanh,
  kNone,
};

// Attention and feed-forward are computed, or their outputs are given.
enum class Sublayers { kComputed, kGiven };

struct ModelConfig {
  size_t sequences = 1;  // of a batch
  size_t tokens = 1;     // of a sequence; rows = sequences * tokens
  size_t d_input = 1;    // width of x
  size_t d_model = 1;
  size_t heads = 1;
  size_t d_ff = 1;
  size_t layers = 1;  // blocks, 1 to 128
  Sublayers sublayers = Sublayers::kComputed;
  Activation activation = Activation::kRelu;
  bool causal = false;
  Placement placement = Placement::kPost;
  Branches branches = Branches::kSerial;
  Residual residual = Residual::kIdentity;
  // deep_norm's alpha; where re_zero's and layer_scale's a and the gates' bias
  // begin when they are drawn.
  double residual_value = 1.0;
  bool projection = false;  // x W^T in x's place, where d_input != d_model
  Norm norm = Norm::kLayer;
  size_t groups = 1;  // of kGroup
  // eps of all norms (kL2: of max(||x||, eps)); its placement and the variance
  // of kLayer, kBatch and kGroup.
  LayerNormOptions norm_options;
  double gamma_offset = 0.0;  // of kRms
  bool final_norm = false;    // after the last block

  size_t Rows() const { return sequences * tokens; }
};

// Why a config is refused.
enum class Refusal {
  kNone,
  kZero,        // a size is 0
  kLayers,      // layers is not 1 to 128
  kHeads,       // heads does not divide d_model
  kGroups,      // groups does not divide d_model, or d_input where it is normed
  kWidths,      // x is d_input wide, F(x) d_model: no sum without projection
  kProjection,  // projection, but the widths agree or nothing is added
  kFinalNorm,   // final_norm, but the norm is none
  kTooLarge,    // more values than memory has addresses
};

Refusal CheckConfig(const ModelConfig& config);

}  // namespace addnorm

#endif  // ADDNORM_MODEL_CONFIG_H_
