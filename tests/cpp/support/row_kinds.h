// The kinds of rows that the kernels have to serve.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_ROW_KINDS_H_
#define ADDNORM_TESTS_CPP_SUPPORT_ROW_KINDS_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "cpp/support/draw.h"

namespace addnorm {
namespace testing {

enum class RowKind {
  kNormal,
  kUniform,
  kLeaning,
  kOffset,
  kFarOffset,
  kRamp,
  kFarRamp,
  kSigns,
  kQuantized,
  kSparse,
  kLateOutlier,
  kTiny,
  kLarge,
  kHuge,
  kLargest,
  kMixed,
  kConstant,
};

constexpr std::array<std::pair<RowKind, const char*>, 17> kRowKinds = {{
    {RowKind::kNormal, "normal"},
    {RowKind::kUniform, "uniform on 0 to 1"},
    {RowKind::kLeaning, "mean and spread alike"},
    {RowKind::kOffset, "1000 + normal"},
    {RowKind::kFarOffset, "1e6 + normal"},
    {RowKind::kRamp, "ramp"},
    {RowKind::kFarRamp, "ramp on 1e5"},
    {RowKind::kSigns, "one magnitude of either sign"},
    {RowKind::kQuantized, "few distinct values"},
    {RowKind::kSparse, "zeros with outliers"},
    {RowKind::kLateOutlier, "normal with a last outlier"},
    {RowKind::kTiny, "about 1e-20"},
    {RowKind::kLarge, "about 1e18 to 1e19"},
    {RowKind::kHuge, "about 1e30"},
    {RowKind::kLargest, "up to 3e38"},
    {RowKind::kMixed, "from 1e-8 to 1e8"},
    {RowKind::kConstant, "constant"},
}};

// The i-th of `count` values of a row; `common` is the row's own draw on
// [0, 1).
inline double DrawValue(RowKind kind, Draw& draw, double common, size_t i,
                        size_t count) {
  const double place = static_cast<double>(i);
  switch (kind) {
    case RowKind::kNormal:
      return draw.Normal();
    case RowKind::kUniform:
      return draw.Uniform();
    case RowKind::kLeaning:
      return 0.5 + common + draw.Normal();
    case RowKind::kOffset:
      return 1e3 + draw.Normal();
    case RowKind::kFarOffset:
      return -1e6 + draw.Normal();
    case RowKind::kRamp:
      return (0.5 + common) * place;
    case RowKind::kFarRamp:
      return 1e5 + (0.5 + common) * place;
    case RowKind::kSigns:
      return draw.Chance(0.5) ? 0.1 + common : -0.1 - common;
    case RowKind::kQuantized:
      return 0.25 * std::round(3.0 * draw.Normal());
    case RowKind::kSparse:
      return draw.Chance(0.05) ? 300.0 * draw.Normal() : 0.0;
    case RowKind::kLateOutlier:
      return i + 1 == count ? 1e4 * (1.0 + common) : draw.Normal();
    case RowKind::kTiny:
      return 1e-20 * draw.Normal();
    case RowKind::kLarge:
      return std::pow(10.0, 18.0 + common) * draw.Normal();
    case RowKind::kHuge:
      return 1e30 * draw.Normal();
    case RowKind::kLargest:
      return draw.Signed(1e37, 3e38);
    case RowKind::kMixed:
      return draw.Normal() * std::exp2(draw.Uniform(-27.0, 27.0));
    case RowKind::kConstant:
      return 0.1 + 1000.0 * common;
  }
  return 0.0;
}

inline void FillRow(RowKind kind, Draw& draw, float* row, size_t count) {
  const double common = draw.Uniform();
  for (size_t i = 0; i < count; ++i) {
    row[i] = static_cast<float>(DrawValue(kind, draw, common, i, count));
  }
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_ROW_KINDS_H_
