// The highway's residual sum against the reference.
#include "kernels/gated_add.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/ulp.h"
#include "kernels/gated_add_reference.h"

namespace addnorm {
namespace testing {
namespace {

Guarded GateOf(const Problem& p) {
  Draw draw(p.wanted);
  Guarded gate(p.rows * p.cols, p.Misalignment(1));
  for (size_t i = 0; i < gate.size(); ++i) {
    gate[i] = static_cast<float>(draw.Uniform());
  }
  return gate;
}

TEST_CASE("GatedAdd and its gradients agree with the reference",
          "[gated_add]") {
  const auto expected = [](const Problem& p) {
    const Guarded gate = GateOf(p);
    const auto x = DoubleInputs::Doubles(p.x), fx = DoubleInputs::Doubles(p.fx),
               dy = DoubleInputs::Doubles(p.dy),
               open = DoubleInputs::Doubles(gate);
    const auto view = [&](const std::vector<double>& m) {
      return MatrixView<const double>(m.data(), p.rows, p.cols);
    };
    std::vector<std::vector<double>> want(4, std::vector<double>(x.size()));
    reference::GatedAdd<double>(view(x), view(fx), view(open),
                                {want[0].data(), p.rows, p.cols});
    reference::GatedAddBackward<double>(view(x), view(fx), view(open), view(dy),
                                        {want[1].data(), p.rows, p.cols},
                                        {want[2].data(), p.rows, p.cols},
                                        {want[3].data(), p.rows, p.cols});
    return want;
  };
  const auto compare = [](const Problem& p,
                          const std::vector<std::vector<double>>& want,
                          Verdict& verdict) {
    const Guarded gate = GateOf(p);
    const ConstMatrix open(gate.data(), p.rows, p.cols);
    Guarded sum = p.MatrixResult(0), dx = p.MatrixResult(1),
            dfx = p.MatrixResult(2), dgate = p.MatrixResult(3),
            in_place(p.x.Values(), p.Misalignment(2));
    GatedAdd(p.X(), p.Fx(), open, p.View(sum));
    GatedAdd(p.View(in_place), p.Fx(), open, p.View(in_place));
    GatedAddBackward(p.X(), p.Fx(), open, p.Dy(), p.View(dx), p.View(dfx),
                     p.View(dgate));
    verdict.Expect(SameBits(sum, in_place),
                   "sum has the same bits in x's place", p);
    const Guarded* outputs[] = {&sum, &dx, &dfx, &dgate};
    for (size_t k = 0; k < 4; ++k) {
      verdict.ExpectIntact(*outputs[k], "an output", p);
      for (size_t i = 0; i < sum.size(); ++i) {
        const double larger = std::max(std::fabs(static_cast<double>(p.x[i])),
                                       std::fabs(static_cast<double>(p.fx[i])));
        const double dy = std::fabs(static_cast<double>(p.dy[i]));
        const double scale = k == 0 ? larger : k == 3 ? 2.0 * larger * dy : dy;
        verdict.Measure("an output", Error((*outputs[k])[i], want[k][i], scale),
                        p, i / p.cols);
      }
    }
  };
  Sweep(ForEachSystematicProblem, 4.0, expected, compare);
  Sweep(ForEachRandomProblem, 4.0, expected, compare);
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
