// What a row of logits is shifted by, so that no exponential overflows.
#pragma once

#include "block.cuh"

// The row's largest logit, and the logarithm of the sum of exponentials relative to it.
template <class T>
__device__ __forceinline__ void shifts(const T* x, int classes, float& largest, float& log_sum) {
  float most = -INFINITY;
  for (int c = threadIdx.x; c < classes; c += blockDim.x) most = Largest::of(wide(x[c]), most);
  largest = over_block<Largest>(most, -INFINITY);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < classes; c += blockDim.x) sum += expf(wide(x[c]) - largest);
  log_sum = logf(over_block<Sum>(sum, 0.0f));
}
