// Sums of which each of several blocks has added up a part.
#include "numbers.cuh"

// y[i] = the sum of x[p * n + i] over the parts p < parts, in order, plus a bias for each column
// where there is one.
#define SUM_OF_PARTS(suffix, T)                                                                  \
  extern "C" __global__ void sum_of_parts_##suffix(const float* x, const T* bias, T* y,          \
                                                   long long parts, int columns, long long n) {  \
    long long i = here();                                                                        \
    if (i >= n) return;                                                                          \
    float sum = 0.0f;                                                                            \
    for (long long part = 0; part < parts; part++) sum += x[part * n + i];                       \
    narrow(bias != nullptr ? sum + wide(bias[i % columns]) : sum, y[i]);                         \
  }                                                                                              \
  KERNEL(sum_of_parts_##suffix)
INSTANCES(SUM_OF_PARTS)
