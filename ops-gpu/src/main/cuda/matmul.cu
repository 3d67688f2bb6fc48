// y = a . b for each of a batch of matrices, added up in float, in the order of the inner index.
#include "numbers.cuh"

constexpr int TILE = 16;

// Where the elements of a matrix lie: row r, column c at r * row + c * column.
struct Strides {
  long long batch;
  int row, column;
};

template <class T, class R>
__device__ __forceinline__ void matmul(const T* a, const T* b, R* y, int m, int n, int k,
                                       Strides sa, Strides sb) {
  __shared__ float as[TILE][TILE + 1];
  __shared__ float bs[TILE][TILE + 1];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int column = blockIdx.x * TILE + tx;
  a += blockIdx.z * sa.batch;
  b += blockIdx.z * sb.batch;
  float sum = 0.0f;
  for (int from = 0; from < k; from += TILE) {
    int ka = from + tx;
    int kb = from + ty;
    as[ty][tx] = row < m && ka < k
                     ? wide(a[static_cast<long long>(row) * sa.row +
                              static_cast<long long>(ka) * sa.column])
                     : 0.0f;
    bs[ty][tx] = kb < k && column < n
                     ? wide(b[static_cast<long long>(kb) * sb.row +
                              static_cast<long long>(column) * sb.column])
                     : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum = fmaf(as[ty][i], bs[i][tx], sum);
    __syncthreads();
  }
  if (row < m && column < n) {
    narrow(sum, y[static_cast<long long>(blockIdx.z) * m * n + static_cast<long long>(row) * n +
                  column]);
  }
}

// wide: the sum leaves unrounded, in float.
#define MATMUL(suffix, T)                                                                        \
  extern "C" __global__ void __launch_bounds__(256)                                              \
      matmul_##suffix(const T* a, const T* b, T* y, int m, int n, int k, long long batch_a,      \
                      int row_a, int column_a, long long batch_b, int row_b, int column_b) {     \
    matmul(a, b, y, m, n, k, Strides{batch_a, row_a, column_a},                                  \
           Strides{batch_b, row_b, column_b});                                                   \
  }                                                                                              \
  KERNEL(matmul_##suffix)                                                                        \
  extern "C" __global__ void __launch_bounds__(256)                                              \
      matmul_wide_##suffix(const T* a, const T* b, float* y, int m, int n, int k,                \
                           long long batch_a, int row_a, int column_a, long long batch_b,        \
                           int row_b, int column_b) {                                            \
    matmul(a, b, y, m, n, k, Strides{batch_a, row_a, column_a},                                  \
           Strides{batch_b, row_b, column_b});                                                   \
  }                                                                                              \
  KERNEL(matmul_wide_##suffix)
INSTANCES(MATMUL)
