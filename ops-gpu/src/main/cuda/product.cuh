// What all products of matrices are told: y [m, n] = a [m, k] . b [k, n] for each of a batch.
#pragma once

#include "view.cuh"

struct Product {
  long long m, n, k;
  long long matrices;
  long long chunk;  // how much of the inner axis is added up by one block: the rest are other parts
  long long relu;       // whether what is below 0 becomes 0
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

// What a block multiplies: a pair of matrices, and what of their inner axis.
template <class T>
struct Operands {
  const T* a;
  const T* b;
  const T* bias;  // of each column, or null
  int m, n, k;
  int first, last;  // what of the inner axis is added up: whole steps of it, or to its end
  float least;  // of y: 0 where ReLU ends it
  int aligned_a, aligned_b;

  // NaN stays.
  __device__ __forceinline__ float ended(float v) const { return v < least ? least : v; }

  // Takes the tiles of both that start at this row, this column and `from` along the inner axis.
  template <bool TRANSPOSED_A, bool TRANSPOSED_B, class A, class B>
  __device__ __forceinline__ void take(A& to_a, B& to_b, int row, int column, int from) const {
    if (TRANSPOSED_A) {
      to_a.take(a, k, m, from, row, aligned_a);
    } else {
      to_a.take(a, m, k, row, from, aligned_a);
    }
    if (TRANSPOSED_B) {
      to_b.take(b, n, k, column, from, aligned_b);
    } else {
      to_b.take(b, k, n, from, column, aligned_b);
    }
  }
};

template <class T>
__device__ __forceinline__ Operands<T> operands(const T* a, const T* b, const T* bias,
                                                const Product& of, const View& of_a,
                                                const View& of_b) {
  return {a + matrix(of, of_a) * of.m * of.k,
          b + matrix(of, of_b) * of.k * of.n,
          bias,
          static_cast<int>(of.m),
          static_cast<int>(of.n),
          static_cast<int>(of.k),
          first(of),
          last(of),
          of.relu != 0 ? 0.0f : -INFINITY,
          static_cast<int>(of.aligned_a),
          static_cast<int>(of.aligned_b)};
}
