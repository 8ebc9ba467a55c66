// BatchNorm: against the reference with every padding, its exact promises.
#include "kernels/batch_norm.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpp/support/catch2.h"
#include "cpp/support/difference.h"
#include "cpp/support/guarded.h"
#include "cpp/support/problem.h"
#include "cpp/support/problems.h"
#include "cpp/support/sweep.h"
#include "cpp/support/targets.h"
#include "cpp/support/ulp.h"
#include "kernels/batch_norm_reference.h"
#include "kernels/layer_norm.h"

namespace addnorm {
namespace testing {
namespace {

// A problem's rows turned into columns: each feature is of one kind, and the
// batch has as many tokens as the problem has columns.
struct Batch {
  explicit Batch(const Problem& p)
      : tokens(p.cols),
        features(p.rows),
        x(tokens * features, p.Misalignment(0)),
        dy(tokens * features, p.Misalignment(1)),
        gamma(features, p.Misalignment(2)),
        beta(features, p.Misalignment(3)),
        padding(tokens) {
    Draw draw(p.wanted);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = p.x[i % features * tokens + i / features];
      dy[i] = p.dy[i % features * tokens + i / features];
    }
    for (size_t i = 0; i < features; ++i) {
      gamma[i] = static_cast<float>(draw.Signed(0.5, 2.0));
      beta[i] = static_cast<float>(draw.Signed(0.05, 0.1));
    }
    for (uint8_t& byte : padding) byte = draw.Chance(0.25) ? 1 : 0;
    if (!p.Wants(3)) std::fill(padding.begin(), padding.end(), uint8_t{0});
  }

  ConstMatrix View(const Guarded& m) const {
    return {m.data(), tokens, features};
  }
  Matrix View(Guarded& m) const { return {m.data(), tokens, features}; }
  MatrixView<const double> View(const std::vector<double>& m) const {
    return {m.data(), tokens, features};
  }
  MatrixView<double> View(std::vector<double>& m) const {
    return {m.data(), tokens, features};
  }

