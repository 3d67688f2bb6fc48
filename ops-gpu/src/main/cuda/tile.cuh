// Products of matrices by blocks of 256 threads: a block makes a tile of the result of 16 * R rows
// and 64 columns, of which each thread keeps some sums. The inner index goes through shared memory,
// a step of it at a time. What kinds of tiles there are differ in how they multiply; all say
//
//   STEP           how far the inner index goes between two barriers
//   left, right    the elements of the operands in shared memory
//   Sums, at       what a thread adds up: OWN_ROWS x OWN_COLUMNS sums in float
//   row, column    where these lie in the tile
//   takes_part     whether this thread adds up anything
//   multiply       adds the step's products to them
#pragma once

#include "numbers.cuh"

constexpr int THREADS = 256;
constexpr int COLUMNS = 64;

// In float: each sum is added up in the order of the inner index.
template <int R>
struct FloatTile {
  static constexpr int STEP = 16;
  static constexpr int SIDE = 16;  // the threads of a block lie in a square
  static constexpr int OWN_ROWS = R;
  static constexpr int OWN_COLUMNS = COLUMNS / SIDE;

  // One element more in each line, so that writes meet fewer conflicts.
  float a[STEP][R * SIDE + 1];
  float b[STEP][COLUMNS + 1];

  struct Sums {
    float of[OWN_ROWS][OWN_COLUMNS] = {};
    __device__ __forceinline__ float& at(int r, int c) { return of[r][c]; }
  };

  __device__ __forceinline__ float& left(int inner, int row) { return a[inner][row]; }
  __device__ __forceinline__ float& right(int inner, int column) { return b[inner][column]; }

  static __device__ __forceinline__ bool takes_part() { return true; }
  static __device__ __forceinline__ int row(int r) {
    return static_cast<int>(threadIdx.x) / SIDE + SIDE * r;
  }
  static __device__ __forceinline__ int column(int c) {
    return static_cast<int>(threadIdx.x) % SIDE + SIDE * c;
  }

  __device__ __forceinline__ void multiply(Sums& sums) const {
    for (int inner = 0; inner < STEP; inner++) {
      float own[OWN_COLUMNS];
      for (int c = 0; c < OWN_COLUMNS; c++) own[c] = b[inner][column(c)];
      for (int r = 0; r < OWN_ROWS; r++) {
        float v = a[inner][row(r)];
        for (int c = 0; c < OWN_COLUMNS; c++) sums.of[r][c] = fmaf(v, own[c], sums.of[r][c]);
      }
    }
  }
};

// Fills a side of a tile of `places` rows or columns: at(inner, place, round) gives an element, and
// put(inner, place, element) takes it; round counts the elements of this thread. With inner_first
// neighbouring threads ask for neighbours along the inner index (this one's is threadIdx.x % STEP),
// else for neighbouring places.
template <int STEP, int PLACES, class At, class Put>
__device__ __forceinline__ void fill(bool inner_first, At at, Put put) {
  UNROLL
  for (int round = 0; round < STEP * PLACES / THREADS; round++) {
    int i = round * THREADS + static_cast<int>(threadIdx.x);
    int inner = inner_first ? i % STEP : i / PLACES;
    int place = inner_first ? i / STEP : i % PLACES;
    put(inner, place, at(inner, place, round));
  }
}
