// Data that cannot be computed on, as kernels note it: see ProblemWord.java.
#pragma once

#include "numbers.cuh"

constexpr int PLACE_BITS = 40;
constexpr unsigned long long NO_PROBLEM = ~0ull;

// The words, and the number of the task that would note a place, shifted above the place.
struct Problem {
  unsigned long long* words;
  unsigned long long base;
};

// Element i of indices, labels or lengths, which have 4 or 8 bytes each.
__device__ __forceinline__ long long whole(const void* values, int bytes, long long i) {
  return bytes == 8 ? static_cast<const long long*>(values)[i] : static_cast<const int*>(values)[i];
}

// Of all places that a task notes the smallest stays, and what an earlier one completed.
__device__ __forceinline__ void note(const Problem& problem, long long place) {
  if (problem.words[2] == NO_PROBLEM) {
    atomicMin(problem.words, problem.base + static_cast<unsigned long long>(place));
  }
}

// What this task noted and what is not complete yet; -1 where there is nothing.
__device__ __forceinline__ long long noted(const Problem& problem) {
  unsigned long long word = problem.words[0];
  bool own = word != NO_PROBLEM && word >> PLACE_BITS == problem.base >> PLACE_BITS;
  bool open = own && problem.words[2] == NO_PROBLEM;
  return open ? static_cast<long long>(word & ((1ull << PLACE_BITS) - 1)) : -1;
}

__device__ __forceinline__ void complete(const Problem& problem, long long value) {
  problem.words[1] = static_cast<unsigned long long>(value);
  problem.words[2] = 0;
}
