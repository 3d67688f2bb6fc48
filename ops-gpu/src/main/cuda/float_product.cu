// y = a . b + bias in float for each of a batch of matrices, added up in the order of the inner
// index.
//
// A block computes a tile of y, each of its 16 x 16 threads squares of 4 x 4 of it. Both operands lie
// in shared memory with the inner axis first, so that a thread reads its four rows and its four
// columns at once.
#include "product.cuh"

constexpr int DEPTH = 16;
constexpr int CHUNK = 4;  // floats in 16 bytes
constexpr int ACROSS = 16;
constexpr int THREADS = ACROSS * ACROSS;

// DEPTH x WIDTH elements of an operand. INNER says that the inner axis is its fast one.
template <bool INNER, int WIDTH>
struct Staged {
  static constexpr int LENGTH = INNER ? DEPTH : WIDTH;
  static constexpr int STRIDE = WIDTH + CHUNK;
  static constexpr int CHUNKS = DEPTH * WIDTH / CHUNK / THREADS;
  static_assert(CHUNKS * CHUNK * THREADS == DEPTH * WIDTH);
  float4 held[CHUNKS];

  static __device__ __forceinline__ int line(int i) {
    return (static_cast<int>(threadIdx.x) + i * THREADS) / (LENGTH / CHUNK);
  }

  static __device__ __forceinline__ int along(int i) {
    return (static_cast<int>(threadIdx.x) + i * THREADS) % (LENGTH / CHUNK) * CHUNK;
  }

  // Takes the tile that starts at (first, start) of an operand of `lines` lines of `length` each; 0
  // for what is beyond it.
  __device__ __forceinline__ void take(const float* from, int lines, int length, int first,
                                       int start, int aligned) {
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      int l = first + line(i);
      int c = start + along(i);
      const float* at = from + static_cast<long long>(l) * length + c;
      held[i] = float4{0.0f, 0.0f, 0.0f, 0.0f};
      if (l < lines && c < length) {
        if (aligned != 0) {
          held[i] = *reinterpret_cast<const float4*>(at);
        } else {
          held[i] = float4{at[0], c + 1 < length ? at[1] : 0.0f, c + 2 < length ? at[2] : 0.0f,
                           c + 3 < length ? at[3] : 0.0f};
        }
      }
    }
  }

  __device__ __forceinline__ void put(float (*to)[STRIDE]) const {
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      if (INNER) {
        to[along(i)][line(i)] = held[i].x;
        to[along(i) + 1][line(i)] = held[i].y;
        to[along(i) + 2][line(i)] = held[i].z;
        to[along(i) + 3][line(i)] = held[i].w;
      } else {
        *reinterpret_cast<float4*>(&to[line(i)][along(i)]) = held[i];
      }
    }
  }
};

template <bool TRANSPOSED_A, bool TRANSPOSED_B, int TILE>
struct FloatProduct {
  using A = Staged<!TRANSPOSED_A, TILE>;
  using B = Staged<TRANSPOSED_B, TILE>;
  static constexpr int SQUARES = TILE / (4 * ACROSS);  // along each axis
  static constexpr int OWN = 4 * SQUARES;

  Operands<float> of;

  __device__ __forceinline__ void take(A& to_a, B& to_b, int from) const {
    of.template take<TRANSPOSED_A, TRANSPOSED_B>(to_a, to_b, static_cast<int>(blockIdx.x) * TILE,
                                                 static_cast<int>(blockIdx.y) * TILE, from);
  }

  // Where number i of a thread's rows or columns lies in the tile.
  static __device__ __forceinline__ int own(int thread, int i) {
    return i / 4 * 4 * ACROSS + thread * 4 + i % 4;
  }

  static __device__ __forceinline__ void four(float* to, const float* from) {
    float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
  }

  static __device__ __forceinline__ void multiply_staged(float (&sums)[OWN][OWN],
                                                         const float (*as)[A::STRIDE],
                                                         const float (*bs)[B::STRIDE], int down,
                                                         int across) {
#pragma unroll
    for (int inner = 0; inner < DEPTH; inner++) {
      float left[OWN];
      float right[OWN];
#pragma unroll
      for (int i = 0; i < OWN; i += 4) {
        four(left + i, &as[inner][own(down, i)]);
        four(right + i, &bs[inner][own(across, i)]);
      }
#pragma unroll
      for (int i = 0; i < OWN; i++) {
#pragma unroll
        for (int j = 0; j < OWN; j++) sums[i][j] = fmaf(left[i], right[j], sums[i][j]);
      }
    }
  }

  __device__ __forceinline__ void run(float* y) const {
    __shared__ __align__(16) float as[2][DEPTH][A::STRIDE];
    __shared__ __align__(16) float bs[2][DEPTH][B::STRIDE];
    int down = static_cast<int>(threadIdx.x) / ACROSS;
    int across = static_cast<int>(threadIdx.x) % ACROSS;
    float sums[OWN][OWN] = {};
    A next_a;
    B next_b;
    take(next_a, next_b, of.first);
    next_a.put(as[0]);
    next_b.put(bs[0]);
    __syncthreads();
    for (int from = of.first, stage = 0; from < of.last; from += DEPTH, stage ^= 1) {
      bool more = from + DEPTH < of.last;
      if (more) take(next_a, next_b, from + DEPTH);
      multiply_staged(sums, as[stage], bs[stage], down, across);
      if (more) {
        next_a.put(as[stage ^ 1]);
        next_b.put(bs[stage ^ 1]);
      }
      __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN; j++) {
      int column = static_cast<int>(blockIdx.y) * TILE + own(across, j);
      if (column >= of.n) continue;
      float added = of.bias != nullptr ? of.bias[column] : 0.0f;
#pragma unroll
      for (int i = 0; i < OWN; i++) {
        int row = static_cast<int>(blockIdx.x) * TILE + own(down, i);
        if (row < of.m) {
          y[static_cast<long long>(row) * of.n + column] = of.ended(sums[i][j] + added);
        }
      }
    }
  }
};

#define FLOAT_PRODUCT(name, TA, TB, TILE)                                                        \
  extern "C" __global__ void __launch_bounds__(THREADS)                                          \
      name(const float* a, const float* b, const float* bias, float* y, const Product of,        \
           const View of_a, const View of_b) {                                                   \
    FloatProduct<TA, TB, TILE>{operands(a, b, bias, of, of_a, of_b)}                             \
        .run(y + blockIdx.z * of.m * of.n);                                                      \
  }                                                                                              \
  KERNEL(name)
FLOAT_PRODUCT(float_product_nn_64, false, false, 64)
FLOAT_PRODUCT(float_product_nt_64, false, true, 64)
FLOAT_PRODUCT(float_product_tn_64, true, false, 64)
FLOAT_PRODUCT(float_product_tt_64, true, true, 64)
FLOAT_PRODUCT(float_product_nn_128, false, false, 128)
FLOAT_PRODUCT(float_product_nt_128, false, true, 128)
FLOAT_PRODUCT(float_product_tn_128, true, false, 128)
FLOAT_PRODUCT(float_product_tt_128, true, true, 128)
