// Derivatives by central differences.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_DIFFERENCE_H_
#define ADDNORM_TESTS_CPP_SUPPORT_DIFFERENCE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace addnorm {
namespace testing {

// The gradient of loss(), a scalar that depends on `values`, by each of them:
// (loss(v + h) - loss(v - h)) / 2h, with Richardson's step from h and h / 2,
// which leaves an error of the order h^4.
template <class Loss>
std::vector<double> CentralDifferences(std::vector<double>& values,
                                       const Loss& loss, double h = 1e-3) {
  std::vector<double> gradient(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const auto slope = [&](double step) {
      values[i] = value + step;
      const double above = loss();
      values[i] = value - step;
      const double below = loss();
      values[i] = value;
      return (above - below) / (2.0 * step);
    };
    gradient[i] = (4.0 * slope(h / 2) - slope(h)) / 3.0;
  }
  return gradient;
}

// The largest distance between two gradients, beside the larger of 1 and the
// largest of the second.
inline double RelativeDistance(const std::vector<double>& got,
                               const std::vector<double>& want) {
  double distance = 0.0, scale = 1.0;
  for (size_t i = 0; i < want.size(); ++i) {
    distance = std::max(distance, std::fabs(got[i] - want[i]));
    scale = std::max(scale, std::fabs(want[i]));
  }
  return distance / scale;
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_DIFFERENCE_H_
