// The limits that kernels are measured against: loops that only move a matrix.
#ifndef ADDNORM_TESTS_BENCH_SUPPORT_LIMITS_H_
#define ADDNORM_TESTS_BENCH_SUPPORT_LIMITS_H_

#include <cstddef>

namespace addnorm {
namespace bench {

// to[i] = from[i]: one load and one store.
void CopyLoop(const float* from, size_t count, float* to);

// sum[i] = x[i] + fx[i]: two loads and one store.
void AddLoop(const float* x, const float* fx, size_t count, float* sum);

// What the dispatch chose.
const char* TargetName();

}  // namespace bench
}  // namespace addnorm

#endif  // ADDNORM_TESTS_BENCH_SUPPORT_LIMITS_H_
