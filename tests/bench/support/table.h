// Times kernels side by side and prints one line each.
#ifndef ADDNORM_TESTS_BENCH_SUPPORT_TABLE_H_
#define ADDNORM_TESTS_BENCH_SUPPORT_TABLE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace addnorm {
namespace bench {

struct Size {
  size_t rows, cols;
};

// DESIGN's sizes, from a few values to far more than the caches hold.
const std::vector<Size>& Sizes();

// One kernel on one matrix.
struct Contender {
  std::string name;
  // Bytes that one run has to move, each array once.
  size_t bytes;
  std::function<void()> run;
};

// The shortest of the rounds, by contender, in ms a run. The contenders take
// turns, so that what slows the machine down meets all of them.
std::vector<double> MinimumMilliseconds(
    const std::vector<Contender>& contenders);

// Times `kernel` beside `limit` and prints size, ms, GB/s and the ratio to
// the limit. right() tells whether what the kernel just computed agrees with
// the reference; a kernel that is wrong is not timed, and Failed() remembers.
void Compare(Size size, const Contender& kernel, const Contender& limit,
             const std::function<bool()>& right);

void PrintHeader();
bool Failed();

}  // namespace bench
}  // namespace addnorm

#endif  // ADDNORM_TESTS_BENCH_SUPPORT_TABLE_H_
