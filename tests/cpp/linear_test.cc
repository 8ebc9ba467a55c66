// The linear map: forward and backward against the reference, which is checked
// against central differences.
#include "kernels/linear.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/draw.h"
#include "cpp/support/guarded.h"
#include "cpp/support/products.h"
#include "cpp/support/targets.h"
#include "kernels/linear_reference.h"

namespace addnorm {
namespace testing {
namespace {

std::vector<double> Magnitudes(const Guarded& values) {
  std::vector<double> magnitudes = Doubles(values);
  for (double& value : magnitudes) value = std::fabs(value);
  return magnitudes;
}

double WorstBesideBound(const Guarded& got, const std::vector<double>& want,
                        const std::vector<double>& scale, size_t k) {
  double worst = 0.0;
  for (size_t i = 0; i < want.size(); ++i) {
    worst = std::max(worst, ErrorBesideBound(got[i], want[i], k, scale[i]));
  }
  return worst;
}

TEST_CASE("Linear keeps its error bound at every shape, with and without bias",
          "[linear]") {
  ForEachTarget([] {
    double worst = 0.0;
    size_t index = 0;
    ForEachProductShape([&](size_t rows, size_t in, size_t out) {
      Draw draw(Seed(), ++index);
      const Guarded x = Normals(rows * in, draw), w = Normals(out * in, draw),
                    b = Normals(out, draw);
      Guarded y(rows * out, draw.Below(3), -77.0f);
      const bool biased = draw.Chance(0.5);
      Linear({x.data(), rows, in}, {w.data(), out, in},
             biased ? b.data() : nullptr, {y.data(), rows, out});
      const auto run = [&](const std::vector<double>& dx,
                           const std::vector<double>& dw,
                           const std::vector<double>& db) {
        std::vector<double> result(rows * out);
        reference::Linear<double>({dx.data(), rows, in}, {dw.data(), out, in},
                                  biased ? db.data() : nullptr,
                                  {result.data(), rows, out});
        return result;
      };
      CHECK(y.Intact());
      worst = std::max(
          worst, WorstBesideBound(
                     y, run(Doubles(x), Doubles(w), Doubles(b)),
                     run(Magnitudes(x), Magnitudes(w), Magnitudes(b)), in));
    });
    INFO("ADDNORM_SEED=" << Seed());
    CHECK(worst <= 1.0);
  });
}

TEST_CASE("LinearBackward overwrites dx, adds to dw and db, within its bound",
          "[linear]") {
  ForEachTarget([] {
    double worst = 0.0;
    size_t index = 0;
    ForEachProductShape([&](size_t rows, size_t in, size_t out) {
      Draw draw(Seed(), ++index);
      const Guarded x = Normals(rows * in, draw), w = Normals(out * in, draw),
                    dy = Normals(rows * out, draw);
      Guarded dx(rows * in, draw.Below(3), -77.0f);
      Guarded dw = Normals(out * in, draw), db = Normals(out, draw);
      const Guarded first_dw(dw.Values(), 0), first_db(db.Values(), 0);
      LinearBackward({x.data(), rows, in}, {dy.data(), rows, out},
                     {w.data(), out, in}, {dx.data(), rows, in},
                     {dw.data(), out, in}, db.data());
      struct Gradients {
        std::vector<double> dx, dw, db;
      };
      const auto run = [&](const auto& convert) {
        Gradients want{std::vector<double>(rows * in), convert(first_dw),
                       convert(first_db)};
        const auto in_x = convert(x), in_dy = convert(dy), in_w = convert(w);
        reference::LinearBackward<double>(
            {in_x.data(), rows, in}, {in_dy.data(), rows, out},
            {in_w.data(), out, in}, {want.dx.data(), rows, in},
            {want.dw.data(), out, in}, want.db.data());
        return want;
      };
      const Gradients want = run(Doubles), scale = run(Magnitudes);
      CHECK((dx.Intact() && dw.Intact() && db.Intact()));
      worst = std::max({worst, WorstBesideBound(dx, want.dx, scale.dx, out),
                        WorstBesideBound(dw, want.dw, scale.dw, rows),
                        WorstBesideBound(db, want.db, scale.db, rows)});
    });
    INFO("ADDNORM_SEED=" << Seed());
    CHECK(worst <= 1.0);
  });
}

TEST_CASE("The reference of LinearBackward agrees with central differences",
          "[linear]") {
  constexpr size_t kRows = 4, kIn = 3, kOut = 5;
  Draw draw(3);
  std::vector<double> x = Doubles(Normals(kRows * kIn, draw)),
                      w = Doubles(Normals(kOut * kIn, draw)),
                      b = Doubles(Normals(kOut, draw)),
                      dy = Doubles(Normals(kRows * kOut, draw));
  const auto loss = [&] {
    std::vector<double> y(kRows * kOut);
    reference::Linear<double>({x.data(), kRows, kIn}, {w.data(), kOut, kIn},
                              b.data(), {y.data(), kRows, kOut});
    double sum = 0.0;
    for (size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  std::vector<double> dx(x.size()), dw(w.size()), db(b.size());
  reference::LinearBackward<double>(
      {x.data(), kRows, kIn}, {dy.data(), kRows, kOut}, {w.data(), kOut, kIn},
      {dx.data(), kRows, kIn}, {dw.data(), kOut, kIn}, db.data());
  CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-9);
  CHECK(RelativeDistance(dw, CentralDifferences(w, loss)) < 1e-9);
  CHECK(RelativeDistance(db, CentralDifferences(b, loss)) < 1e-9);
}

TEST_CASE("Linear of a row with NaN poisons that row only", "[linear]") {
  ForEachTarget([] {
    Draw draw(4);
    Guarded x = Normals(6 * 9, draw);
    const Guarded w = Normals(5 * 9, draw);
    x[2 * 9 + 8] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> y(6 * 5);
    Linear({x.data(), 6, 9}, {w.data(), 5, 9}, nullptr, {y.data(), 6, 5});
    for (size_t i = 0; i < y.size(); ++i) {
      CHECK(std::isnan(y[i]) == (i / 5 == 2));
    }
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
