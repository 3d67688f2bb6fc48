// Attention: a block for a tile of queries of a head and a chunk of the values' columns. It goes
// through the keys tile by tile; what was added up before is scaled down where a larger score comes
// (Dao et al., "FlashAttention", NeurIPS 2022, section 3.1).
#include "attention.cuh"

template <class How>
__device__ __forceinline__ float over_warp(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v = How::of(v, __shfl_xor_sync(0xffffffffu, v, mask));
  return v;
}

// What is known of the rows of a tile.
struct Rows {
  float largest[TILE];
  float sum[TILE];
  float factor[TILE];  // what sums so far are multiplied by
};

// Turns a tile of scores to exponentials relative to the largest so far. A warp for each row.
__device__ __forceinline__ void exponentials(Tile& tile, Rows& rows) {
  int lane = threadIdx.x % 32;
  for (int row = threadIdx.x / 32; row < TILE; row += SIDE * SIDE / 32) {
    float score = tile[row][lane];
    float before = rows.largest[row];
    float largest = Largest::of(before, over_warp<Largest>(score));
    float exponential = score == -INFINITY ? 0.0f : expf(score - largest);
    float sum = over_warp<Sum>(exponential);
    tile[row][lane] = exponential;
    __syncwarp();  // all have read what lane 0 writes
    if (lane == 0) {
      float factor = before == largest ? 1.0f : expf(before - largest);
      rows.largest[row] = largest;
      rows.factor[row] = factor;
      rows.sum[row] = rows.sum[row] * factor + sum;
    }
  }
}

template <class T>
__device__ __forceinline__ void attention(const T* q, const T* k, const T* v,
                                          const Looking& looking, T* y, float* logarithms,
                                          const Sizes& of) {
  __shared__ Tile left;
  __shared__ Tile right;
  __shared__ Tile weights;
  __shared__ float values[TILE][CHUNK];
  __shared__ Rows rows;
  Thread own = thread();
  int tiles = static_cast<int>((of.queries + TILE - 1) / TILE);
  long long head = blockIdx.x / tiles;
  int first_query = static_cast<int>(blockIdx.x % tiles) * TILE;
  int first_column = blockIdx.y * CHUNK;
  int count = steps(of.width, first_column);
  int width = static_cast<int>(of.width);
  int keys = static_cast<int>(of.keys);
  float sums[OWN][COLUMNS];
  clear(sums);
  if (threadIdx.x < TILE) {
    rows.largest[threadIdx.x] = -INFINITY;
    rows.sum[threadIdx.x] = 0.0f;
  }
  for (int first_key = 0; first_key < keys; first_key += TILE) {
    float score[OWN][OWN];
    scores(of, looking, head, q, k, first_query, first_key, left, right, score);
    __syncthreads();  // whoever reads weights and values has done so
    for (int i = 0; i < OWN; i++) {
      for (int j = 0; j < OWN; j++) weights[own.y + SIDE * i][own.x + SIDE * j] = score[i][j];
    }
    load<CHUNK>(v + head * keys * width, keys, width, first_key, first_column, values);
    __syncthreads();
    exponentials(weights, rows);
    __syncthreads();
    UNROLL
    for (int c = 0; c < COLUMNS; c++) {
      sums[0][c] *= rows.factor[own.y];
      sums[1][c] *= rows.factor[own.y + SIDE];
    }
    add_rows([&](int row, int key) { return weights[row][key]; }, values, count, sums);
  }
  for (int i = 0; i < OWN; i++) {
    int row = own.y + SIDE * i;
    bool nothing = rows.largest[row] == -INFINITY;
    UNROLL
    for (int c = 0; c < COLUMNS; c++) sums[i][c] /= nothing ? 1.0f : rows.sum[row];
    if (own.x == 0 && blockIdx.y == 0 && first_query + row < of.queries) {
      logarithms[head * of.queries + first_query + row] =
          nothing ? -INFINITY : rows.largest[row] + logf(rows.sum[row]);
    }
  }
  store<T>(sums, y, false, head, static_cast<int>(of.queries), width, first_query, first_column);
}

#define ATTENTION(suffix, T)                                                                     \
  extern "C" __global__ void __launch_bounds__(256)                                              \
      attention_##suffix(const T* q, const T* k, const T* v, const unsigned char* mask, T* y,    \
                         float* logarithms, float scale, Sizes of) {                             \
    attention(q, k, v, Looking{mask, scale}, y, logarithms, of);                                 \
  }                                                                                              \
  KERNEL(attention_##suffix)
INSTANCES(ATTENTION)
