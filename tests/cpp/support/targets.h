// Runs a test on every Highway target that the machine has.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_TARGETS_H_
#define ADDNORM_TESTS_CPP_SUPPORT_TARGETS_H_

#include <cstdint>
#include <vector>

#include "cpp/support/catch2.h"
#include "hwy/highway.h"
#include "hwy/targets.h"

namespace addnorm {
namespace testing {

// A build for a single target (wasm) dispatches statically and links no
// Highway library that could choose.
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
inline std::vector<int64_t> Targets() { return {HWY_STATIC_TARGET}; }
inline void UseTarget(int64_t /*target*/) {}
inline void UseBestTarget() {}
#else
inline std::vector<int64_t> Targets() {
  return hwy::SupportedAndGeneratedTargets();
}
inline void UseTarget(int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
}
inline void UseBestTarget() { hwy::SetSupportedTargetsForTest(0); }
#endif

// A failure within body() names the target.
template <class Body>
void ForEachTarget(const Body& body) {
  for (const int64_t target : Targets()) {
    INFO("target " << hwy::TargetName(target));
    UseTarget(target);
    body();
  }
  UseBestTarget();
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_TARGETS_H_
