// The functions of strict.cuh, place by place.
#include "strict.cuh"

extern "C" __global__ void strict_log2(const float* x, double* y, long long n) {
  long long i = here();
  if (i < n) y[i] = strict::log2(x[i]);
}
KERNEL(strict_log2)

extern "C" __global__ void strict_power_of_two(const double* x, double* y, long long n) {
  long long i = here();
  if (i < n) y[i] = strict::power_of_two(x[i]);
}
KERNEL(strict_power_of_two)
