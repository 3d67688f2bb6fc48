// What attention and its gradient share: scores of a tile of queries and a tile of keys, worked on
// by a block of 256 threads, of which thread (x, y) of 16 by 16 has rows y and y + 16 and columns
// x, x + 16, ...
#pragma once

#include "block.cuh"

constexpr int TILE = 32;    // queries or keys
constexpr int SIDE = 16;    // threads along each axis
constexpr int CHUNK = 128;  // columns of a result that a block fills
constexpr int OWN = 2;      // rows of a tile for each thread, and columns
constexpr int COLUMNS = CHUNK / SIDE;

// See AttentionKernels.java. The mask is repeated where a stride is 0.
struct Sizes {
  long long heads, queries, keys, features, width;
  long long causal;
  long long mask_sample, mask_head, mask_query, mask_key;
};

// What a query looks at.
struct Looking {
  const unsigned char* mask;  // none: all keys
  float scale;
};

struct Thread {
  int x, y;
};

__device__ __forceinline__ Thread thread() {
  return {static_cast<int>(threadIdx.x) % SIDE, static_cast<int>(threadIdx.x) / SIDE};
}

using Tile = float[TILE][TILE + 1];

// Elements of a part of a matrix of `columns` columns; 0 beyond its rows and columns. Loaded by all
// threads, neighbours along a row.
template <int WIDTH, int PITCH, class T>
__device__ __forceinline__ void load(const T* from, int rows, int columns, int first_row,
                                     int first_column, float (&to)[TILE][PITCH]) {
  for (int i = threadIdx.x; i < TILE * WIDTH; i += SIDE * SIDE) {
    int row = i / WIDTH;
    int column = i % WIDTH;
    bool inside = first_row + row < rows && first_column + column < columns;
    to[row][column] = inside ? wide(from[static_cast<long long>(first_row + row) * columns +
                                         first_column + column])
                             : 0.0f;
  }
}

// product[i][j] = row y + 16 i of a . row x + 16 j of b, rows counted from the first of each tile;
// left and right are where parts of them are kept. All threads take part.
template <class T>
__device__ __forceinline__ void tile_product(const T* a, int a_rows, int a_first, const T* b,
                                             int b_rows, int b_first, int inner, Tile& left,
                                             Tile& right, float (&product)[OWN][OWN]) {
  Thread own = thread();
  for (int i = 0; i < OWN; i++) {
    for (int j = 0; j < OWN; j++) product[i][j] = 0.0f;
  }
  for (int from = 0; from < inner; from += TILE) {
    __syncthreads();  // whoever reads the parts before has done so
    load<TILE>(a, a_rows, inner, a_first, from, left);
    load<TILE>(b, b_rows, inner, b_first, from, right);
    __syncthreads();
    for (int f = 0; f < TILE; f++) {
      for (int i = 0; i < OWN; i++) {
        for (int j = 0; j < OWN; j++) {
          product[i][j] =
              fmaf(left[own.y + SIDE * i][f], right[own.x + SIDE * j][f], product[i][j]);
        }
      }
    }
  }
}

// Whether any query of a tile comes at or after a key of another, where that counts.
__device__ __forceinline__ bool meet(const Sizes& of, int first_query, int first_key) {
  return of.causal == 0 || first_key < first_query + TILE;
}

__device__ __forceinline__ bool takes_part(const Sizes& of, const Looking& looking,
                                           long long head, int query, int key) {
  if (query >= of.queries || key >= of.keys || (of.causal != 0 && key > query)) return false;
  if (looking.mask == nullptr) return true;
  return looking.mask[head / of.heads * of.mask_sample + head % of.heads * of.mask_head +
                      query * of.mask_query + key * of.mask_key] != 0;
}

// Scores of a tile, -infinity where a key takes no part.
template <class T>
__device__ __forceinline__ void scores(const Sizes& of, const Looking& looking, long long head,
                                       const T* q, const T* k, int first_query, int first_key,
                                       Tile& left, Tile& right, float (&score)[OWN][OWN]) {
  Thread own = thread();
  bool any = meet(of, first_query, first_key);
  int features = any ? static_cast<int>(of.features) : 0;
  int queries = static_cast<int>(of.queries);
  int keys = static_cast<int>(of.keys);
  if (features > 0) {
    const T* queried = q + head * queries * features;
    const T* offered = k + head * keys * features;
    tile_product(queried, queries, first_query, offered, keys, first_key, features, left, right,
                 score);
  }
  for (int i = 0; i < OWN; i++) {
    for (int j = 0; j < OWN; j++) {
      bool part = any && takes_part(of, looking, head, first_query + own.y + SIDE * i,
                                    first_key + own.x + SIDE * j);
      score[i][j] = part ? looking.scale * score[i][j] : -INFINITY;
    }
  }
}

// How many columns of a chunk this thread's block fills, in steps of 16.
__device__ __forceinline__ int steps(long long columns, int first_column) {
  long long left = columns - first_column;
  long long all = (left + SIDE - 1) / SIDE;
  return static_cast<int>(all < 0 ? 0 : all < COLUMNS ? all : COLUMNS);
}

// sums[i][c] += over the rows r of a tile, weight[i][r] times row r of `values`: weight(i, r) for
// row y + 16 i.
template <class Weight>
__device__ __forceinline__ void add_rows(Weight weight, const float (&values)[TILE][CHUNK],
                                         int count, float (&sums)[OWN][COLUMNS]) {
  Thread own = thread();
  for (int r = 0; r < TILE; r++) {
    float upper = weight(own.y, r);
    float lower = weight(own.y + SIDE, r);
    UNROLL
    for (int c = 0; c < COLUMNS; c++) {
      if (c < count) {
        float v = values[r][own.x + SIDE * c];
        sums[0][c] = fmaf(upper, v, sums[0][c]);
        sums[1][c] = fmaf(lower, v, sums[1][c]);
      }
    }
  }
}

__device__ __forceinline__ void clear(float (&sums)[OWN][COLUMNS]) {
  UNROLL
  for (int c = 0; c < COLUMNS; c++) {
    sums[0][c] = 0.0f;
    sums[1][c] = 0.0f;
  }
}

// Writes the sums that lie inside of a result; unrounded if it is in float.
template <class T>
__device__ __forceinline__ void store(const float (&sums)[OWN][COLUMNS], void* to, bool in_float,
                                      long long head, int rows, int columns, int first_row,
                                      int first_column) {
  Thread own = thread();
  for (int i = 0; i < OWN; i++) {
    UNROLL
    for (int c = 0; c < COLUMNS; c++) {
      int row = first_row + own.y + SIDE * i;
      int column = first_column + own.x + SIDE * c;
      if (row < rows && column < columns) {
        long long at = (head * rows + row) * columns + column;
        if (in_float) {
          static_cast<float*>(to)[at] = sums[i][c];
        } else {
          narrow(sums[i][c], static_cast<T*>(to)[at]);
        }
      }
    }
  }
}
