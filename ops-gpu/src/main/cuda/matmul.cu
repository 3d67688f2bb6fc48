// y = a . b for each of a batch of matrices, plus a bias for each column where there is one.
#include "product.cuh"
#include "view.cuh"

// Sizes, and where elements lie: row r, column c of a matrix at r * row + c * column.
struct Product {
  long long m, n, k;
  long long matrices, across, down;  // across and down: tiles of each
  long long chunk;                   // how much of k is added up in one part of y
  long long row_a, column_a, row_b, column_b;
};

// y has as many parts as there are chunks, each with all its matrices. The views tell which matrix
// of an operand belongs to one of y.
template <int R, class T, class Y>
__device__ __forceinline__ void matmul(const T* a, const T* b, const T* bias, Y* y,
                                       const Product& of, const View& of_a, const View& of_b) {
  __shared__ Tile<R> tile;
  long long block = blockIdx.x;
  int tile_column = static_cast<int>(block % of.across) * COLUMNS;
  block /= of.across;
  int tile_row = static_cast<int>(block % of.down) * R * SIDE;
  block /= of.down;
  long long matrix = block % of.matrices;
  long long start = block / of.matrices * of.chunk;
  int m = static_cast<int>(of.m);
  int n = static_cast<int>(of.n);
  int last = static_cast<int>(start + of.chunk < of.k ? start + of.chunk : of.k);
  int row_a = static_cast<int>(of.row_a);
  int column_a = static_cast<int>(of.column_a);
  int row_b = static_cast<int>(of.row_b);
  int column_b = static_cast<int>(of.column_b);
  a += place(of_a, matrix) * of.m * of.k;
  b += place(of_b, matrix) * of.k * of.n;
  float sums[R][PER_THREAD] = {};
  for (int from = static_cast<int>(start); from < last; from += STEP) {
    __syncthreads();
    fill(tile.a, column_a == 1, [&](int inner, int place, int) {
      bool there = tile_row + place < m && from + inner < last;
      return there ? wide(a[(tile_row + place) * row_a + (from + inner) * column_a]) : 0.0f;
    });
    fill(tile.b, row_b == 1, [&](int inner, int place, int) {
      bool there = tile_column + place < n && from + inner < last;
      return there ? wide(b[(from + inner) * row_b + (tile_column + place) * column_b]) : 0.0f;
    });
    __syncthreads();
    multiply(tile, sums);
  }
  y += block * m * n;
  for (int r = 0; r < R; r++) {
    int row = tile_row + own_row() + SIDE * r;
    for (int c = 0; c < PER_THREAD; c++) {
      int column = tile_column + own_column() + SIDE * c;
      if (row >= m || column >= n) continue;
      float added = bias != nullptr ? wide(bias[column]) : 0.0f;
      narrow(sums[r][c] + added, y[row * n + column]);
    }
  }
}

#define INSTANCE(name, R, T, Y)                                                                  \
  extern "C" __global__ void __launch_bounds__(THREADS)                                          \
      name(const T* a, const T* b, const T* bias, Y* y, Product of, View of_a, View of_b) {      \
    matmul<R>(a, b, bias, y, of, of_a, of_b);                                                    \
  }                                                                                              \
  KERNEL(name)

#define MATMUL(suffix, T)                                                                        \
  INSTANCE(matmul_64_##suffix, 4, T, T)                                                          \
  INSTANCE(matmul_16_##suffix, 1, T, T)
INSTANCES(MATMUL)

// The sums leave unrounded, in float.
INSTANCE(matmul_wide_64_fp16, 4, fp16, float)
INSTANCE(matmul_wide_16_fp16, 1, fp16, float)
INSTANCE(matmul_wide_64_bf16, 4, bf16, float)
INSTANCE(matmul_wide_16_bf16, 1, bf16, float)
