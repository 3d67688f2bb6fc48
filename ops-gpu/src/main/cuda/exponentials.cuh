// Sums of exponentials, shifted so that none overflows, with all digits where one of them is nearly all.
#pragma once

#include "block.cuh"

// A sum of exponentials relative to the largest, of which one, the largest's own, is 1. Without
// that one it is near 0 where there is nothing else to choose, and has all its digits there.
struct Exponentials {
  float largest;
  float others;  // added up, without that one

  __device__ __forceinline__ float sum() const { return 1.0f + others; }
  __device__ __forceinline__ float log_sum() const { return log1pf(others); }
  // The softmax of x, and what is missing of 1 there.
  __device__ __forceinline__ float share(float x) const { return expf(x - largest) / sum(); }
  __device__ __forceinline__ float missing(float x) const {
    return x == largest ? others / sum() : 1.0f - share(x);
  }
};

// What a thread has seen of the exponentials.
struct SeenExponentials {
  float ones = 0.0f;
  float less = 0.0f;  // the sum of those below 1; NaN where there is a NaN

  __device__ __forceinline__ void add(float exponential) {
    if (exponential == 1.0f) {
      ones += 1.0f;
    } else {
      less += exponential;
    }
  }
};

// Those of a row, by the threads of a block.
template <class T>
__device__ __forceinline__ Exponentials exponentials(const T* x, int classes) {
  float most = -INFINITY;
  for (int c = threadIdx.x; c < classes; c += blockDim.x) most = Largest::of(wide(x[c]), most);
  float largest = over_block<Largest>(most, -INFINITY);
  SeenExponentials seen;
  for (int c = threadIdx.x; c < classes; c += blockDim.x) seen.add(expf(wide(x[c]) - largest));
  float ones = over_block<Sum>(seen.ones, 0.0f);
  return {largest, (ones - 1.0f) + over_block<Sum>(seen.less, 0.0f)};
}
