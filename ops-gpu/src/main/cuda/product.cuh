// What all products of matrices are told: y [m, n] = a [m, k] . b [k, n] for each of a batch.
#pragma once

#include "view.cuh"

struct Product {
  long long m, n, k;
  long long matrices;
  long long chunk;  // how much of the inner axis is added up by one block: the rest are other parts
  long long aligned_a, aligned_b;  // whether all lines start on boundaries of 16 bytes
};

// Which matrix of an operand this block takes: there are as many parts as chunks, and of each part
// all matrices.
__device__ __forceinline__ long long matrix(const Product& of, const View& operand) {
  return place(operand, blockIdx.z % of.matrices);
}

__device__ __forceinline__ int first(const Product& of) {
  return static_cast<int>(blockIdx.z / of.matrices * of.chunk);
}

__device__ __forceinline__ int last(const Product& of) {
  long long end = first(of) + of.chunk;
  return static_cast<int>(end < of.k ? end : of.k);
}
