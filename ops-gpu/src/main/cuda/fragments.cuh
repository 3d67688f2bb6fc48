// What a warp reads of shared memory for one product of tensor cores: 16 x 16 halves of the left
// operand, or of the right one. `at` is where they start; lines lie `stride` halves apart, each on a
// boundary of 16 bytes.
#pragma once

#include "mma.cuh"

__device__ __forceinline__ int lane() { return static_cast<int>(threadIdx.x) % 32; }

// Of the left operand, whose lines are its rows.
template <class H>
__device__ __forceinline__ void left_by_rows(unsigned (&to)[4], const H* at, int stride) {
  load_matrices(to, at + lane() % 16 * stride + lane() / 16 * 8);
}

// The same, whose lines are its columns.
template <class H>
__device__ __forceinline__ void left_by_columns(unsigned (&to)[4], const H* at, int stride) {
  load_transposed(to, at + (lane() / 16 * 8 + lane() % 8) * stride + lane() / 8 % 2 * 8);
}

// Of the right operand, whose lines are its rows.
template <class H>
__device__ __forceinline__ void right_by_rows(unsigned (&to)[4], const H* at, int stride) {
  load_transposed(to, at + (lane() / 8 % 2 * 8 + lane() % 8) * stride + lane() / 16 * 8);
}

// The same, whose lines are its columns.
template <class H>
__device__ __forceinline__ void right_by_columns(unsigned (&to)[4], const H* at, int stride) {
  load_matrices(to, at + (lane() / 16 * 8 + lane() % 8) * stride + lane() / 8 % 2 * 8);
}
