// Times kernels side by side and prints one line each.
#include "bench/support/table.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "bench/support/limits.h"

namespace addnorm {
namespace bench {
namespace {

bool some_kernel_failed = false;

double Milliseconds(const std::function<void()>& run, size_t times) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  for (size_t i = 0; i < times; ++i) run();
  const std::chrono::duration<double, std::milli> elapsed =
      Clock::now() - begin;
  return elapsed.count() / static_cast<double>(times);
}

// How often to run within one round, for it to take about half a millisecond.
size_t Repeats(const std::function<void()>& run) {
  constexpr double kRound = 0.5;
  const double once = std::min(Milliseconds(run, 1), Milliseconds(run, 4));
  return static_cast<size_t>(std::ceil(kRound / std::max(once, 1e-5)));
}

double GigabytesPerSecond(size_t bytes, double milliseconds) {
  return static_cast<double>(bytes) * 1e-6 / milliseconds;
}

}  // namespace

const std::vector<Size>& Sizes() {
  static const std::vector<Size> sizes = {{7, 8},     {128, 768},  {128, 1000},
                                          {1, 16384}, {2048, 768}, {512, 4096}};
  return sizes;
}

std::vector<double> MinimumMilliseconds(
    const std::vector<Contender>& contenders) {
  constexpr int kRounds = 20;
  std::vector<size_t> repeats;
  for (const Contender& contender : contenders) {
    repeats.push_back(Repeats(contender.run));
  }
  std::vector<double> minimum(contenders.size(),
                              std::numeric_limits<double>::infinity());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < contenders.size(); ++i) {
      minimum[i] =
          std::min(minimum[i], Milliseconds(contenders[i].run, repeats[i]));
    }
  }
  return minimum;
}

void PrintHeader() {
  std::printf(
      "target %s, the minimum of 20 rounds\n\n%-22s %12s %11s %8s  %s\n",
      TargetName(), "kernel", "size", "ms", "GB/s", "time beside limit");
}

void Compare(Size size, const Contender& kernel, const Contender& limit,
             const std::function<bool()>& right) {
  const std::string shape =
      std::to_string(size.rows) + " x " + std::to_string(size.cols);
  kernel.run();
  if (!right()) {
    std::printf("%-22s %12s differs from the reference\n", kernel.name.c_str(),
                shape.c_str());
    some_kernel_failed = true;
    return;
  }
  const std::vector<double> times = MinimumMilliseconds({kernel, limit});
  std::printf("%-22s %12s %11.6f %8.2f  %.2f x %s\n", kernel.name.c_str(),
              shape.c_str(), times[0],
              GigabytesPerSecond(kernel.bytes, times[0]), times[0] / times[1],
              limit.name.c_str());
  std::fflush(stdout);
}

bool Failed() { return some_kernel_failed; }

}  // namespace bench
}  // namespace addnorm
