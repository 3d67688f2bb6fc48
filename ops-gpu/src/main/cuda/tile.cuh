// Products of matrices by blocks of 256 threads: a block makes a tile of the result of 16 * R rows
// and 64 columns, of which each thread keeps R * 4 sums; the inner index goes through shared memory
// in steps of 16. Each sum is added up in float, in the order of the inner index.
#pragma once

#include "numbers.cuh"

constexpr int THREADS = 256;
constexpr int SIDE = 16;              // the threads of a block lie in a square
constexpr int STEP = 16;              // how far the inner index goes between two barriers
constexpr int PER_THREAD = 4;         // columns of the tile that a thread adds up
constexpr int COLUMNS = PER_THREAD * SIDE;

// A step of the inner index; one element more in each row, so that writes meet fewer conflicts.
template <int R>
struct Tile {
  float a[STEP][R * SIDE + 1];
  float b[STEP][COLUMNS + 1];
};

// Fills one side of a tile: at(inner, place, round) gives an element; round counts the elements of
// this thread. With inner_first neighbouring threads ask for neighbours along the inner index (this
// one's is threadIdx.x % STEP), else for neighbouring places.
template <int WIDTH, class At>
__device__ __forceinline__ void fill(float (&side)[STEP][WIDTH], bool inner_first, At at) {
  constexpr int PLACES = WIDTH - 1;
  for (int round = 0; round < STEP * PLACES / THREADS; round++) {
    int i = round * THREADS + static_cast<int>(threadIdx.x);
    int inner = inner_first ? i % STEP : i / PLACES;
    int place = inner_first ? i / STEP : i % PLACES;
    side[inner][place] = at(inner, place, round);
  }
}

// The first row and column of the tile that this thread adds up; the next are SIDE further.
__device__ __forceinline__ int own_row() { return static_cast<int>(threadIdx.x) / SIDE; }
__device__ __forceinline__ int own_column() { return static_cast<int>(threadIdx.x) % SIDE; }

template <int R>
__device__ __forceinline__ void multiply(const Tile<R>& tile, float (&sums)[R][PER_THREAD]) {
  for (int inner = 0; inner < STEP; inner++) {
    float b[PER_THREAD];
    for (int c = 0; c < PER_THREAD; c++) b[c] = tile.b[inner][own_column() + SIDE * c];
    for (int r = 0; r < R; r++) {
      float a = tile.a[inner][own_row() + SIDE * r];
      for (int c = 0; c < PER_THREAD; c++) sums[r][c] = fmaf(a, b[c], sums[r][c]);
    }
  }
}
