// A model with its memory, drawn small, for the tests of block and stack.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_MODEL_CASE_H_
#define ADDNORM_TESTS_CPP_SUPPORT_MODEL_CASE_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cpp/support/draw.h"
#include "model/config.h"
#include "model/plan.h"
#include "model/stack.h"

namespace addnorm {
namespace testing {

template <typename T>
struct ModelCase {
  explicit ModelCase(const ModelConfig& chosen) : config(chosen) {
    if (CheckConfig(config) != Refusal::kNone) {
      throw std::runtime_error("this config is refused");
    }
    const auto size = [](uint64_t count) { return static_cast<size_t>(count); };
    const Plan sizes = PlanModel(config, nullptr, nullptr);
    steps.resize(size(sizes.step_count));
    records.resize(size(sizes.parameter_count));
    plan = PlanModel(config, steps.data(), records.data());
    parameters.resize(size(plan.parameter_values));
    dparameters.resize(size(plan.parameter_values));
    values.resize(size(plan.values));
    gradients.resize(size(plan.gradient_values));
    x.resize(config.Rows() * config.d_input);
    dy.resize(config.Rows() * config.d_model);
    given.resize(2 * config.layers * config.Rows() * config.d_model);
  }

  // Everything random, nothing at a value where a gradient is special.
  void DrawAll(uint64_t seed) {
    Draw draw(seed);
    DrawParameters<T>(config, plan, static_cast<uint32_t>(seed), 1.0,
                      parameters.data());
    for (T& value : parameters) value += static_cast<T>(0.2 * draw.Normal());
    for (auto* all : {&x, &dy, &given}) {
      for (T& value : *all) value = static_cast<T>(draw.Normal());
    }
  }

  ModelRun<T> Run() {
    return {
        config,       plan,         parameters.data(),
        x.data(),     given.data(), padding.empty() ? nullptr : padding.data(),
        values.data()};
  }
  void Forward() { RunForward(Run(), 0, steps.size()); }
  void Backward(bool from_dy = true) {
    RunBackward(Run(), from_dy ? dy.data() : nullptr, 0, steps.size(),
                gradients.data(), dparameters.data());
  }

  std::vector<T> ValuesOf(const Step& step) const {
    return {values.begin() + step.data,
            values.begin() + step.data + step.rows * step.cols};
  }
  std::vector<T> GradientOf(const Step& step) const {
    return {gradients.begin() + step.gradient,
            gradients.begin() + step.gradient + step.rows * step.cols};
  }
  std::vector<T> Y() const { return ValuesOf(steps.back()); }
  std::vector<T> Dx() const { return GradientOf(steps.front()); }

  ModelConfig config;
  std::vector<Step> steps;
  std::vector<Parameter> records;
  Plan plan;
  std::vector<T> parameters, dparameters, values, gradients, x, dy, given;
  std::vector<uint8_t> padding;
};

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_MODEL_CASE_H_
