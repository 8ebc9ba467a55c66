// NumPy's legacy generator: RandomState(seed).randn, to the last bit.
#include "random/numpy_random.h"

#include <cmath>

namespace addnorm {

NumpyRandom::NumpyRandom(uint32_t seed) {
  for (size_t i = 0; i < kStateSize; ++i) {
    state_[i] = seed;
    seed = 1812433253u * (seed ^ (seed >> 30)) + static_cast<uint32_t>(i) + 1u;
  }
}

void NumpyRandom::Refill() {
  constexpr size_t kMiddle = 397;
  for (size_t i = 0; i < kStateSize; ++i) {
    const uint32_t mixed = (state_[i] & 0x80000000u) |
                           (state_[(i + 1) % kStateSize] & 0x7fffffffu);
    state_[i] = state_[(i + kMiddle) % kStateSize] ^ (mixed >> 1) ^
                ((mixed & 1u) ? 0x9908b0dfu : 0u);
  }
  next_ = 0;
}

uint32_t NumpyRandom::NextWord() {
  if (next_ == kStateSize) Refill();
  uint32_t word = state_[next_++];
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680u;
  word ^= (word << 15) & 0xefc60000u;
  return word ^ (word >> 18);
}

double NumpyRandom::Uniform() {
  const uint32_t high = NextWord() >> 5;
  const uint32_t low = NextWord() >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double NumpyRandom::Normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double a, b, radius_squared;
  do {
    a = 2.0 * Uniform() - 1.0;
    b = 2.0 * Uniform() - 1.0;
    radius_squared = a * a + b * b;
  } while (radius_squared >= 1.0 || radius_squared == 0.0);
  const double scale =
      std::sqrt(-2.0 * std::log(radius_squared) / radius_squared);
  spare_ = scale * a;
  has_spare_ = true;
  return scale * b;
}

void NumpyRandom::Randn(double* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = Normal();
}

}  // namespace addnorm
