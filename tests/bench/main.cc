// Runs the benchmarks of all kernels, or of those that are named by stem:
// addnorm_bench [layer_norm ...]
#include <cstdio>
#include <string>
#include <vector>

#include "bench/benches.h"
#include "bench/support/table.h"

namespace {

struct Bench {
  const char* stem;
  void (*run)();
};

constexpr Bench kBenches[] = {
    {"residual_add", addnorm::bench::BenchResidualAdd},
    {"layer_norm", addnorm::bench::BenchLayerNorm},
    {"rms_norm", addnorm::bench::BenchRmsNorm},
    {"add_norm", addnorm::bench::BenchAddNorm},
    {"row_stats", addnorm::bench::BenchRowStats},
};

const Bench* Find(const std::string& stem) {
  for (const Bench& bench : kBenches) {
    if (stem == bench.stem) return &bench;
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> stems(argv + 1, argv + argc);
  for (const std::string& stem : stems) {
    if (Find(stem)) continue;
    std::fprintf(stderr, "%s is no kernel; there are:", stem.c_str());
    for (const Bench& bench : kBenches) std::fprintf(stderr, " %s", bench.stem);
    std::fprintf(stderr, "\n");
    return 2;
  }
  addnorm::bench::PrintHeader();
  if (stems.empty()) {
    for (const Bench& bench : kBenches) bench.run();
  }
  for (const std::string& stem : stems) Find(stem)->run();
  return addnorm::bench::Failed() ? 1 : 0;
}
