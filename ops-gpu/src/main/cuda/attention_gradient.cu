// The gradients of attention. Probabilities are computed anew, from the logarithms that attention
// kept; see ScaledDotProductAttentionGradient, whose names stand here.
#include "attention.cuh"

// What all gradients are computed from.
template <class T>
struct Given {
  const T* d;
  const T* q;
  const T* k;
  const T* v;
  const float* logarithms;
};

// Probabilities p of a tile of queries and keys, and g, the gradients by them.
template <class T>
__device__ __forceinline__ void probabilities(const Given<T>& given, const Looking& looking,
                                              const Sizes& of, long long head, int first_query,
                                              int first_key, Tile& left, Tile& right,
                                              float (&p)[OWN][OWN], float (&g)[OWN][OWN]) {
  scores(of, looking, head, given.q, given.k, first_query, first_key, left, right, p);
  int queries = static_cast<int>(of.queries);
  int keys = static_cast<int>(of.keys);
  int width = static_cast<int>(of.width);
  tile_product(given.d + head * queries * width, queries, first_query,
               given.v + head * keys * width, keys, first_key, width, left, right, g);
  for (int i = 0; i < OWN; i++) {
    int query = first_query + thread().y + SIDE * i;
    float logarithm = query < queries ? given.logarithms[head * queries + query] : -INFINITY;
    for (int j = 0; j < OWN; j++) {
      bool nothing = logarithm == -INFINITY || p[i][j] == -INFINITY;
      p[i][j] = nothing ? 0.0f : expf(p[i][j] - logarithm);
    }
  }
}

// h = scale * p * (g - mean), mean being that of each query; 0 beyond queries and keys.
__device__ __forceinline__ float slope(const Looking& looking, const Sizes& of, int query, int key,
                                       float p, float g, float mean) {
  return query < of.queries && key < of.keys ? looking.scale * p * (g - mean) : 0.0f;
}

// Adds up a tile's rows, a warp for each.
__device__ __forceinline__ void add_up(const Tile& tile, float (&sums)[TILE]) {
  for (int row = threadIdx.x / 32; row < TILE; row += SIDE * SIDE / 32) {
    float sum = tile[row][threadIdx.x % 32];
    for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    if (threadIdx.x % 32 == 0) sums[row] += sum;
  }
}

// dq: a block for a tile of queries and a chunk of the features. First it adds up p * g over the
// keys, which it keeps in `means` for the other gradients.
template <class T>
__device__ __forceinline__ void query_gradient(const Given<T>& given, const Looking& looking,
                                               float* means, void* dq, bool in_float,
                                               const Sizes& of) {
  __shared__ Tile left;
  __shared__ Tile right;
  __shared__ Tile slopes;
  __shared__ float rows[TILE][CHUNK];
  __shared__ float mean[TILE];
  Thread own = thread();
  int queries = static_cast<int>(of.queries);
  int keys = static_cast<int>(of.keys);
  int features = static_cast<int>(of.features);
  int tiles = (queries + TILE - 1) / TILE;
  long long head = blockIdx.x / tiles;
  int first_query = static_cast<int>(blockIdx.x % tiles) * TILE;
  int first_column = blockIdx.y * CHUNK;
  int count = steps(features, first_column);
  float p[OWN][OWN];
  float g[OWN][OWN];
  if (threadIdx.x < TILE) mean[threadIdx.x] = 0.0f;
  for (int first_key = 0; first_key < keys; first_key += TILE) {
    probabilities(given, looking, of, head, first_query, first_key, left, right, p, g);
    __syncthreads();
    for (int i = 0; i < OWN; i++) {
      for (int j = 0; j < OWN; j++) {
        slopes[own.y + SIDE * i][own.x + SIDE * j] = p[i][j] * g[i][j];
      }
    }
    __syncthreads();
    add_up(slopes, mean);
  }
  __syncthreads();
  if (blockIdx.y == 0 && threadIdx.x < TILE && first_query + threadIdx.x < of.queries) {
    means[head * queries + first_query + threadIdx.x] = mean[threadIdx.x];
  }
  float sums[OWN][COLUMNS];
  clear(sums);
  for (int first_key = 0; first_key < keys; first_key += TILE) {
    probabilities(given, looking, of, head, first_query, first_key, left, right, p, g);
    __syncthreads();
    for (int i = 0; i < OWN; i++) {
      int row = own.y + SIDE * i;
      for (int j = 0; j < OWN; j++) {
        int key = own.x + SIDE * j;
        slopes[row][key] = slope(looking, of, first_query + row, first_key + key, p[i][j], g[i][j],
                                 mean[row]);
      }
    }
    load<CHUNK>(given.k + head * keys * features, keys, features, first_key, first_column, rows);
    __syncthreads();
    add_rows([&](int row, int key) { return slopes[row][key]; }, rows, count, sums);
  }
  store<T>(sums, dq, in_float, head, queries, features, first_query, first_column);
}

