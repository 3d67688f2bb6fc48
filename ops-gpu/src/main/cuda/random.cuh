// Random numbers as RandomKey draws them: counters run through a mixer, so that they depend on no
// order of threads.
#pragma once

#include "numbers.cuh"

__device__ __forceinline__ unsigned long long mix(unsigned long long state,
                                                  unsigned long long word) {
  unsigned long long z = (state ^ word) + 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

// Who draws: the stream of a key, and the numbers of the samples, `each` elements of each of them.
struct Draw {
  unsigned long long stream;
  const void* samples;
  long long bytes;  // of a sample's number, 4 or 8
  long long each;
};

// 53 random bits for element i of all samples.
__device__ __forceinline__ long long drawn(const Draw& draw, long long i) {
  long long at = i / draw.each;
  long long sample = draw.bytes == 8 ? static_cast<const long long*>(draw.samples)[at]
                                     : static_cast<const int*>(draw.samples)[at];
  unsigned long long own = mix(draw.stream, static_cast<unsigned long long>(sample));
  return static_cast<long long>(
      mix(own, static_cast<unsigned long long>(i - at * draw.each)) >> 11);
}
