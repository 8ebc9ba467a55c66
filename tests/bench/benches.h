// One function a kernel: checks it against its reference, then times it.
#ifndef ADDNORM_TESTS_BENCH_BENCHES_H_
#define ADDNORM_TESTS_BENCH_BENCHES_H_

namespace addnorm {
namespace bench {

void BenchResidualAdd();
void BenchLayerNorm();
void BenchRmsNorm();
void BenchAddNorm();
void BenchRowStats();

}  // namespace bench
}  // namespace addnorm

#endif  // ADDNORM_TESTS_BENCH_BENCHES_H_
