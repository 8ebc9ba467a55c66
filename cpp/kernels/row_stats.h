// Mean, standard deviation and root mean square of each row.
#ifndef ADDNORM_KERNELS_ROW_STATS_H_
#define ADDNORM_KERNELS_ROW_STATS_H_

#include "kernels/norm_options.h"
#include "matrix.h"

namespace addnorm {

// For each row of x (rows x d): mean = sum(x) / d, std = sqrt(variance) with
// the divisor that `variance` names, rms = sqrt(sum(x^2) / d). Each output
// holds `rows` values or is null. A row of no values gives zeros; NaN or
// infinity shows in the statistics of its own row only.
void RowStats(const ConstMatrix& x, Variance variance, float* mean, float* std,
              float* rms);

}  // namespace addnorm

#endif  // ADDNORM_KERNELS_ROW_STATS_H_
