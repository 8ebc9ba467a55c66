// NumPy's legacy generator: RandomState(seed).randn, to the last bit.
#ifndef ADDNORM_RANDOM_NUMPY_RANDOM_H_
#define ADDNORM_RANDOM_NUMPY_RANDOM_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace addnorm {

// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) with the integer
// seeding, the 53-bit doubles and the polar normal draw of
// numpy.random.RandomState. Each object is an independent stream.
class NumpyRandom {
 public:
  explicit NumpyRandom(uint32_t seed);

  // Uniform on [0, 1), as RandomState.random_sample.
  double Uniform();

  // Standard normal, as RandomState.randn: Marsaglia's polar method, which
  // makes two values at a time and keeps the second for the next call.
  double Normal();

  // Fills out[0, count) with consecutive normal draws.
  void Randn(double* out, size_t count);

 private:
  static constexpr size_t kStateSize = 624;

  uint32_t NextWord();
  void Refill();

  std::array<uint32_t, kStateSize> state_;
  size_t next_ = kStateSize;
  bool has_spare_ = false;
  double spare_ = 0.0;
};

}  // namespace addnorm

#endif  // ADDNORM_RANDOM_NUMPY_RANDOM_H_