  size_t tokens, features;
  Guarded x, dy, gamma, beta;
  std::vector<uint8_t> padding;
};

struct Expected {
  std::vector<double> y, dx, mean, rstd, dgamma, dbeta;
};

Expected ExpectedBatchNorm(const Problem& p) {
  const Batch in(p);
  const auto x = DoubleInputs::Doubles(in.x), dy = DoubleInputs::Doubles(in.dy),
             gamma = DoubleInputs::Doubles(in.gamma),
             beta = DoubleInputs::Doubles(in.beta);
  Expected want{
      std::vector<double>(x.size()),    std::vector<double>(x.size()),
      std::vector<double>(in.features), std::vector<double>(in.features),
      std::vector<double>(in.features), std::vector<double>(in.features)};
  reference::BatchNorm<double>(in.View(x), in.padding.data(), gamma.data(),
                               beta.data(), p.layer_norm, in.View(want.y),
                               want.mean.data(), want.rstd.data());
  reference::BatchNormBackward<double>(
      in.View(x), in.View(dy), in.padding.data(), gamma.data(), p.layer_norm,
      in.View(want.dx), want.dgamma.data(), want.dbeta.data());
  return want;
}

std::vector<double> Column(const std::vector<double>& m, size_t col,
                           size_t cols) {
  std::vector<double> column;
  for (size_t i = col; i < m.size(); i += cols) column.push_back(m[i]);
  return column;
}

double ColumnError(const Guarded& got, const std::vector<double>& want,
                   size_t col, size_t cols, double scale) {
  double error = 0.0;
  for (size_t i = col; i < want.size(); i += cols) {
    error = std::max(error, Error(got[i], want[i], scale));
  }
  return error;
}

void CompareForward(const Problem& p, const Expected& want, Verdict& verdict) {
  const Batch in(p);
  Guarded y(in.x.size(), p.Misalignment(4), -77.0f),
      in_place(in.x.Values(), p.Misalignment(5)), mean(in.features, 1),
      rstd(in.features, 3);
  BatchNorm(in.View(in.x), in.padding.data(), in.gamma.data(), in.beta.data(),
            p.layer_norm, in.View(y), mean.data(), rstd.data());
  BatchNorm(in.View(in_place), in.padding.data(), in.gamma.data(),
            in.beta.data(), p.layer_norm, in.View(in_place), nullptr, nullptr);
  verdict.ExpectIntact(y, "y", p);
  verdict.ExpectIntact(mean, "mean", p);
  verdict.ExpectIntact(rstd, "rstd", p);
  verdict.Expect(SameBits(y, in_place), "y has the same bits in x's place", p);
  for (size_t j = 0; j < in.features; ++j) {
    const auto column = Column(want.y, j, in.features);
    verdict.Measure("y",
                    ColumnError(y, want.y, j, in.features,
                                Largest(column.data(), column.size())),
                    p, j);
    verdict.Measure("rstd", Error(rstd[j], want.rstd[j], want.rstd[j]), p, j);
  }
}

TEST_CASE("BatchNorm is within 4 ulp of a column's largest value",
          "[batch_norm]") {
  Sweep(ForEachSystematicProblem, 4.0, ExpectedBatchNorm, CompareForward);
  Sweep(ForEachRandomProblem, 4.0, ExpectedBatchNorm, CompareForward);
}

void CompareBackward(const Problem& p, const Expected& want, Verdict& verdict) {
  const Batch in(p);
  Guarded dx(in.dy.Values(), p.Misalignment(4)), dgamma(in.features, 1),
      dbeta(in.features, 3);
  BatchNormBackward(in.View(in.x), in.View(dx), in.padding.data(),
                    in.gamma.data(), p.layer_norm, in.View(dx), dgamma.data(),
                    dbeta.data());
  for (const Guarded* output : {&dx, &dgamma, &dbeta}) {
    verdict.ExpectIntact(*output, "a gradient", p);
  }
  for (size_t j = 0; j < in.features; ++j) {
    double sum_dy = 0.0, largest_dy = 0.0;
    for (size_t i = j; i < in.dy.size(); i += in.features) {
      const double dy = std::fabs(static_cast<double>(in.dy[i]));
      if (in.padding[i / in.features]) continue;
      sum_dy += dy;
      largest_dy = std::max(largest_dy, dy);
    }
    const double rstd = want.rstd[j];
    const auto column = Column(want.y, j, in.features);
    const double unit = (Largest(column.data(), column.size()) + 0.1) /
                        std::fabs(static_cast<double>(in.gamma[j]));
    const double n = static_cast<double>(in.tokens);
    // The terms whose difference dx is.
    const double scale = rstd * std::fabs(static_cast<double>(in.gamma[j])) *
                         (2.0 * largest_dy + unit * unit * sum_dy / n);
    if (std::isfinite(scale) && rstd > 0.0) {
      verdict.Measure("dx", ColumnError(dx, want.dx, j, in.features, scale), p,
                      j);
    }
    verdict.Measure("dgamma", Error(dgamma[j], want.dgamma[j], unit * sum_dy),
                    p, j);
    verdict.Measure("dbeta", Error(dbeta[j], want.dbeta[j], sum_dy), p, j);
  }
}

TEST_CASE("BatchNormBackward agrees with the reference, in dy's place too",
          "[batch_norm]") {
  Sweep(ForEachRandomProblem, 16.0, ExpectedBatchNorm, CompareBackward);
}

TEST_CASE("The reference of BatchNormBackward agrees with central differences",
          "[batch_norm]") {
  constexpr size_t kRows = 5, kCols = 3;
  Draw draw(6);
  std::vector<double> x(kRows * kCols), dy(x.size()), gamma(kCols), beta(kCols);
  for (auto* values : {&x, &dy, &gamma, &beta}) {
    for (double& value : *values) value = draw.Normal();
  }
  const uint8_t padding[kRows] = {0, 0, 1, 0, 0};
  for (unsigned bits = 0; bits < 4; ++bits) {
    LayerNormOptions options = SettingOf(bits).layer_norm;
    options.eps = 0.1;
    const auto loss = [&] {
      std::vector<double> y(x.size());
      reference::BatchNorm<double>({x.data(), kRows, kCols}, padding,
                                   gamma.data(), beta.data(), options,
                                   {y.data(), kRows, kCols}, nullptr, nullptr);
      double sum = 0.0;
      for (size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
      return sum;
    };
    std::vector<double> dx(x.size()), dgamma(kCols), dbeta(kCols);
    reference::BatchNormBackward<double>(
        {x.data(), kRows, kCols}, {dy.data(), kRows, kCols}, padding,
        gamma.data(), options, {dx.data(), kRows, kCols}, dgamma.data(),
        dbeta.data());
    CHECK(RelativeDistance(dx, CentralDifferences(x, loss)) < 1e-8);
    CHECK(RelativeDistance(dgamma, CentralDifferences(gamma, loss)) < 1e-8);
    CHECK(RelativeDistance(dbeta, CentralDifferences(beta, loss)) < 1e-8);
  }
}

TEST_CASE("BatchNorm ignores what padded rows hold and answers them with 0",
          "[batch_norm]") {
  ForEachTarget([] {
    constexpr size_t kRows = 6, kCols = 9;
    Draw draw(7);
    std::vector<float> x(kRows * kCols), y(x.size()), other(x.size());
    for (float& value : x) value = static_cast<float>(draw.Normal());
    const uint8_t padding[kRows] = {0, 1, 0, 0, 1, 0};
    const auto run = [&](std::vector<float>& out) {
      BatchNorm({x.data(), kRows, kCols}, padding, nullptr, nullptr, {},
                {out.data(), kRows, kCols}, nullptr, nullptr);
    };
    run(y);
    for (size_t i = 0; i < kCols; ++i) x[kCols + i] = std::nanf("");
    run(other);
    CHECK(y == other);
    for (size_t i = 0; i < kCols; ++i) CHECK(y[4 * kCols + i] == 0.0f);
  });
}

TEST_CASE("BatchNorm of a constant column or a single row is exactly beta",
          "[batch_norm]") {
  ForEachTarget([] {
    constexpr size_t kRows = 37, kCols = 5;
    const float constants[kCols] = {0.1f, 1000.1f, -3.3e38f, 1e-41f, 0.0f};
    const std::vector<float> gamma(kCols, 2.0f), beta = {1, 2, 3, 4, 5};
    std::vector<float> x, y(kRows * kCols);
    for (size_t r = 0; r < kRows; ++r) {
      x.insert(x.end(), constants, constants + kCols);
    }
    for (const size_t rows : {kRows, size_t{1}}) {
      for (const double eps : {1e-5, 0.0}) {
        BatchNorm({x.data(), rows, kCols}, nullptr, gamma.data(), beta.data(),
                  {eps}, {y.data(), rows, kCols}, nullptr, nullptr);
        for (size_t i = 0; i < rows * kCols; ++i) {
          CHECK(y[i] == beta[i % kCols]);
        }
      }
    }
  });
}

TEST_CASE("A NaN poisons its column only, and no batch at all gives nothing",
          "[batch_norm]") {
  ForEachTarget([] {
    constexpr size_t kRows = 4, kCols = 11;
    Draw draw(8);
    std::vector<float> x(kRows * kCols), y(x.size());
    for (float& value : x) value = static_cast<float>(draw.Normal());
    x[2 * kCols + 3] = std::nanf("");
    BatchNorm({x.data(), kRows, kCols}, nullptr, nullptr, nullptr, {},
              {y.data(), kRows, kCols}, nullptr, nullptr);
    for (size_t i = 0; i < y.size(); ++i) {
      CHECK(std::isnan(y[i]) == (i % kCols == 3));
    }
    const uint8_t padding[kRows] = {1, 1, 1, 1};
    float mean[kCols], rstd[kCols];
    BatchNorm({x.data(), kRows, kCols}, padding, nullptr, nullptr, {},
              {y.data(), kRows, kCols}, mean, rstd);
    CHECK(y == std::vector<float>(y.size(), 0.0f));
    for (size_t i = 0; i < kCols; ++i) CHECK((mean[i] == 0 && rstd[i] == 0));
  });
}

}  // namespace
}  // namespace testing
}  // namespace addnorm
