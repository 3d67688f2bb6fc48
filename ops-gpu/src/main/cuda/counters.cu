// Counters and flags of a step, by one thread, and the sums of a window of micro-batches, by one
// thread for each element.
#include "numbers.cuh"

extern "C" __global__ void increment(const long long* n, long long* y) {
  if (here() == 0) y[0] = n[0] + 1;
}
KERNEL(increment)

extern "C" __global__ void restart(long long* y) {
  if (here() == 0) y[0] = 0;
}
KERNEL(restart)

extern "C" __global__ void count_refused(const long long* n, const unsigned char* good,
                                         long long* y) {
  if (here() == 0) y[0] = good[0] != 0 ? 0 : n[0] + 1;
}
KERNEL(count_refused)

extern "C" __global__ void count_finite(const long long* n, const unsigned char* finite,
                                        long long* y) {
  if (here() == 0) y[0] = n[0] + (finite[0] != 0 ? 1 : 0);
}
KERNEL(count_finite)

// See Hopeful.
extern "C" __global__ void hopeful(const unsigned char* applied, const float* loss,
                                   const float* scale, const float* next, unsigned char* y) {
  if (here() != 0) return;
  bool finite = loss[0] - loss[0] == 0.0f;
  y[0] = applied[0] != 0 || (finite && next[0] < scale[0]) ? 1 : 0;
}
KERNEL(hopeful)

// See WindowClean.
extern "C" __global__ void window_clean(const unsigned char* finite, const long long* taken,
                                        const long long* kept, unsigned char* y) {
  if (here() == 0) y[0] = finite[0] != 0 && taken[0] == kept[0] ? 1 : 0;
}
KERNEL(window_clean)

// See WindowScale.
extern "C" __global__ void window_scale(const float* scale, const long long* taken,
                                        const long long* kept, float* y, int whole) {
  if (here() != 0) return;
  bool dropped = kept[0] == 0 || (whole != 0 && kept[0] < taken[0]);
  y[0] = dropped ? NAN : static_cast<float>(scale[0] * static_cast<double>(kept[0]));
}
KERNEL(window_scale)

// See Accumulate.
extern "C" __global__ void accumulate(const float* sum, const float* x, const long long* count,
                                      float* y, long long n) {
  long long i = here();
  if (i < n) y[i] = count[0] == 0 ? x[i] : sum[i] + x[i];
}
KERNEL(accumulate)

// See WindowStatistic.
extern "C" __global__ void window_statistic(const float* pending, const float* statistic,
                                            const long long* kept, float* y, long long n) {
  long long i = here();
  if (i < n) y[i] = kept[0] == 0 ? statistic[i] : pending[i];
}
KERNEL(window_statistic)
