// The plain records that tell what a model computes, and where.
#ifndef ADDNORM_MODEL_TRACE_H_
#define ADDNORM_MODEL_TRACE_H_

#include <cstdint>

namespace addnorm {

enum class Op : int32_t {
  kInput,             // x
  kProjection,        // x W^T
  kNorm,              // the config's norm of inputs[0]
  kQueryKeyValue,     // attention's in-projection (rows x 3d)
  kAttentionWeights,  // after softmax (sequences * heads * tokens x tokens)
  kContext,           // attention weights times values
  kAttention,         // attention's out-projection
  kUp,                // feed-forward before its activation (rows x d_ff)
  kActivated,         // and after it
  kFeedForward,       // feed-forward's output
  kGiven,             // a sublayer's output that was given
  kBranchSum,         // parallel branches: attention + feed-forward
  kGateLogit,         // x W^T + b
  kGate,              // its sigmoid
  kResidual,          // the residual connection: inputs are x, f and the gate
};

constexpr int32_t kNoStep = -1;
constexpr uint32_t kNoPlace = 0xffffffffu;

// One matrix that a forward pass computes. Steps stand in the order in which
// they are computed; an id is a place among them.
struct Step {
  Op op;
  int32_t block;      // 0 to layers - 1; layers for the final norm
  int32_t site;       // which of its kind in the block: see Parameter
  int32_t state;      // k where it is the stream before block k (layers: after
                      // the last one), else -1
  int32_t inputs[3];  // ids, or kNoStep
  int32_t parameter;  // its first parameter, or -1; the others follow
  uint32_t rows, cols;
  uint32_t data;      // place of its first value among a run's values
  uint32_t gradient;  // and among its gradients, or kNoPlace: what lies within
                      // a sublayer or a gate has none
};

enum class ParameterKind : int32_t {
  kAttnInWeight,
  kAttnInBias,
  kAttnOutWeight,
  kAttnOutBias,
  kFfnUpWeight,
  kFfnUpBias,
  kFfnDownWeight,
  kFfnDownBias,
  kNormGamma,  // of kL2: its one gain
  kNormBeta,
  kNormAlpha,  // of kDynamicTanh
  kResidualScale,
  kGateWeight,
  kGateBias,
  kProjectionWeight,
};

// One learned matrix or vector.
struct Parameter {
  ParameterKind kind;
  int32_t block;
  // 1 and 2: the norm or residual connection of the first and second branch;
  // 3 and 4: the norm behind them in a sandwich; 5: the final norm; else 0.
  int32_t site;
  uint32_t rows, cols;
  uint32_t data;  // place of its first value among the parameters
};

}  // namespace addnorm

#endif  // ADDNORM_MODEL_TRACE_H_
