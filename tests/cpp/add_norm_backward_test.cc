// Add & Norm backward: the reference against central differences, the kernels
// against the reference, aliasing, golden values.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/golden.h"
#include "cpp/support/gradient_scale.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/add_norm.h"
#include "kernels/add_norm_reference.h"

namespace addnorm {
namespace testing {
namespace {

struct Gradients {
  explicit Gradients(const Problem& problem)
      : dx(problem.rows * problem.cols),
        dgamma(problem.first_dgamma.begin(), problem.first_dgamma.end()),
        dbeta(problem.first_dbeta.begin(), problem.first_dbeta.end()),
        scale(problem) {}

  std::vector<double> dx, dgamma, dbeta;
  GradientScale scale;
};

// The stream is the problem's x.
Gradients ExpectedLayerNorm(const Problem& p) {
  const DoubleInputs in(p);
  Gradients want(p);
  want.scale = LayerNormGradientScale(p, in);
  reference::AddLayerNormBackward<double>(
      in.X(), in.Dy(), in.Dsum(), in.Gamma(), p.layer_norm,
      {want.dx.data(), p.rows, p.cols}, {}, want.dgamma.data(),
      want.dbeta.data());
  return want;
}

Gradients ExpectedRmsNorm(const Problem& p) {
  const DoubleInputs in(p);
  Gradients want(p);
  want.scale = RmsNormGradientScale(p, in);
  reference::AddRmsNormBackward<double>(
      in.X(), in.Dy(), in.Dsum(), in.Gamma(), p.rms_norm,
      {want.dx.data(), p.rows, p.cols}, {}, want.dgamma.data());
  return want;
}

void Backward(bool is_layer_norm, const Problem& p, ConstMatrix sum,
              ConstMatrix dy, ConstMatrix dsum, Matrix dx, Matrix dfx,
              float* dgamma, float* dbeta) {
  if (is_layer_norm) {
    AddLayerNormBackward(sum, dy, dsum, p.Gamma(), p.layer_norm, dx, dfx,
                         dgamma, dbeta);
  } else {
    AddRmsNormBackward(sum, dy, dsum, p.Gamma(), p.rms_norm, dx, dfx, dgamma);
  }
}

void Compare(bool is_layer_norm, const Problem& p, const Gradients& want,
             Verdict& verdict) {
  Guarded dx = p.MatrixResult(0), dfx = p.MatrixResult(1),
          dgamma(p.first_dgamma, p.Misalignment(2)),
          dbeta(p.first_dbeta, p.Misalignment(3));
  const Matrix no_matrix = {nullptr, p.rows, p.cols};
  Backward(is_layer_norm, p, p.X(), p.Dy(), p.Dsum(), p.View(dx),
           p.Wants(0) ? p.View(dfx) : no_matrix,
           p.Wants(1) ? dgamma.data() : nullptr,
           p.Wants(2) ? dbeta.data() : nullptr);
  for (const Guarded* output : {&dx, &dfx, &dgamma, &dbeta}) {
    verdict.ExpectIntact(*output, "the gradients", p);
  }
  for (size_t r = 0; r < p.rows; ++r) {
    const size_t at = r * p.cols;
    verdict.Measure("dx",
                    RowError(dx.data() + at, want.dx.data() + at, p.cols,
                             want.scale.row[r]),
                    p, r);
  }
  verdict.Expect(!p.Wants(0) || SameBits(dfx, dx), "dfx is dx", p);
  verdict.MeasureSums("dgamma", p.Wants(1), dgamma, want.dgamma, p.first_dgamma,
                      want.scale.dgamma, p);
  if (is_layer_norm) {
    verdict.MeasureSums("dbeta", p.Wants(2), dbeta, want.dbeta, p.first_dbeta,
                        want.scale.dbeta, p);
  }
}

void CompareLayerNorm(const Problem& p, const Gradients& want, Verdict& v) {
  Compare(true, p, want, v);
}

void CompareRmsNorm(const Problem& p, const Gradients& want, Verdict& v) {
  Compare(false, p, want, v);
}

TEST_CASE(
    "AddLayerNormBackward is within 4 ulp of the terms that meet in a gradient "
    "at every width and convention and misalignment",
    "[add_norm]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedLayerNorm, CompareLayerNorm);
}

TEST_CASE(
    "AddLayerNormBackward is within 4 ulp of the terms that meet in a gradient "
    "at random",
    "[add_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedLayerNorm, CompareLayerNorm);
}

TEST_CASE(
    "AddRmsNormBackward is within 4 ulp of the terms that meet in a gradient "
    "at every width and gamma offset and misalignment",
    "[add_norm]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedRmsNorm, CompareRmsNorm);
}

TEST_CASE(
    "AddRmsNormBackward is within 4 ulp of the terms that meet in a gradient "
    "at random",
    "[add_norm]") {
  Sweep(ForEachRandomProblem, 4.0, ExpectedRmsNorm, CompareRmsNorm);
}

// Where dx and dfx may lie.
enum Place { kDy, kDsum, kSum, kOwn };

void CheckAliasing(bool is_layer_norm, const Problem& p, Verdict& verdict) {
  Guarded want = p.MatrixResult(0), want_dgamma(p.first_dgamma, 0),
          want_dbeta(p.first_dbeta, 0);
  Backward(is_layer_norm, p, p.X(), p.Dy(), p.Dsum(), p.View(want), {},
           want_dgamma.data(), want_dbeta.data());
  size_t index = p.wanted;
  for (const Place dx_place : {kDy, kDsum, kSum, kOwn}) {
    for (const Place dfx_place : {kDy, kDsum, kSum, kOwn}) {
      // A quarter of the placements, another one for each problem.
      if (++index % 4 != 0) continue;
      Guarded dy(p.dy.Values(), p.Misalignment(2)),
          dsum(p.dsum.Values(), p.Misalignment(3)),
          sum(p.x.Values(), p.Misalignment(0)),
          own_dx = p.MatrixResult(0), own_dfx = p.MatrixResult(1),
          dgamma(p.first_dgamma, 0), dbeta(p.first_dbeta, 0);
      Guarded* const places[] = {&dy, &dsum, &sum};
      Guarded& dx = dx_place == kOwn ? own_dx : *places[dx_place];
      Guarded& dfx = dfx_place == kOwn ? own_dfx : *places[dfx_place];
      ConstMatrix read_dsum = p.View(dsum);
      if (!p.has_dsum) read_dsum.data = nullptr;
      Backward(is_layer_norm, p, p.View(sum), p.View(dy), read_dsum, p.View(dx),
               p.View(dfx), dgamma.data(), dbeta.data());
      verdict.ExpectIntact(dx, "dx", p);
      verdict.ExpectIntact(dfx, "dfx", p);
      verdict.Expect(SameBits(dx, want), "dx has the same bits there", p);
      verdict.Expect(SameBits(dfx, want), "dfx has the same bits there", p);
      verdict.Expect(SameBits(dgamma, want_dgamma), "dgamma is the same", p);
      verdict.Expect(SameBits(dbeta, want_dbeta), "dbeta is the same", p);
    }
  }
}

TEST_CASE("AddLayerNormBackward may write dx and dfx over dy and dsum and sum",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    CheckAliasing(true, p, verdict);
  });
}

TEST_CASE("AddRmsNormBackward may write dx and dfx over dy and dsum and sum",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    CheckAliasing(false, p, verdict);
  });
}