// dk and dv: a block for a tile of keys and a chunk of the features, and of the values' columns.
template <class T>
__device__ __forceinline__ void key_gradient(const Given<T>& given, const Looking& looking,
                                             const float* means, void* dk, bool dk_in_float,
                                             void* dv, bool dv_in_float, const Sizes& of) {
  __shared__ Tile left;
  __shared__ Tile right;
  __shared__ Tile weights;
  __shared__ Tile slopes;
  __shared__ float rows[TILE][CHUNK];
  Thread own = thread();
  int queries = static_cast<int>(of.queries);
  int keys = static_cast<int>(of.keys);
  int features = static_cast<int>(of.features);
  int width = static_cast<int>(of.width);
  int tiles = (keys + TILE - 1) / TILE;
  long long head = blockIdx.x / tiles;
  int first_key = static_cast<int>(blockIdx.x % tiles) * TILE;
  int first_column = blockIdx.y * CHUNK;
  float of_keys[OWN][COLUMNS];
  float of_values[OWN][COLUMNS];
  clear(of_keys);
  clear(of_values);
  for (int first_query = 0; first_query < queries; first_query += TILE) {
    float p[OWN][OWN];
    float g[OWN][OWN];
    probabilities(given, looking, of, head, first_query, first_key, left, right, p, g);
    __syncthreads();
    for (int i = 0; i < OWN; i++) {
      int query = first_query + own.y + SIDE * i;
      float mean = query < queries ? means[head * queries + query] : 0.0f;
      for (int j = 0; j < OWN; j++) {
        int key = own.x + SIDE * j;
        weights[own.y + SIDE * i][key] = p[i][j];
        slopes[own.y + SIDE * i][key] =
            slope(looking, of, query, first_key + key, p[i][j], g[i][j], mean);
      }
    }
    load<CHUNK>(given.d + head * queries * width, queries, width, first_query, first_column, rows);
    __syncthreads();
    add_rows([&](int key, int query) { return weights[query][key]; }, rows,
             steps(width, first_column), of_values);
    __syncthreads();
    load<CHUNK>(given.q + head * queries * features, queries, features, first_query, first_column,
                rows);
    __syncthreads();
    add_rows([&](int key, int query) { return slopes[query][key]; }, rows,
             steps(features, first_column), of_keys);
  }
  store<T>(of_keys, dk, dk_in_float, head, keys, features, first_key, first_column);
  store<T>(of_values, dv, dv_in_float, head, keys, width, first_key, first_column);
}

#define ATTENTION_GRADIENT(suffix, T)                                                            \
  extern "C" __global__ void __launch_bounds__(256)                                              \
      attention_query_gradient_##suffix(                                                         \
          const T* d, const T* q, const T* k, const T* v, const float* logarithms,               \
          const unsigned char* mask, float scale, float* means, void* dq, int in_float,          \
          Sizes of) {                                                                            \
    query_gradient(Given<T>{d, q, k, v, logarithms}, Looking{mask, scale}, means, dq,            \
                   in_float != 0, of);                                                           \
  }                                                                                              \
  KERNEL(attention_query_gradient_##suffix)                                                      \
  extern "C" __global__ void __launch_bounds__(256)                                              \
      attention_key_gradient_##suffix(                                                           \
          const T* d, const T* q, const T* k, const T* v, const float* logarithms,               \
          const unsigned char* mask, float scale, const float* means, void* dk, int dk_in_float, \
          void* dv, int dv_in_float, Sizes of) {                                                 \
    key_gradient(Given<T>{d, q, k, v, logarithms}, Looking{mask, scale}, means, dk,              \
                 dk_in_float != 0, dv, dv_in_float != 0, of);                                    \
  }                                                                                              \
  KERNEL(attention_key_gradient_##suffix)
INSTANCES(ATTENTION_GRADIENT)
