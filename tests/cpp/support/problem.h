// One set of inputs and options, drawn at random, that any kernel can be given.
#ifndef ADDNORM_TESTS_CPP_SUPPORT_PROBLEM_H_
#define ADDNORM_TESTS_CPP_SUPPORT_PROBLEM_H_

#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "cpp/support/draw.h"
#include "cpp/support/guarded.h"
#include "cpp/support/row_kinds.h"
#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {
namespace testing {

// What is chosen before the numbers are drawn.
struct Setting {
  size_t rows = 0;
  size_t cols = 0;
  bool has_gamma = true;
  bool has_beta = true;
  bool has_dsum = true;
  // Whether the optional results (mean, rstd, dfx, dgamma ...) are asked for:
  // Wants(k) is bit k.
  unsigned wanted = ~0u;
  // Pointer k lies kMisalignments[(first + k * step) % 3] floats past a
  // multiple of 64 bytes.
  size_t misalignment = 0;
  size_t misalignment_step = 0;
  LayerNormOptions layer_norm;
  RmsNormOptions rms_norm;
  double beta_scale = 0.1;

  bool Wants(unsigned k) const { return (wanted >> k & 1u) != 0; }

  size_t Misalignment(size_t k) const {
    constexpr std::array<size_t, 3> kMisalignments = {0, 1, 3};
    return kMisalignments[(misalignment + k * misalignment_step) % 3];
  }
};

struct Problem : Setting {
  // `origin` says how to make the problem again.
  Problem(const Setting& setting, Draw draw, std::string origin_text)
      : Setting(setting),
        origin(std::move(origin_text)),
        x(rows * cols, Misalignment(0)),
        fx(rows * cols, Misalignment(1)),
        dy(rows * cols, Misalignment(2)),
        dsum(rows * cols, Misalignment(3)),
        gamma(cols, Misalignment(4)),
        beta(cols, Misalignment(5)),
        first_dgamma(cols),
        first_dbeta(cols) {
    const size_t first_kind = draw.Below(kRowKinds.size());
    for (size_t row = 0; row < rows; ++row) {
      kinds.push_back((first_kind + row) % kRowKinds.size());
      const RowKind kind = kRowKinds[kinds.back()].first;
      FillRow(kind, draw, x.data() + row * cols, cols);
      FillRow(kind, draw, fx.data() + row * cols, cols);
    }
    for (size_t i = 0; i < rows * cols; ++i) {
      // Of the row's kind too, but so that no sum leaves float32's range.
      fx[i] *= 0.125f;
      dy[i] = static_cast<float>(draw.Normal());
      dsum[i] = static_cast<float>(draw.Normal());
    }
    // No gain and no y is so near 0 that it is a small difference of large
    // numbers in every feature of a row.
    const bool around_one = rms_norm.gamma_offset != 0.0f;
    for (size_t i = 0; i < cols; ++i) {
      gamma[i] = static_cast<float>(around_one ? draw.Signed(0.25, 0.75)
                                               : draw.Signed(0.5, 2.0));
      beta[i] = static_cast<float>(beta_scale * draw.Signed(0.5, 1.0));
      first_dgamma[i] = static_cast<float>(draw.Normal());
      first_dbeta[i] = static_cast<float>(draw.Normal());
    }
  }

  ConstMatrix X() const { return {x.data(), rows, cols}; }
  ConstMatrix Fx() const { return {fx.data(), rows, cols}; }
  ConstMatrix Dy() const { return {dy.data(), rows, cols}; }
  ConstMatrix Dsum() const {
    return {has_dsum ? dsum.data() : nullptr, rows, cols};
  }
  const float* Gamma() const { return has_gamma ? gamma.data() : nullptr; }
  const float* Beta() const { return has_beta ? beta.data() : nullptr; }

  // Room for the k-th result, filled with what no kernel computes.
  Guarded MatrixResult(size_t k) const {
    return Guarded(rows * cols, Misalignment(6 + k), -77.0f);
  }
  Guarded RowResult(size_t k) const {
    return Guarded(rows, Misalignment(6 + k), -77.0f);
  }

  Matrix View(Guarded& values) const { return {values.data(), rows, cols}; }

  std::string Describe() const {
    std::ostringstream text;
    text << origin << ": " << rows << " x " << cols << ", eps "
         << layer_norm.eps
         << (layer_norm.eps_placement == EpsPlacement::kInside ? " inside"
                                                               : " outside")
         << (layer_norm.variance == Variance::kPopulation ? ", population"
                                                          : ", sample")
         << (has_gamma ? ", gamma" : ", no gamma")
         << (has_beta ? ", beta" : ", no beta")
         << (has_dsum ? ", dsum" : ", no dsum") << ", gamma offset "
         << rms_norm.gamma_offset << ", wanted " << (wanted & 7u)
         << ", misaligned " << misalignment << " + " << misalignment_step
         << " k";
    return text.str();
  }

  std::string DescribeRow(size_t row) const {
    return Describe() + ", row " + std::to_string(row) + " (" +
           kRowKinds[kinds[row]].second + ")";
  }

  std::string origin;
  std::vector<size_t> kinds;  // of each row, by place in kRowKinds
  Guarded x, fx, dy, dsum, gamma, beta;
  std::vector<float> first_dgamma, first_dbeta;
};

// The same inputs in double, for the references.
struct DoubleInputs {
  explicit DoubleInputs(const Problem& problem)
      : x(Doubles(problem.x)),
        dy(Doubles(problem.dy)),
        dsum(Doubles(problem.dsum)),
        gamma(Doubles(problem.gamma)),
        beta(Doubles(problem.beta)),
        problem_(problem) {}

  static std::vector<double> Doubles(const Guarded& values) {
    return {values.data(), values.data() + values.size()};
  }

  using View = MatrixView<const double>;
  View X() const { return {x.data(), problem_.rows, problem_.cols}; }
  View Dy() const { return {dy.data(), problem_.rows, problem_.cols}; }
  View Dsum() const {
    return {problem_.has_dsum ? dsum.data() : nullptr, problem_.rows,
            problem_.cols};
  }
  const double* Gamma() const {
    return problem_.has_gamma ? gamma.data() : nullptr;
  }
  const double* Beta() const {
    return problem_.has_beta ? beta.data() : nullptr;
  }

  std::vector<double> x, dy, dsum, gamma, beta;

 private:
  const Problem& problem_;
};

}  // namespace testing
}  // namespace addnorm

#endif  // ADDNORM_TESTS_CPP_SUPPORT_PROBLEM_H_