TEST_CASE("AddLayerNormBackward of a single feature passes dsum on as it is",
          "[add_norm]") {
  SweepClaims(ForEachRandomProblem, [](const Problem& p, Verdict& verdict) {
    const size_t rows = std::min<size_t>(p.x.size(), 100);
    Guarded dx = p.MatrixResult(0);
    AddLayerNormBackward({p.x.data(), rows, 1}, {p.dy.data(), rows, 1},
                         {p.dsum.data(), rows, 1}, nullptr, p.layer_norm,
                         {dx.data(), rows, 1}, {}, nullptr, nullptr);
    for (size_t r = 0; r < rows; ++r) {
      verdict.Expect(dx[r] == p.dsum[r], "dx is dsum", p);
    }
  });
}

TEST_CASE("The reference's Add & Norm gradients are those of its forward pass",
          "[add_norm]") {
  for (unsigned bits = 0; bits < 8; ++bits) {
    for (const bool is_layer_norm : {true, false}) {
      for (const size_t cols : {2, 5, 33}) {
        Setting setting = SettingOf(bits);
        setting.layer_norm.eps = setting.rms_norm.eps = 0.01;
        setting.rms_norm.gamma_offset = bits & 1u ? 1.0f : 0.0f;
        const size_t size = 2 * cols;
        std::vector<double> x(size), fx(size), dy(size), dsum(size), sum(size),
            y(size), dx(size), dfx(size), gamma(cols), beta(cols), dgamma(cols),
            dbeta(cols);
        Draw draw(Seed(), bits * 100 + cols);
        for (auto* values : {&x, &fx, &dy, &dsum, &gamma, &beta}) {
          for (double& value : *values) value = draw.Normal();
        }
        const double* gamma_or_null =
            setting.has_gamma ? gamma.data() : nullptr;
        using View = MatrixView<const double>;
        const View at_x(x.data(), 2, cols), at_fx(fx.data(), 2, cols),
            at_sum(sum.data(), 2, cols), at_dy(dy.data(), 2, cols),
            at_dsum(dsum.data(), 2, cols);
        const auto loss = [&] {
          if (is_layer_norm) {
            reference::AddLayerNorm<double>(
                at_x, at_fx, gamma_or_null, beta.data(), setting.layer_norm,
                {sum.data(), 2, cols}, {y.data(), 2, cols}, nullptr, nullptr);
          } else {
            reference::AddRmsNorm<double>(
                at_x, at_fx, gamma_or_null, setting.rms_norm,
                {sum.data(), 2, cols}, {y.data(), 2, cols}, nullptr);
          }
          double total = 0.0;
          for (size_t i = 0; i < size; ++i) {
            total += y[i] * dy[i] + sum[i] * dsum[i];
          }
          return total;
        };
        loss();
        if (is_layer_norm) {
          reference::AddLayerNormBackward<double>(
              at_sum, at_dy, at_dsum, gamma_or_null, setting.layer_norm,
              {dx.data(), 2, cols}, {dfx.data(), 2, cols}, dgamma.data(),
              dbeta.data());
        } else {
          reference::AddRmsNormBackward<double>(
              at_sum, at_dy, at_dsum, gamma_or_null, setting.rms_norm,
              {dx.data(), 2, cols}, {dfx.data(), 2, cols}, dgamma.data());
        }
        INFO(cols << " features, options " << bits << ", layer norm "
                  << is_layer_norm << ", ADDNORM_SEED=" << Seed());
        CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-6);
        CHECK(RelativeDistance(dfx, CentralDifferences(fx, loss)) < 1e-6);
        if (setting.has_gamma) {
          CHECK(RelativeDistance(dgamma, CentralDifferences(gamma, loss)) <
                1e-9);
        }
        if (is_layer_norm) {
          CHECK(RelativeDistance(dbeta, CentralDifferences(beta, loss)) < 1e-9);
        }
      }
    }
  }
}

