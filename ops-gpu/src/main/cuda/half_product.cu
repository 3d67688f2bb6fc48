// y = a . b + bias of halves for each of a batch of matrices, by tensor cores, summed in float.
//
// A block computes a tile of y. It walks along the inner axis 32 elements at a time: while its warps
// multiply what lies in shared memory, its threads already hold the next elements in registers.
#include "fragments.cuh"
#include "product.cuh"

constexpr int DEPTH = 32;
constexpr int CHUNK = 8;  // halves in 16 bytes
constexpr int PADDING = 8;  // moves rows to other banks

// A tile of an operand in shared memory: LINES lines of LENGTH halves as they lie in the operand.
template <int LINES, int LENGTH, int THREADS>
struct Staged {
  static constexpr int STRIDE = LENGTH + PADDING;
  static constexpr int CHUNKS = LINES * LENGTH / CHUNK / THREADS;
  static_assert(CHUNKS * CHUNK * THREADS == LINES * LENGTH);
  uint4 held[CHUNKS];

  // Takes the tile that starts at (line, along) of an operand of `lines` lines, each `length` long;
  // 0 for what is beyond it.
  template <class T>
  __device__ __forceinline__ void take(const T* from, int lines, int length, int line, int along,
                                       int aligned) {
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      int chunk = static_cast<int>(threadIdx.x) + i * THREADS;
      int l = line + chunk / (LENGTH / CHUNK);
      int c = along + chunk % (LENGTH / CHUNK) * CHUNK;
      const T* at = from + static_cast<long long>(l) * length + c;
      held[i] = uint4{0, 0, 0, 0};
      if (l < lines && c < length) {
        if (aligned != 0) {
          held[i] = *reinterpret_cast<const uint4*>(at);
        } else {
          held[i] = uint4{pair(at, length - c), pair(at + 2, length - c - 2),
                          pair(at + 4, length - c - 4), pair(at + 6, length - c - 6)};
        }
      }
    }
  }

  // Two halves, of which `left` are inside.
  template <class T>
  static __device__ __forceinline__ unsigned pair(const T* at, int left) {
    const auto* bits = reinterpret_cast<const unsigned short*>(at);
    unsigned low = left > 0 ? bits[0] : 0;
    unsigned high = left > 1 ? bits[1] : 0;
    return low | high << 16;
  }

  __device__ __forceinline__ void put(unsigned short* to) const {
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
      int chunk = static_cast<int>(threadIdx.x) + i * THREADS;
      int place = chunk / (LENGTH / CHUNK) * STRIDE + chunk % (LENGTH / CHUNK) * CHUNK;
      *reinterpret_cast<uint4*>(to + place) = held[i];
    }
  }
};

template <class T, bool TRANSPOSED_A, bool TRANSPOSED_B, int M, int N, int WARP_M, int WARP_N>
struct HalfProduct {
  static constexpr int THREADS = (M / WARP_M) * (N / WARP_N) * 32;
  using A = Staged<TRANSPOSED_A ? DEPTH : M, TRANSPOSED_A ? M : DEPTH, THREADS>;
  using B = Staged<TRANSPOSED_B ? N : DEPTH, TRANSPOSED_B ? DEPTH : N, THREADS>;
  static constexpr int A_SIZE = (TRANSPOSED_A ? DEPTH : M) * A::STRIDE;
  static constexpr int B_SIZE = (TRANSPOSED_B ? N : DEPTH) * B::STRIDE;

  Operands<T> of;

  __device__ __forceinline__ void take(A& to_a, B& to_b, int from) const {
    of.template take<TRANSPOSED_A, TRANSPOSED_B>(to_a, to_b, static_cast<int>(blockIdx.x) * M,
                                                 static_cast<int>(blockIdx.y) * N, from);
  }

  // Rows `row` to `row` + 15 and inner elements `inner` to `inner` + 15 of the staged a.
  static __device__ __forceinline__ void left(unsigned (&to)[4], const unsigned short* as, int row,
                                              int inner) {
    if (TRANSPOSED_A) {
      left_by_columns(to, as + inner * A::STRIDE + row, A::STRIDE);
    } else {
      left_by_rows(to, as + row * A::STRIDE + inner, A::STRIDE);
    }
  }

  // Inner elements `inner` to `inner` + 15 of columns `column` to `column` + 15 of the staged b.
  static __device__ __forceinline__ void right(unsigned (&to)[4], const unsigned short* bs,
                                               int column, int inner) {
    if (TRANSPOSED_B) {
      right_by_columns(to, bs + column * B::STRIDE + inner, B::STRIDE);
    } else {
      right_by_rows(to, bs + inner * B::STRIDE + column, B::STRIDE);
    }
  }

  static constexpr int ROWS = WARP_M / 16;
  static constexpr int COLUMNS = WARP_N / 8;

