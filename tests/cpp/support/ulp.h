// Errors in units in the last place of float32.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_ULP_H_
#define ADDNORM_TESTS_CPP_SUPPORT_ULP_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace addnorm {
namespace testing {

// The distance from this magnitude, rounded to float32, to the next larger
// float32 value.
inline double UlpOf(double magnitude) {
  constexpr int kLeastExponent = -149;
  constexpr double kMost = std::numeric_limits<float>::max();
  int exponent = 0;
  std::frexp(static_cast<float>(std::min(magnitude, kMost)), &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, kLeastExponent));
}

inline double Largest(const double* values, size_t count) {
  double largest = 0.0;
  for (size_t i = 0; i < count; ++i) {
    largest = std::max(largest, std::fabs(values[i]));
  }
  return largest;
}

// How far `got` is from `want`, in ulps at `scale`: infinitely far where only
// one of them is NaN or out of float32's range.
inline double Error(float got, double want, double scale) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  if (std::isnan(want)) return std::isnan(got) ? 0.0 : kFar;
  if (std::fabs(want) >
      static_cast<double>(std::numeric_limits<float>::max())) {
    return std::isinf(got) && std::signbit(got) == std::signbit(want) ? 0.0
                                                                      : kFar;
  }
  if (!std::isfinite(got)) return kFar;
  return std::fabs(static_cast<double>(got) - want) / UlpOf(scale);
}

// The largest error within a row, in ulps at `scale`.
inline double RowError(const float* got, const double* want, size_t count,
                       double scale) {
  double error = 0.0;
  for (size_t i = 0; i < count; ++i) {
    error = std::max(error, Error(got[i], want[i], scale));
  }
  return error;
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_ULP_H_