TEST_CASE("Add & Norm's gradients agree with the golden values", "[add_norm]") {
  const Json cases = ReadGolden("add_norm.json");
  ForEachTarget([&] {
    for (const Json& record : cases) {
      const size_t rows = record["rows"], cols = record["cols"];
      if (cols <= 1) continue;
      INFO(record["name"]);
      const auto sum = FloatsAt(record, "sum"), dy = FloatsAt(record, "dy"),
                 dsum = FloatsAt(record, "dsum"),
                 gamma = FloatsAt(record, "gamma");
      std::vector<float> dx(rows * cols), dfx(rows * cols), dgamma(cols),
          dbeta(cols);
      const ConstMatrix at_sum = {sum.data(), rows, cols},
                        at_dy = {dy.data(), rows, cols},
                        at_dsum = {dsum.data(), rows, cols};
      const Matrix at_dx = {dx.data(), rows, cols},
                   at_dfx = {dfx.data(), rows, cols};
      const bool is_layer_norm = record["norm"] == "layer";
      if (is_layer_norm) {
        AddLayerNormBackward(at_sum, at_dy, at_dsum, OrNull(gamma),
                             LayerNormOptionsOf(record), at_dx, at_dfx,
                             dgamma.data(), dbeta.data());
      } else {
        AddRmsNormBackward(at_sum, at_dy, at_dsum, OrNull(gamma),
                           RmsNormOptionsOf(record), at_dx, at_dfx,
                           dgamma.data());
      }
      CHECK(Distance(dx, DoublesAt(record, "dx")) <= 3e-5);
      CHECK(Distance(dfx, DoublesAt(record, "dfx")) <= 3e-5);
      CHECK(Distance(dgamma, DoublesAt(record, "dgamma")) <= 3e-5);
      if (is_layer_norm) {
        CHECK(Distance(dbeta, DoublesAt(record, "dbeta")) <= 3e-5);
      }
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
