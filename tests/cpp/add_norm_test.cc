// Add & Norm forward: the bits of the two kernels that it fuses, aliasing,
// golden values.
#include "kernels/add_norm.h"

#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/golden.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "kernels/layer_norm.h"
#include "kernels/rms_norm.h"

namespace addnorm {
namespace testing {
namespace {

// x + fx in plain float32 arithmetic.
Guarded PlainSum(const Problem& p) {
  Guarded sum(p.x.size(), p.Misalignment(0));
  for (size_t i = 0; i < sum.size(); ++i) sum[i] = p.x[i] + p.fx[i];
  return sum;
}

void CheckAddLayerNorm(const Problem& p, Verdict& verdict) {
  Guarded sum = p.MatrixResult(0), y = p.MatrixResult(1), mean = p.RowResult(2),
          rstd = p.RowResult(3);
  AddLayerNorm(p.X(), p.Fx(), p.Gamma(), p.Beta(), p.layer_norm, p.View(sum),
               p.View(y), p.Wants(0) ? mean.data() : nullptr,
               p.Wants(1) ? rstd.data() : nullptr);
  for (const Guarded* output : {&sum, &y, &mean, &rstd}) {
    verdict.ExpectIntact(*output, "the results", p);
  }
  Guarded want_sum = PlainSum(p), want_y = p.MatrixResult(1),
          want_mean = p.RowResult(2), want_rstd = p.RowResult(3);
  LayerNorm(p.View(want_sum), p.Gamma(), p.Beta(), p.layer_norm, p.View(want_y),
            p.Wants(0) ? want_mean.data() : nullptr,
            p.Wants(1) ? want_rstd.data() : nullptr);
  verdict.Expect(SameBits(sum, want_sum), "sum is x + fx, rounded once", p);
  verdict.Expect(SameBits(y, want_y), "y has the bits of LayerNorm(sum)", p);
  verdict.Expect(SameBits(mean, want_mean), "so has mean", p);
  verdict.Expect(SameBits(rstd, want_rstd), "so has rstd", p);
}

void CheckAddRmsNorm(const Problem& p, Verdict& verdict) {
  Guarded sum = p.MatrixResult(0), y = p.MatrixResult(1), rstd = p.RowResult(2);
  AddRmsNorm(p.X(), p.Fx(), p.Gamma(), p.rms_norm, p.View(sum), p.View(y),
             p.Wants(0) ? rstd.data() : nullptr);
  for (const Guarded* output : {&sum, &y, &rstd}) {
    verdict.ExpectIntact(*output, "the results", p);
  }
  Guarded want_sum = PlainSum(p), want_y = p.MatrixResult(1),
          want_rstd = p.RowResult(2);
  RmsNorm(p.View(want_sum), p.Gamma(), p.rms_norm, p.View(want_y),
          p.Wants(0) ? want_rstd.data() : nullptr);
  verdict.Expect(SameBits(sum, want_sum), "sum is x + fx, rounded once", p);
  verdict.Expect(SameBits(y, want_y), "y has the bits of RmsNorm(sum)", p);
  verdict.Expect(SameBits(rstd, want_rstd), "so has rstd", p);
}

TEST_CASE(
    "AddLayerNorm gives x + fx and LayerNorm of it to the bit at every width "
    "and convention and misalignment",
    "[add_norm]") {
  SweepClaims(ForEachSystematicProblem, CheckAddLayerNorm);
}

TEST_CASE("AddLayerNorm gives x + fx and LayerNorm of it to the bit at random",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, CheckAddLayerNorm);
}

TEST_CASE(
    "AddRmsNorm gives x + fx and RmsNorm of it to the bit at every width and "
    "gamma offset and misalignment",
    "[add_norm]") {
  SweepClaims(ForEachSystematicProblem, CheckAddRmsNorm);
}

TEST_CASE("AddRmsNorm gives x + fx and RmsNorm of it to the bit at random",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, CheckAddRmsNorm);
}

// Runs run(x, fx, sum, y) with own memory for the results, then with each
// placement that the contract allows, and compares the bits.
template <class Run>
void CheckAliasing(const Problem& p, Verdict& verdict, const Run& run) {
  enum Place { kX, kFx, kSum, kOwn };
  struct Placement {
    Place sum, y;
  };
  Guarded want_sum = p.MatrixResult(0), want_y = p.MatrixResult(1);
  run(p.X(), p.Fx(), p.View(want_sum), p.View(want_y));
  for (const Placement& place :
       {Placement{kX, kOwn}, Placement{kFx, kOwn}, Placement{kOwn, kX},
        Placement{kOwn, kFx}, Placement{kX, kFx}, Placement{kFx, kX},
        Placement{kOwn, kSum}, Placement{kX, kSum}, Placement{kFx, kSum}}) {
    Guarded x(p.x.Values(), p.Misalignment(0)),
        fx(p.fx.Values(), p.Misalignment(1)), own_sum = p.MatrixResult(0),
                                              own_y = p.MatrixResult(1);
    Guarded& sum = place.sum == kX ? x : place.sum == kFx ? fx : own_sum;
    Guarded& y = place.y == kX     ? x
                 : place.y == kFx  ? fx
                 : place.y == kSum ? sum
                                   : own_y;
    run(p.View(x), p.View(fx), p.View(sum), p.View(y));
    verdict.ExpectIntact(sum, "sum", p);
    verdict.ExpectIntact(y, "y", p);
    verdict.Expect(SameBits(y, want_y), "y has the same bits there", p);
    verdict.Expect(place.y == kSum || SameBits(sum, want_sum),
                   "sum has the same bits there", p);
  }
}

TEST_CASE("AddLayerNorm may write sum and y over its inputs, and y over sum",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    CheckAliasing(p, verdict,
                  [&](ConstMatrix x, ConstMatrix fx, Matrix sum, Matrix y) {
                    AddLayerNorm(x, fx, p.Gamma(), p.Beta(), p.layer_norm, sum,
                                 y, nullptr, nullptr);
                  });
  });
}

