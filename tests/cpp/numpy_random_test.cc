// NumPy's legacy generator.
#include "random/numpy_random.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/golden.h"

namespace addnorm {
namespace testing {
namespace {

std::vector<double> Randn(uint32_t seed, size_t count) {
  std::vector<double> values(count);
  NumpyRandom(seed).Randn(values.data(), count);
  return values;
}

// NumPy's 53-bit double from two words of the generator.
double UniformOf(uint32_t first, uint32_t second) {
  return ((first >> 5) * 67108864.0 + (second >> 6)) / 9007199254740992.0;
}

TEST_CASE("Randn gives NumPy's numbers to the last bit", "[numpy_random]") {
  const Json article = ReadGolden("article.json");
  CHECK(Randn(42, 24) == DoublesAt(article, "randn_seed_42"));
  CHECK(Randn(1, 24) == DoublesAt(article, "randn_seed_1"));
}

TEST_CASE("One stream draws the article's x and sublayers one after another",
          "[numpy_random]") {
  const Json chain = ReadGolden("article.json")["add_norm_chain"];
  NumpyRandom stream(42);
  for (const char* name : {"x", "attn_output", "ffn_output"}) {
    std::vector<double> values(56);
    stream.Randn(values.data(), values.size());
    INFO(name);
    CHECK(values == DoublesAt(chain, name));
  }
}

TEST_CASE("Uniform is made of the words of the published MT19937",
          "[numpy_random]") {
  NumpyRandom stream(5489);
  CHECK(stream.Uniform() == UniformOf(3499211612u, 581869302u));
  CHECK(stream.Uniform() == UniformOf(3890346734u, 3586334585u));
  CHECK(stream.Uniform() == UniformOf(545404204u, 4161255391u));
}

TEST_CASE("Uniform follows the standard library's MT19937 for any seed",
          "[numpy_random]") {
  for (const uint32_t seed : {0u, 1u, 42u, 5489u, 2147483648u, 4294967295u}) {
    std::mt19937 words(seed);
    NumpyRandom stream(seed);
    size_t different = 0;
    for (int i = 0; i < 5000; ++i) {
      const auto first = static_cast<uint32_t>(words());
      const auto second = static_cast<uint32_t>(words());
      different += stream.Uniform() != UniformOf(first, second);
    }
    INFO("seed " << seed);
    CHECK(different == 0);
  }
}

TEST_CASE("Streams do not disturb each other", "[numpy_random]") {
  NumpyRandom first(42), second(42), third(7);
  const std::vector<double> want = Randn(42, 9), want_third = Randn(7, 9);
  for (size_t i = 0; i < 9; ++i) {
    CHECK(first.Normal() == want[i]);
    CHECK(third.Normal() == want_third[i]);
    CHECK(second.Normal() == want[i]);
  }
}

TEST_CASE("Draws continue across calls of odd and even counts",
          "[numpy_random]") {
  const std::vector<double> want = Randn(3, 12);
  for (const std::vector<size_t>& counts :
       {std::vector<size_t>{1, 11}, std::vector<size_t>{3, 0, 4, 5},
        std::vector<size_t>{2, 3, 1, 6}}) {
    NumpyRandom stream(3);
    std::vector<double> values(12);
    double* next = values.data();
    for (const size_t count : counts) {
      stream.Randn(next, count);
      next += count;
    }
    CHECK(values == want);
  }
}

TEST_CASE("A uniform draw leaves the spare normal value for later",
          "[numpy_random]") {
  const std::vector<double> want = Randn(11, 2);
  NumpyRandom stream(11);
  CHECK(stream.Normal() == want[0]);
  stream.Uniform();
  CHECK(stream.Normal() == want[1]);
}

TEST_CASE("Randn is standard normal", "[numpy_random]") {
  const std::vector<double> values = Randn(2024, 100000);
  double sum = 0.0, squares = 0.0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const double count = static_cast<double>(values.size());
  CHECK(std::fabs(sum / count) < 0.01);
  CHECK(std::fabs(squares / count - 1.0) < 0.02);
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
