// Random draws that are the same on every machine and standard library.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_DRAW_H_
#define ADDNORM_TESTS_CPP_SUPPORT_DRAW_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace addnorm {
namespace testing {

// SplitMix64 (Steele, Lea and Flood, 2014). Streams of one seed are
// independent.
class Draw {
 public:
  explicit Draw(uint64_t seed, uint64_t stream = 0)
      : state_(seed * 0x9e3779b97f4a7c15u + stream * 0xd1342543de82ef95u) {
    Word();
  }

  uint64_t Word() {
    uint64_t word = state_ += 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
  }

  // On [low, high).
  double Uniform(double low = 0.0, double high = 1.0) {
    const double unit = static_cast<double>(Word() >> 11) * 0x1.0p-53;
    return low + (high - low) * unit;
  }

  // One of 0, 1 ... count - 1.
  size_t Below(size_t count) { return static_cast<size_t>(Word() % count); }

  bool Chance(double probability) { return Uniform() < probability; }

  // Of either sign, its magnitude on [low, high).
  double Signed(double low, double high) {
    const double magnitude = Uniform(low, high);
    return Chance(0.5) ? magnitude : -magnitude;
  }

  // Near enough to standard normal for a test: a sum of uniforms (Irwin and
  // Hall), which unlike Box and Muller's needs nothing of the math library.
  double Normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += Uniform();
    return sum;
  }

  template <class Choices>
  auto Of(const Choices& choices) {
    return choices[Below(choices.size())];
  }

 private:
  uint64_t state_;
};

// Where all random draws begin: the environment's ADDNORM_SEED, or 42.
inline uint64_t Seed() {
  const char* text = std::getenv("ADDNORM_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 42;
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_DRAW_H_