TEST_CASE("AddRmsNorm may write sum and y over its inputs, and y over sum",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    CheckAliasing(p, verdict,
                  [&](ConstMatrix x, ConstMatrix fx, Matrix sum, Matrix y) {
                    AddRmsNorm(x, fx, p.Gamma(), p.rms_norm, sum, y, nullptr);
                  });
  });
}

TEST_CASE("AddLayerNorm of rows that sum to a constant is exactly beta",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    Guarded x(p.x.size(), p.Misalignment(0)), fx(p.x.size(), p.Misalignment(1));
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i % p.cols % 7);
      fx[i] = 1000.5f - x[i];
    }
    Guarded sum = p.MatrixResult(0), y = p.MatrixResult(1);
    AddLayerNorm(p.View(x), p.View(fx), p.Gamma(), p.Beta(), p.layer_norm,
                 p.View(sum), p.View(y), nullptr, nullptr);
    for (size_t i = 0; i < y.size(); ++i) {
      verdict.Expect(y[i] == (p.has_beta ? p.beta[i % p.cols] : 0.0f),
                     "y is beta", p);
    }
  });
}

TEST_CASE("Add & Norm of no rows writes nothing", "[add_norm]") {
  ForEachTarget([] {
    const Guarded x(0, 1), fx(0, 0), gamma(9, 0, 1.0f);
    Guarded sum(0, 0), y(0, 3);
    AddLayerNorm({x.data(), 0, 9}, {fx.data(), 0, 9}, gamma.data(), nullptr, {},
                 {sum.data(), 0, 9}, {y.data(), 0, 9}, nullptr, nullptr);
    AddRmsNorm({x.data(), 0, 9}, {fx.data(), 0, 9}, gamma.data(), {},
               {sum.data(), 0, 9}, {y.data(), 0, 9}, nullptr);
    CHECK((sum.Intact() && y.Intact()));
  });
}

TEST_CASE("Add & Norm agrees with the golden values", "[add_norm]") {
  const Json cases = ReadGolden("add_norm.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      INFO(record["name"]);
      const size_t rows = record["rows"], cols = record["cols"];
      const auto x = FloatsAt(record, "x"), fx = FloatsAt(record, "fx"),
                 gamma = FloatsAt(record, "gamma"),
                 beta = FloatsAt(record, "beta");
      std::vector<float> sum(rows * cols), y(rows * cols);
      const ConstMatrix at_x = {x.data(), rows, cols},
                        at_fx = {fx.data(), rows, cols};
      const Matrix at_sum = {sum.data(), rows, cols},
                   at_y = {y.data(), rows, cols};
      if (record["norm"] == "layer") {
        AddLayerNorm(at_x, at_fx, OrNull(gamma), OrNull(beta),
                     LayerNormOptionsOf(record), at_sum, at_y, nullptr,
                     nullptr);
      } else {
        AddRmsNorm(at_x, at_fx, OrNull(gamma), RmsNormOptionsOf(record), at_sum,
                   at_y, nullptr);
      }
      const auto want_sum = DoublesAt(record, "sum"),
                 want_y = DoublesAt(record, "y");
      CHECK(Distance(sum, want_sum) <= UsualTolerance(want_sum));
      CHECK(Distance(y, want_y) <= UsualTolerance(want_y));
    }
  });
}

TEST_CASE("Add & Norm twice reproduces the article's chain", "[add_norm]") {
  const Json record = ReadGolden("article.json")["add_norm_chain"];
  const LayerNormOptions options = {1e-5, EpsPlacement::kOutside,
                                    Variance::kPopulation};
  const auto x = FloatsAt(record, "x"), attn = FloatsAt(record, "attn_output"),
             ffn = FloatsAt(record, "ffn_output");
  ForEachTarget([&] {
    std::vector<float> sum(56), first(56), second(56);
    AddLayerNorm({x.data(), 7, 8}, {attn.data(), 7, 8}, nullptr, nullptr,
                 options, {sum.data(), 7, 8}, {first.data(), 7, 8}, nullptr,
                 nullptr);
    AddLayerNorm({first.data(), 7, 8}, {ffn.data(), 7, 8}, nullptr, nullptr,
                 options, {sum.data(), 7, 8}, {second.data(), 7, 8}, nullptr,
                 nullptr);
    const auto want_first = DoublesAt(record, "after_attn"),
               want_second = DoublesAt(record, "after_ffn");
    CHECK(Distance(first, want_first) <= UsualTolerance(want_first));
    CHECK(Distance(second, want_second) <= 6e-6);
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
