// The benchmark's loops move every value, and nothing beside the matrix.
#include "kernels/memory_loops.h"

#include <cstddef>

#include "cpp/support/catch2.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"

namespace addnorm {
namespace testing {
namespace {

void CompareMoved(const Problem& p, Verdict& verdict) {
  Guarded copy = p.MatrixResult(0), sum = p.MatrixResult(1);
  SimdCopy(p.X(), p.View(copy));
  SimdAdd(p.X(), p.Fx(), p.View(sum));
  verdict.ExpectIntact(copy, "the copy", p);
  verdict.ExpectIntact(sum, "the sum", p);
  verdict.Expect(SameBits(copy, p.x), "a copy has the bits of x", p);
  for (size_t i = 0; i < sum.size(); ++i) {
    verdict.Expect(sum[i] == p.x[i] + p.fx[i], "a sum is rounded once", p);
  }
}

TEST_CASE("SimdCopy and SimdAdd do so at every width and misalignment",
          "[memory_loops]") {
  SweepClaims(ForEachSystematicProblem, CompareMoved);
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
