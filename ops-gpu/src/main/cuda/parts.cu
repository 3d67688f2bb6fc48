// Sums of which each of several blocks has added up a part.
#include "numbers.cuh"

// y[i] = the sum of x[p * n + i] over the parts p < parts, in order, plus a bias for each column
// where there is one; below 0 it becomes 0 where relu is not 0.
#define SUM_OF_PARTS(suffix, T)                                                                  \
  extern "C" __global__ void sum_of_parts_##suffix(const float* x, const T* bias, T* y,          \
                                                   long long parts, int columns, int relu,       \
                                                   long long n) {                                \
    long long i = here();                                                                        \
    if (i >= n) return;                                                                          \
    float sum = 0.0f;                                                                            \
    for (long long part = 0; part < parts; part++) sum += x[part * n + i];                       \
    if (bias != nullptr) sum += wide(bias[i % columns]);                                         \
    narrow(relu != 0 ? rectified(sum) : sum, y[i]);                                              \
  }                                                                                              \
  KERNEL(sum_of_parts_##suffix)
INSTANCES(SUM_OF_PARTS)

// The same of many parts: a block adds up 32 sums, whose parts its 8 warps take in turn; what these
// have is added up in order.
#define SUM_OF_MANY_PARTS(suffix, T)                                                             \
  extern "C" __global__ void sum_of_many_parts_##suffix(const float* x, const T* bias, T* y,     \
                                                        long long parts, int columns, int relu,  \
                                                        long long n) {                           \
    __shared__ float of_warp[8][32];                                                             \
    int lane = static_cast<int>(threadIdx.x) % 32;                                               \
    int turn = static_cast<int>(threadIdx.x) / 32;                                               \
    long long i = static_cast<long long>(blockIdx.x) * 32 + lane;                                \
    float sum = 0.0f;                                                                            \
    for (long long part = turn; i < n && part < parts; part += 8) sum += x[part * n + i];        \
    of_warp[turn][lane] = sum;                                                                   \
    __syncthreads();                                                                             \
    if (turn != 0 || i >= n) return;                                                             \
    for (int other = 1; other < 8; other++) sum += of_warp[other][lane];                         \
    if (bias != nullptr) sum += wide(bias[i % columns]);                                         \
    narrow(relu != 0 ? rectified(sum) : sum, y[i]);                                              \
  }                                                                                              \
  KERNEL(sum_of_many_parts_##suffix)
INSTANCES(SUM_OF_MANY_PARTS)
