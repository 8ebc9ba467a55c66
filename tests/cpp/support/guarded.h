// Float buffers that lie between sentinels, at any misalignment.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_GUARDED_H_
#define ADDNORM_TESTS_CPP_SUPPORT_GUARDED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDNORM_TESTS_POISON 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ADDNORM_TESTS_POISON 1
#endif
#ifdef ADDNORM_TESTS_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace addnorm {
namespace testing {

// `size` floats that begin `misalignment` floats past a multiple of 64 bytes.
// Before and after them stand NaNs of one bit pattern: a kernel that reads
// there gives NaN (and AddressSanitizer stops it), one that writes there is
// found by Intact().
class Guarded {
 public:
  Guarded() : Guarded(0, 0) {}
  Guarded(size_t size, size_t misalignment, float value = 0.0f)
      : storage_(size + misalignment + 2 * kGuard + kAlignment, Sentinel()),
        size_(size) {
    const auto address = reinterpret_cast<uintptr_t>(storage_.data());
    const size_t past = address / sizeof(float) % kAlignment;
    first_ = storage_.data() + (kAlignment - past) + kGuard + misalignment;
    std::fill(first_, first_ + size, value);
    Poison(true);
  }
  Guarded(const std::vector<float>& values, size_t misalignment)
      : Guarded(values.size(), misalignment) {
    std::copy(values.begin(), values.end(), first_);
  }

  // A buffer is neither copied nor resized, so its address stays.
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  Guarded(Guarded&&) = default;
  Guarded& operator=(Guarded&&) = default;

  float* data() { return first_; }
  const float* data() const { return first_; }
  size_t size() const { return size_; }
  float& operator[](size_t i) { return first_[i]; }
  float operator[](size_t i) const { return first_[i]; }

  std::vector<float> Values() const { return {first_, first_ + size_}; }

  // Whether no byte before or after the values was written.
  bool Intact() const {
    Poison(false);
    const float* const end = storage_.data() + storage_.size();
    const bool intact = AllSentinels(storage_.data(), first_) &&
                        AllSentinels(first_ + size_, end);
    Poison(true);
    return intact;
  }

 private:
  static constexpr size_t kAlignment = 64 / sizeof(float);
  static constexpr size_t kGuard = 2 * kAlignment;
  static constexpr uint32_t kSentinelBits = 0x7fc5a5a5u;

  static float Sentinel() {
    float value;
    std::memcpy(&value, &kSentinelBits, sizeof(value));
    return value;
  }

  static bool AllSentinels(const float* begin, const float* end) {
    return std::all_of(begin, end, [](const float& value) {
      return std::memcmp(&value, &kSentinelBits, sizeof(value)) == 0;
    });
  }

  // Tells AddressSanitizer whether the sentinels are out of bounds.
  void Poison(bool poisoned) const {
#ifdef ADDNORM_TESTS_POISON
    const float* const begin = storage_.data();
    const float* const past = first_ + size_;
    const size_t before_bytes = (first_ - begin) * sizeof(float);
    const size_t after_bytes = (begin + storage_.size() - past) * sizeof(float);
    if (poisoned) {
      ASAN_POISON_MEMORY_REGION(begin, before_bytes);
      ASAN_POISON_MEMORY_REGION(past, after_bytes);
    } else {
      ASAN_UNPOISON_MEMORY_REGION(begin, before_bytes);
      ASAN_UNPOISON_MEMORY_REGION(past, after_bytes);
    }
#else
    static_cast<void>(poisoned);
#endif
  }

  std::vector<float> storage_;
  size_t size_;
  float* first_;
};

inline bool SameBits(const Guarded& a, const Guarded& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_GUARDED_H_
