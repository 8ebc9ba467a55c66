// Activations in scalar double: the specification.
#ifndef ADDNORM_KERNELS_ACTIVATION_REFERENCE_H_
#define ADDNORM_KERNELS_ACTIVATION_REFERENCE_H_

#include <cmath>
#include <cstddef>

#include "kernels/activation.h"
#include "matrix.h"

namespace addnorm {
namespace reference {

inline double NormalDistribution(double x) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  return 0.5 * std::erfc(-x * kSqrtHalf);
}

inline double NormalDensity(double x) {
  constexpr double kOneOverSqrtTwoPi = 0.39894228040143267794;
  return kOneOverSqrtTwoPi * std::exp(-0.5 * x * x);
}

inline double ActivationOf(Activation f, double x) {
  switch (f) {
    case Activation::kRelu:
      return x < 0.0 ? 0.0 : x;
    case Activation::kGelu:
      return x * NormalDistribution(x);
    case Activation::kSigmoid:
      return 1.0 / (1.0 + std::exp(-x));
  }
  return x;
}

inline double ActivationSlope(Activation f, double x) {
  switch (f) {
    case Activation::kRelu:
      return x > 0.0 ? 1.0 : 0.0;
    case Activation::kGelu:
      return NormalDistribution(x) + x * NormalDensity(x);
    case Activation::kSigmoid: {
      const double e = std::exp(-std::fabs(x));
      return e / ((1.0 + e) * (1.0 + e));
    }
  }
  return 1.0;
}

template <typename T>
void Activate(Activation f, const MatrixView<const T>& x,
              const MatrixView<T>& y) {
  for (size_t i = 0; i < x.Size(); ++i) {
    y.data[i] = static_cast<T>(ActivationOf(f, static_cast<double>(x.data[i])));
  }
}

template <typename T>
void ActivateBackward(Activation f, const MatrixView<const T>& x,
                      const MatrixView<const T>& dy, const MatrixView<T>& dx) {
  for (size_t i = 0; i < x.Size(); ++i) {
    dx.data[i] =
        static_cast<T>(static_cast<double>(dy.data[i]) *
                       ActivationSlope(f, static_cast<double>(x.data[i])));
  }
}

}  // namespace reference
}  // namespace addnorm

#endif  // ADDNORM_KERNELS_ACTIVATION_REFERENCE_H_
