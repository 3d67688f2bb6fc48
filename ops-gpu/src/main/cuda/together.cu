// Small ops of one kind in one launch, a row of blocks for each.
#include "convert.cuh"
#include "run.cuh"

constexpr int ROWS = 64;

struct Averages {
  const float* running[ROWS];
  const float* batch[ROWS];
  float* y[ROWS];
  double keep[ROWS];
  double take[ROWS];
  long long n[ROWS];
};

// y = keep * running + take * batch.
extern "C" __global__ void running_averages(Averages all) {
  int row = static_cast<int>(blockIdx.y);
  long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = here(); i < all.n[row]; i += step) {
    all.y[row][i] = static_cast<float>(all.keep[row] * all.running[row][i] +
                                       all.take[row] * all.batch[row][i]);
  }
}
KERNEL(running_averages)

template <class T>
struct Casts {
  const float* x[ROWS];
  T* y[ROWS];
  long long n[ROWS];
};

template <class T>
__device__ __forceinline__ void cast_all(const Casts<T>& all, int overflow) {
  int row = static_cast<int>(blockIdx.y);
  long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  auto rounded = [=](T& to, float v) { store(v, overflow, to); };
  for (long long i = here(); i * RUN < all.n[row]; i += step) {
    run_from(i * RUN, rounded, all.n[row], all.y[row], all.x[row]);
  }
}

#define CAST_ALL(to, To)                                                                         \
  extern "C" __global__ void cast_all_fp32_##to(Casts<To> all, int overflow) {                   \
    cast_all(all, overflow);                                                                     \
  }                                                                                              \
  KERNEL(cast_all_fp32_##to)
CAST_ALL(fp16, fp16)
CAST_ALL(bf16, bf16)