  static __device__ __forceinline__ void multiply_staged(float (&sums)[ROWS][COLUMNS][4],
                                                         const unsigned short* as,
                                                         const unsigned short* bs, int row,
                                                         int column) {
#pragma unroll
    for (int inner = 0; inner < DEPTH; inner += 16) {
      unsigned fa[ROWS][4];
      unsigned fb[COLUMNS / 2][4];
#pragma unroll
      for (int i = 0; i < ROWS; i++) left(fa[i], as, row + 16 * i, inner);
#pragma unroll
      for (int j = 0; j < COLUMNS / 2; j++) right(fb[j], bs, column + 16 * j, inner);
#pragma unroll
      for (int i = 0; i < ROWS; i++) {
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
          multiply(sums[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1], T());
        }
      }
    }
  }

  // wide: the sums leave unrounded, in float.
  __device__ __forceinline__ void write(const float (&sums)[ROWS][COLUMNS][4], T* y, float* wide_y,
                                        int row, int column) const {
#pragma unroll
    for (int j = 0; j < 2 * COLUMNS; j++) {
      int c = column + 8 * (j / 2) + lane() % 4 * 2 + j % 2;
      if (c >= of.n) continue;
      float added = of.bias != nullptr ? wide(of.bias[c]) : 0.0f;
#pragma unroll
      for (int i = 0; i < 2 * ROWS; i++) {
        int r = row + lane() / 4 + 8 * i;
        if (r >= of.m) continue;
        float v = of.ended(sums[i / 2][j / 2][i % 2 * 2 + j % 2] + added);
        long long at = static_cast<long long>(r) * of.n + c;
        if (wide_y != nullptr) {
          wide_y[at] = v;
        } else {
          narrow(v, y[at]);
        }
      }
    }
  }

  __device__ __forceinline__ void run(T* y, float* wide_y) const {
    __shared__ __align__(16) unsigned short as[2][A_SIZE];
    __shared__ __align__(16) unsigned short bs[2][B_SIZE];
    int warp = static_cast<int>(threadIdx.x) / 32;
    int row = warp / (N / WARP_N) * WARP_M;
    int column = warp % (N / WARP_N) * WARP_N;
    float sums[ROWS][COLUMNS][4] = {};
    A next_a;
    B next_b;
    take(next_a, next_b, of.first);
    next_a.put(as[0]);
    next_b.put(bs[0]);
    __syncthreads();
    for (int from = of.first, stage = 0; from < of.last; from += DEPTH, stage ^= 1) {
      bool more = from + DEPTH < of.last;
      if (more) take(next_a, next_b, from + DEPTH);
      multiply_staged(sums, as[stage], bs[stage], row, column);
      if (more) {
        next_a.put(as[stage ^ 1]);
        next_b.put(bs[stage ^ 1]);
      }
      __syncthreads();
    }
    write(sums, y, wide_y, static_cast<int>(blockIdx.x) * M + row,
          static_cast<int>(blockIdx.y) * N + column);
  }
};

// y is of T, or of float where `widens` is not 0.
#define HALF_PRODUCT(name, suffix, T, TA, TB, M, N, WM, WN)                                      \
  extern "C" __global__ void __launch_bounds__((M / WM) * (N / WN) * 32)                         \
      name##_##suffix(const T* a, const T* b, const T* bias, void* y, int widens,                \
                      const Product of, const View of_a, const View of_b) {                      \
    long long start = blockIdx.z * of.m * of.n;                                                  \
    T* narrow_y = static_cast<T*>(y) + start;                                                    \
    float* wide_y = widens != 0 ? static_cast<float*>(y) + start : nullptr;                      \
    HalfProduct<T, TA, TB, M, N, WM, WN>{operands(a, b, bias, of, of_a, of_b)}                   \
        .run(narrow_y, wide_y);                                                                  \
  }                                                                                              \
  KERNEL(name##_##suffix)

#define HALF_PRODUCTS(suffix, T)                                                                 \
  HALF_PRODUCT(half_product_nn_64, suffix, T, false, false, 64, 64, 32, 32)                      \
  HALF_PRODUCT(half_product_nt_64, suffix, T, false, true, 64, 64, 32, 32)                       \
  HALF_PRODUCT(half_product_tn_64, suffix, T, true, false, 64, 64, 32, 32)                       \
  HALF_PRODUCT(half_product_tt_64, suffix, T, true, true, 64, 64, 32, 32)                        \
  HALF_PRODUCT(half_product_nn_128, suffix, T, false, false, 128, 128, 64, 32)                   \
  HALF_PRODUCT(half_product_nt_128, suffix, T, false, true, 128, 128, 64, 32)                    \
  HALF_PRODUCT(half_product_tn_128, suffix, T, true, false, 128, 128, 64, 32)                    \
  HALF_PRODUCT(half_product_tt_128, suffix, T, true, true, 128, 128, 64, 32)
HALF_PRODUCTS(fp16, fp16)
HALF_PRODUCTS(bf16, bf16)
