// Kernels that test the rig itself.
#include "ahead.cuh"
#include "block.cuh"

extern "C" __global__ void axpy(float a, const float* x, float* y, int n) {
  long long i = here();
  if (i < n) y[i] += a * x[i];
}
KERNEL(axpy)

// y[block] = the sum of the squares of the block's share of x.
extern "C" __global__ void sum_of_squares(const float* x, float* y, int n) {
  float sum = 0.0f;
  for (long long i = here(); i < n; i += static_cast<long long>(gridDim.x) * blockDim.x) {
    sum += x[i] * x[i];
  }
  sum = over_block<Sum>(sum, 0.0f);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
KERNEL(sum_of_squares)

// Reverses each block's share of x; with `barrier` 0 it lacks one and depends on the order of threads.
extern "C" __global__ void reverse(const float* x, float* y, int barrier) {
  __shared__ float share[256];
  share[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  if (barrier != 0) __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = share[255 - threadIdx.x];
}
KERNEL(reverse)

// Half of each warp waits for the block, the other half for the warp.
extern "C" __global__ void diverge() {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}
KERNEL(diverge)

extern "C" __global__ void write_behind(float* x, int n) { x[n + threadIdx.x] = 1.0f; }
KERNEL(write_behind)

// Reverses what lies in shared memory whose size the launch says, where it is copied meanwhile; with
// `waits` 0 nobody waits for that.
extern "C" __global__ void reverse_ahead(const float* x, float* y, int n, int waits) {
  SHARED_MEMORY(memory);
  auto* share = reinterpret_cast<float*>(memory);
  for (int i = static_cast<int>(threadIdx.x) * 4; i < n; i += static_cast<int>(blockDim.x) * 4) {
    copy_ahead(share + i, x + i, i != 4);  // four zeros in the place of the second four
  }
  if (waits != 0) copies_there();
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    y[i] = share[n - 1 - i];
  }
}
KERNEL(reverse_ahead)
