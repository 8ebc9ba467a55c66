// From the plain numbers that JavaScript passes to the kernels' arguments.
#ifndef ADDNORM_BINDINGS_CONVERT_H_
#define ADDNORM_BINDINGS_CONVERT_H_

#include <cstddef>
#include <cstdint>

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {
namespace bindings {

// A byte address in wasm memory; 0 stands for an argument that is absent.
using Address = uintptr_t;

inline float* Floats(Address address) {
  return reinterpret_cast<float*>(address);
}

inline Matrix View(Address address, size_t rows, size_t cols) {
  return {Floats(address), rows, cols};
}

inline LayerNormOptions LayerOptions(double eps, bool eps_outside,
                                     bool sample_variance) {
  return {eps, eps_outside ? EpsPlacement::kOutside : EpsPlacement::kInside,
          sample_variance ? Variance::kSample : Variance::kPopulation};
}

}  // namespace bindings
}  // namespace addnorm

#endif  // ADDNORM_BINDINGS_CONVERT_H_
