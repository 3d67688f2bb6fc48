// Reductions over the threads of a block of one axis, at most 1024, a multiple of 32: always in the
// same order, so that the same numbers give the same bits.
#pragma once

#include "numbers.cuh"

struct Sum {
  template <class T>
  static __device__ __forceinline__ T of(T a, T b) {
    return a + b;
  }
};

// NaN where either is.
struct Largest {
  template <class T>
  static __device__ __forceinline__ T of(T a, T b) {
    return a != a || a > b ? a : b;
  }
};

// Gives every thread the result. All threads must take part.
template <class How, class T>
__device__ __forceinline__ T over_block(T v, T nothing) {
  __shared__ T of_warp[32];
  for (int mask = 16; mask > 0; mask >>= 1) v = How::of(v, __shfl_xor_sync(0xffffffffu, v, mask));
  unsigned warps = blockDim.x / 32;
  __syncthreads();  // whoever reads an earlier result has done so
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < warps ? of_warp[threadIdx.x % 32] : nothing;
  for (int mask = 16; mask > 0; mask >>= 1) v = How::of(v, __shfl_xor_sync(0xffffffffu, v, mask));
  return v;
}
