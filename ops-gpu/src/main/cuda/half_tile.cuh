// Tiles of halves, multiplied by tensor cores and added up in float: see tile.cuh.
#pragma once

#include "fragments.cuh"
#include "tile.cuh"

// BY_ROWS says whether the lines of b in shared memory are its rows (as wide as the tile) or its
// columns: whichever neighbouring threads fill.
template <int R, class T, bool BY_ROWS>
struct HalfTile {
  static constexpr int STEP = 32;
  static constexpr int ACROSS = 4;                // warps side by side, of 16 columns each
  static constexpr int DOWN = R < 2 ? 1 : 2;      // warps below each other
  static constexpr int SQUARES = R / DOWN;        // of 16 x 16 that each warp adds up
  static constexpr int OWN_ROWS = 2 * SQUARES;
  static constexpr int OWN_COLUMNS = 4;
  static constexpr int PADDING = 8;  // moves lines to other banks
  static constexpr int A_STRIDE = STEP + PADDING;
  static constexpr int B_STRIDE = (BY_ROWS ? COLUMNS : STEP) + PADDING;
  static_assert(ACROSS * DOWN * 32 <= THREADS && SQUARES * DOWN == R);

  __align__(16) T a[R * 16 * A_STRIDE];
  __align__(16) T b[(BY_ROWS ? STEP : COLUMNS) * B_STRIDE];

  // As the products of tensor cores yield them: for each square two of 16 x 8.
  struct Sums {
    float of[SQUARES][2][4] = {};
    __device__ __forceinline__ float& at(int r, int c) {
      return of[r / 2][c / 2][r % 2 * 2 + c % 2];
    }
  };

  __device__ __forceinline__ T& left(int inner, int row) { return a[row * A_STRIDE + inner]; }
  __device__ __forceinline__ T& right(int inner, int column) {
    return b[BY_ROWS ? inner * B_STRIDE + column : column * B_STRIDE + inner];
  }

  static __device__ __forceinline__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
  static __device__ __forceinline__ bool takes_part() { return warp() < ACROSS * DOWN; }
  static __device__ __forceinline__ int top() { return warp() / ACROSS * 16 * SQUARES; }
  static __device__ __forceinline__ int start() { return warp() % ACROSS * 16; }
  static __device__ __forceinline__ int row(int r) {
    return top() + r / 2 * 16 + lane() / 4 + r % 2 * 8;
  }
  static __device__ __forceinline__ int column(int c) {
    return start() + c / 2 * 8 + lane() % 4 * 2 + c % 2;
  }

  __device__ __forceinline__ void multiply(Sums& sums) const {
    UNROLL
    for (int inner = 0; inner < STEP; inner += 16) {
      unsigned right[4];
      if (BY_ROWS) {
        right_by_rows(right, b + inner * B_STRIDE + start(), B_STRIDE);
      } else {
        right_by_columns(right, b + start() * B_STRIDE + inner, B_STRIDE);
      }
      UNROLL
      for (int i = 0; i < SQUARES; i++) {
        unsigned left[4];
        left_by_rows(left, a + (top() + 16 * i) * A_STRIDE + inner, A_STRIDE);
        ::multiply(sums.of[i][0], left, right[0], right[1], T());
        ::multiply(sums.of[i][1], left, right[2], right[3], T());
      }
    }
  }
};

// Halves go to tensor cores, floats do not.
template <int R, class T, bool BY_ROWS>
struct TileOf {
  using type = HalfTile<R, T, BY_ROWS>;
};
template <int R, bool BY_ROWS>
struct TileOf<R, float, BY_ROWS> {
  using type = FloatTile<R>;
};
