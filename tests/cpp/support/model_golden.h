// From the golden values of PyTorch's encoder to a model of ours.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_MODEL_GOLDEN_H_
#define ADDNORM_TESTS_CPP_SUPPORT_MODEL_GOLDEN_H_

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp/support/golden.h"
#include "cpp/support/model_case.h"

namespace addnorm {
namespace testing {

inline ModelConfig ConfigOf(const Json& record) {
  ModelConfig config;
  config.tokens = record["tokens"];
  config.d_input = config.d_model = record["dModel"];
  config.heads = record["heads"];
  config.d_ff = record["dFf"];
  config.layers = record.value("layers", 1);
  config.activation =
      record["activation"] == "gelu" ? Activation::kGelu : Activation::kRelu;
  config.placement =
      record["placement"] == "pre" ? Placement::kPre : Placement::kPost;
  config.norm_options.eps = record["eps"];
  return config;
}

inline std::string NameOf(const Parameter& at) {
  const std::string site = std::to_string(at.site);
  switch (at.kind) {
    case ParameterKind::kAttnInWeight:
      return "attnInWeight";
    case ParameterKind::kAttnInBias:
      return "attnInBias";
    case ParameterKind::kAttnOutWeight:
      return "attnOutWeight";
    case ParameterKind::kAttnOutBias:
      return "attnOutBias";
    case ParameterKind::kFfnUpWeight:
      return "ffnUpWeight";
    case ParameterKind::kFfnUpBias:
      return "ffnUpBias";
    case ParameterKind::kFfnDownWeight:
      return "ffnDownWeight";
    case ParameterKind::kFfnDownBias:
      return "ffnDownBias";
    case ParameterKind::kNormGamma:
      return "norm" + site + "Gamma";
    case ParameterKind::kNormBeta:
      return "norm" + site + "Beta";
    default:
      throw std::runtime_error("PyTorch's encoder layer has no such parameter");
  }
}

// Puts one block's weights in their places.
inline void GiveWeights(const Json& weights, int block,
                        ModelCase<float>* model) {
  for (const Parameter& at : model->records) {
    if (at.block != block) continue;
    const std::vector<float> values = FloatsAt(weights, NameOf(at).c_str());
    if (values.size() != at.rows * at.cols) {
      throw std::runtime_error(NameOf(at) + " has another size");
    }
    std::copy(values.begin(), values.end(),
              model->parameters.begin() + at.data);
  }
}

// Beside the largest of the wanted values.
inline double RelativeError(const std::vector<float>& got,
                            const std::vector<double>& want) {
  return Distance(got, want) / LargestOf(want);
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_MODEL_GOLDEN_H_
