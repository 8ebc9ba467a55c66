// Gives many problems to a kernel on every target, and judges all it did by a
// few assertions.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_SWEEP_H_
#define ADDNORM_TESTS_CPP_SUPPORT_SWEEP_H_

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"

namespace addnorm {
namespace testing {

// What a kernel did on one target: the worst error of each output, and the
// first claim that did not hold.
class Verdict {
 public:
  // `error` is in ulps at the scale that the test states for this output.
  void Measure(const char* output, double error, const Problem& problem,
               size_t row) {
    Worst& worst = WorstOf(output);
    if (error <= worst.error) return;
    worst.error = error;
    worst.where = problem.DescribeRow(row);
  }

  void Expect(bool holds, const char* claim, const Problem& problem) {
    if (!holds && broken_.empty()) {
      broken_ = std::string(claim) + " at " + problem.Describe();
    }
  }

  void ExpectIntact(const Guarded& buffer, const char* output,
                    const Problem& problem) {
    if (!buffer.Intact() && broken_.empty()) {
      broken_ = std::string("nothing is written outside ") + output + " at " +
                problem.Describe();
    }
  }

  // A parameter's gradient, by feature; where it is not wanted it stays as it
  // was before.
  void MeasureSums(const char* output, bool wanted, const Guarded& got,
                   const std::vector<double>& want,
                   const std::vector<float>& before,
                   const std::vector<double>& scale, const Problem& problem) {
    for (size_t i = 0; i < got.size() && problem.rows > 0; ++i) {
      if (wanted) {
        Measure(output, Error(got[i], want[i], scale[i]), problem, 0);
      } else {
        Expect(got[i] == before[i], output, problem);
      }
    }
  }

  // With Catch2's option -s the margins are printed of a success too.
  void Report(double limit) const {
    INFO("the first claim that did not hold: " << broken_);
    CHECK(broken_.empty());
    for (const Worst& worst : worst_) {
      INFO(worst.output << " is worst at " << worst.where);
      CHECK(worst.error <= limit);
    }
  }

 private:
  struct Worst {
    const char* output;
    double error;
    std::string where;
  };

  Worst& WorstOf(const char* output) {
    for (Worst& worst : worst_) {
      if (std::strcmp(worst.output, output) == 0) return worst;
    }
    worst_.push_back({output, 0.0, "no problem: every value is exact"});
    return worst_.back();
  }

  std::vector<Worst> worst_;
  std::string broken_;
};

// expected(problem) is called once a problem, compare(problem, want, verdict)
// once more for each target. No error may exceed `limit` ulps.
template <class Source, class Expected, class Compare>
void Sweep(const Source& for_each_problem, double limit,
           const Expected& expected, const Compare& compare) {
  const std::vector<int64_t> targets = Targets();
  std::vector<Verdict> verdicts(targets.size());
  for_each_problem([&](const Problem& problem) {
    const auto want = expected(problem);
    for (size_t i = 0; i < targets.size(); ++i) {
      UseTarget(targets[i]);
      compare(problem, want, verdicts[i]);
    }
  });
  UseBestTarget();
  for (size_t i = 0; i < targets.size(); ++i) {
    INFO("target " << hwy::TargetName(targets[i]));
    verdicts[i].Report(limit);
  }
}

// The same where nothing is measured: check(problem, verdict) only claims.
template <class Source, class Check>
void SweepClaims(const Source& for_each_problem, const Check& check) {
  Sweep(
      for_each_problem, 0.0, [](const Problem&) { return 0; },
      [&](const Problem& problem, int, Verdict& verdict) {
        check(problem, verdict);
      });
}

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_SWEEP_H_
