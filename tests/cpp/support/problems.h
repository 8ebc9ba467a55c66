// The problems that each kernel is given: a systematic sweep over sizes and
// options, and random ones.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_PROBLEMS_H_
#define ADDNORM_TESTS_CPP_SUPPORT_PROBLEMS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cpp/support/draw.h"
#include "cpp/support/problem.h"

namespace addnorm {
namespace testing {

using Visit = std::function<void(const Problem&)>;

// Sanitizers look at memory, not at digits, and take long: one problem in
// kEvery is enough for them.
#ifdef ADDNORM_SANITIZED
constexpr size_t kEvery = 3;
#else
constexpr size_t kEvery = 1;
#endif

// 0, 1 ... 2N + 1 for the widest vectors (16 lanes), and sizes of models.
inline std::vector<size_t> Widths() {
  std::vector<size_t> widths;
  for (size_t width = 0; width <= 33; ++width) widths.push_back(width);
  for (const size_t width : {100, 768, 1000, 16384}) widths.push_back(width);
  return widths;
}

// Bits 0 and 1 name the convention, 2 and 3 gamma and beta.
inline Setting SettingOf(unsigned bits) {
  Setting setting;
  setting.layer_norm.eps_placement =
      bits & 1u ? EpsPlacement::kOutside : EpsPlacement::kInside;
  setting.layer_norm.variance =
      bits & 2u ? Variance::kSample : Variance::kPopulation;
  setting.has_gamma = (bits & 4u) != 0;
  setting.has_beta = (bits & 8u) != 0;
  return setting;
}

inline void ForEachSystematicProblem(const Visit& visit) {
  constexpr std::array<double, 4> kEps = {1e-5, 1e-3, 1e-12, 0.0};
  constexpr size_t kNarrow = 33, kWide = 16384;
  size_t index = 0;
  for (const size_t cols : Widths()) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      for (const size_t rows : {0, 1, 3, 17}) {
        for (size_t misalignment = 0; misalignment < 3; ++misalignment) {
          // Wide rows: all conventions, but not everything with everything.
          if (cols > kNarrow && (rows < 17 || misalignment != bits % 3))
            continue;
          if (cols == kWide && bits % 5 != 0) continue;
          if (++index % kEvery != 0) continue;
          Draw draw(0, index);
          Setting setting = SettingOf(bits);
          setting.rows = rows;
          setting.cols = cols;
          setting.misalignment = misalignment;
          setting.wanted = static_cast<unsigned>(draw.Word());
          setting.has_dsum = draw.Chance(0.5);
          setting.layer_norm.eps = draw.Of(kEps);
          setting.rms_norm.eps = setting.layer_norm.eps;
          setting.rms_norm.gamma_offset = draw.Chance(0.5) ? 1.0f : 0.0f;
          visit(Problem(setting, draw, "problem " + std::to_string(index)));
        }
      }
    }
  }
}

// Random sizes (at most kMostValues values), options, pointers and rows.
inline void ForEachRandomProblem(const Visit& visit) {
  constexpr std::array<double, 8> kEps = {0.0,  1e-300, 1e-45, 1e-12,
                                          1e-8, 1e-5,   1e-3,  1.0};
  constexpr size_t kProblems = 600, kMostRows = 40, kMostValues = 4096;
  const uint64_t seed = Seed();
  for (size_t index = 0; index < kProblems; index += kEvery) {
    Draw draw(seed, index);
    Setting setting = SettingOf(static_cast<unsigned>(draw.Below(16)));
    setting.cols = static_cast<size_t>(std::exp2(draw.Uniform(0.0, 12.0)));
    setting.rows =
        draw.Below(std::min(kMostRows, kMostValues / setting.cols) + 1);
    setting.misalignment = draw.Below(3);
    setting.misalignment_step = draw.Below(3);
    setting.wanted = static_cast<unsigned>(draw.Word());
    setting.has_dsum = draw.Chance(0.5);
    setting.layer_norm.eps = draw.Of(kEps);
    setting.rms_norm.eps = setting.layer_norm.eps;
    setting.rms_norm.gamma_offset = draw.Chance(0.5) ? 1.0f : 0.0f;
    setting.beta_scale = draw.Chance(0.5) ? 0.1 : 100.0;
    visit(Problem(setting, draw,
                  "ADDNORM_SEED=" + std::to_string(seed) + ", problem " +
                      std::to_string(index)));
  }
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_PROBLEMS_H_
