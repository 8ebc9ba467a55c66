// The wiring of one block: which matrix is made from which.
#ifndef ADDNORM_MODEL_BLOCK_H_
#define ADDNORM_MODEL_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "model/config.h"
#include "model/plan.h"

namespace addnorm {

// The stream between blocks: the step that holds it, and its width.
struct Stream {
  int32_t step;
  size_t width;
};

// Appends the steps and parameters of one block, which reads `stream`, and
// returns the stream behind it.
Stream AppendBlock(const ModelConfig& config, int32_t block, Stream stream,
                   Plan* plan);

// Appends the config's norm of `input`; where that is none, returns the input.
Stream AppendNorm(const ModelConfig& config, int32_t block, int32_t site,
                  Stream input, Plan* plan);

}  // namespace addnorm

#endif  // ADDNORM_MODEL_BLOCK_H_
