// Gradients of convolutions by the weight. The inner index goes over all places of all samples'
// windows, of which each part of the sums takes a chunk; the parts are added up in order.
#include "block.cuh"
#include "convolution.cuh"
#include "half_tile.cuh"

// Rows of the tile are channels of the windows, columns are elements of the kernels. What lies in
// the padding is a zero here, which makes no number of an infinite d.
template <int R, class T>
__device__ __forceinline__ void weight_gradient(const T* d, const T* x, float* parts,
                                                const Convolution& of, long long chunk) {
  using Tile = typename TileOf<R, T, false>::type;
  constexpr int STEP = Tile::STEP;
  constexpr int ROWS = 16 * R;
  constexpr int ROUNDS = STEP * COLUMNS / THREADS;
  __shared__ Tile tile;
  long long block = blockIdx.x;
  int tile_column = static_cast<int>(block % of.across) * COLUMNS;
  block /= of.across;
  int tile_row = static_cast<int>(block % of.down) * ROWS;
  block /= of.down;
  long long group = block % of.groups;
  long long part = block / of.groups;
  Walk rows = walk(of.rows, false, 0);
  Walk columns = walk(of.columns, false, 0);
  int plane = rows.count * columns.count;
  long long inners = of.samples * plane;
  long long last = part * chunk + chunk < inners ? part * chunk + chunk : inners;
  int results = static_cast<int>(of.results);
  int elements = static_cast<int>(of.sources * of.rows.kernel * of.columns.kernel);
  int thread = static_cast<int>(threadIdx.x);
  long long image = of.sources * rows.source * columns.source;

  Tap taps[ROUNDS];  // of those columns of the tile that this thread reads
  UNROLL
  for (int round = 0; round < ROUNDS; round++) {
    int column = tile_column + (round * THREADS + thread) / STEP;
    taps[round] = tap_of(of, column < elements ? column : 0);
  }

  T zero;
  narrow(0.0f, zero);
  typename Tile::Sums sums;
  for (long long from = part * chunk; from < last; from += STEP) {
    long long number = from + thread % STEP;
    bool there = number < last;
    Place at = place_at(rows, columns, there ? number : 0);
    long long block_of_channels = at.sample * of.groups + group;
    const T* d_at = d + block_of_channels * results * plane + at.row * columns.count + at.column;
    const T* x_at = x + block_of_channels * image +
                    static_cast<long long>(at.top) * columns.source + at.left;
    __syncthreads();
    fill<STEP, ROWS>(
        true,
        [&](int, int place, int) {
          int row = tile_row + place;
          return there && row < results ? d_at[static_cast<long long>(row) * plane] : zero;
        },
        [&](int inner, int place, T v) { tile.left(inner, place) = v; });
    fill<STEP, COLUMNS>(
        true,
        [&](int, int place, int round) {
          const Tap& tap = taps[round];
          bool counts = there && tile_column + place < elements && meets(rows, columns, at, tap);
          return counts ? x_at[tap.source] : zero;
        },
        [&](int inner, int place, T v) { tile.right(inner, place) = v; });
    __syncthreads();
    if (Tile::takes_part()) tile.multiply(sums);
  }
  if (!Tile::takes_part()) return;
  float* to = parts + (part * of.groups + group) * results * elements;
  UNROLL
  for (int r = 0; r < Tile::OWN_ROWS; r++) {
    UNROLL
    for (int c = 0; c < Tile::OWN_COLUMNS; c++) {
      int row = tile_row + Tile::row(r);
      int column = tile_column + Tile::column(c);
      if (row < results && column < elements) {
        to[static_cast<long long>(row) * elements + column] = sums.at(r, c);
      }
    }
  }
}

// One block for each element of the weight: for groups of few channels.
template <class T>
__device__ __forceinline__ void weight_gradient_of_few(const T* d, const T* x, float* dweight,
                                                       const Convolution& of) {
  float sum = 0.0f;
  each_product_of_weight(of, d, x, blockIdx.x, static_cast<int>(threadIdx.x),
                         static_cast<int>(blockDim.x),
                         [&](T by, T source) { sum = fmaf(wide(by), wide(source), sum); });
  sum = over_block<Sum>(sum, 0.0f);
  if (threadIdx.x == 0) dweight[blockIdx.x] = sum;
}

#define WEIGHT_GRADIENT(suffix, T)                                                               \
  extern "C" __global__ void __launch_bounds__(THREADS)                                          \
      weight_gradient_64_##suffix(const T* d, const T* x, float* parts, Convolution of,          \
                                  long long chunk) {                                             \
    weight_gradient<4>(d, x, parts, of, chunk);                                                  \
  }                                                                                              \
  KERNEL(weight_gradient_64_##suffix)                                                            \
  extern "C" __global__ void __launch_bounds__(THREADS)                                          \
      weight_gradient_16_##suffix(const T* d, const T* x, float* parts, Convolution of,          \
                                  long long chunk) {                                             \
    weight_gradient<1>(d, x, parts, of, chunk);                                                  \
  }                                                                                              \
  KERNEL(weight_gradient_16_##suffix)                                                            \
  extern "C" __global__ void __launch_bounds__(THREADS)                                          \
      weight_gradient_of_few_##suffix(const T* d, const T* x, float* dweight, Convolution of) {  \
    weight_gradient_of_few(d, x, dweight, of);                                                   \
  }                                                                                              \
  KERNEL(weight_gradient_of_few_##suffix)
INSTANCES(WEIGHT_GRADIENT)
