// Sequences as recurrent ops walk through them, step by step, all samples at a time.
#pragma once

#include "numbers.cuh"
#include "problem.cuh"

constexpr int TILE = 16;

// See Pass; x is [steps, samples, inputs].
struct Walk {
  long long steps, samples, hidden;
  long long reverse;
};

// What it takes to find the steps of a sample: none of them where its length is out of range.
struct Sequences {
  Walk walk;
  const int* lengths;  // null where all are as long as x

  __device__ __forceinline__ bool in_range(long long sample) const {
    return lengths == nullptr || (lengths[sample] >= 0 && lengths[sample] <= walk.steps);
  }
  __device__ __forceinline__ long long length(long long sample) const {
    return lengths == nullptr ? walk.steps : (in_range(sample) ? lengths[sample] : 0);
  }
  // Where step `number`, counted as they are walked, stands in a tensor [steps, samples, ...].
  __device__ __forceinline__ long long row(long long number, long long sample) const {
    long long step = walk.reverse != 0 ? length(sample) - 1 - number : number;
    return step * walk.samples + sample;
  }
};

__device__ __forceinline__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// Element `unit` of a sample's state: initial ones that are not given are 0.
template <class T>
__device__ __forceinline__ float initial(const T* states, long long element) {
  return states == nullptr ? 0.0f : wide(states[element]);
}
