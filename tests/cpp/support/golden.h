// The values of tests/golden, which other programs than this one computed.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_GOLDEN_H_
#define ADDNORM_TESTS_CPP_SUPPORT_GOLDEN_H_

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/norm_options.h"

namespace addnorm {
namespace testing {

using Json = nlohmann::json;

inline Json ReadGolden(const std::string& name) {
  const std::string path = std::string(ADDNORM_GOLDEN_DIR) + "/" + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  return Json::parse(file);
}

// The numbers of one array; none where the key is missing or null.
inline std::vector<double> DoublesAt(const Json& record, const char* key) {
  if (!record.contains(key) || record[key].is_null()) return {};
  return record[key].get<std::vector<double>>();
}

inline std::vector<float> FloatsAt(const Json& record, const char* key) {
  const std::vector<double> values = DoublesAt(record, key);
  std::vector<float> floats(values.size());
  std::transform(values.begin(), values.end(), floats.begin(),
                 [](double value) { return static_cast<float>(value); });
  return floats;
}

// An absent parameter is a null pointer.
inline const float* OrNull(const std::vector<float>& values) {
  return values.empty() ? nullptr : values.data();
}

inline LayerNormOptions LayerNormOptionsOf(const Json& record) {
  LayerNormOptions options;
  options.eps = record["eps"].get<double>();
  if (record.value("epsPlacement", "inside") == "outside") {
    options.eps_placement = EpsPlacement::kOutside;
  }
  if (record.value("variance", "population") == "sample") {
    options.variance = Variance::kSample;
  }
  return options;
}

inline RmsNormOptions RmsNormOptionsOf(const Json& record) {
  return {record["eps"].get<double>(), record.value("gammaOffset", 0.0f)};
}

// The largest distance between the two; infinite where one is NaN or missing.
inline double Distance(const std::vector<float>& got,
                       const std::vector<double>& want) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  if (got.size() != want.size()) return kFar;
  double distance = 0.0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double here = std::fabs(static_cast<double>(got[i]) - want[i]);
    distance = std::isnan(here) ? kFar : std::max(distance, here);
  }
  return distance;
}

inline double LargestOf(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) {
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

// Where nothing else is stated, for values of float32 and larger.
inline double UsualTolerance(const std::vector<double>& want) {
  return 3e-6 * std::max(1.0, LargestOf(want));
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_GOLDEN_H_
