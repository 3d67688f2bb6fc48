// Convolutions and, where they are transposed, their gradients by the image. What an element meets
// outside of the source does not count, even where its weight is infinite or no number.
#include "convolution.cuh"
#include "half_tile.cuh"

// A tile of the result of a phase and a group: its rows are channels, its columns places.
struct Part {
  long long column;
  int row, group;
  Walk rows, columns;
};

__device__ __forceinline__ Part own_part(const Convolution& of, int tile_rows) {
  bool transposed = of.transposed != 0;
  long long block = blockIdx.x;
  long long column = block % of.across * COLUMNS;
  block /= of.across;
  int row = static_cast<int>(block % of.down) * tile_rows;
  block /= of.down;
  int group = static_cast<int>(block % of.groups);
  int phase = static_cast<int>(block / of.groups);
  int phases = static_cast<int>(of.columns.phases);
  return Part{column, row, group, walk(of.rows, transposed, phase / phases),
              walk(of.columns, transposed, phase % phases)};
}

// The same as the tile's own, without the products that do not count.
template <class Tile>
__device__ __forceinline__ void multiply_met(Tile& tile, const bool (&met)[Tile::STEP][COLUMNS],
                                             typename Tile::Sums& sums) {
  for (int inner = 0; inner < Tile::STEP; inner++) {
    UNROLL
    for (int c = 0; c < Tile::OWN_COLUMNS; c++) {
      int column = Tile::column(c);
      if (!met[inner][column]) continue;
      float b = wide(tile.right(inner, column));
      UNROLL
      for (int r = 0; r < Tile::OWN_ROWS; r++) {
        sums.at(r, c) = fmaf(wide(tile.left(inner, Tile::row(r))), b, sums.at(r, c));
      }
    }
  }
}

template <class Tile, class T>
__device__ __forceinline__ void store(const Convolution& of, const Part& part, const T* bias, T* y,
                                      typename Tile::Sums& sums) {
  long long places = of.samples * part.rows.count * part.columns.count;
  int results = static_cast<int>(of.results);
  int plane = part.rows.result * part.columns.result;
  UNROLL
  for (int c = 0; c < Tile::OWN_COLUMNS; c++) {
    long long number = part.column + Tile::column(c);
    if (number >= places) continue;
    Place at = place_at(part.rows, part.columns, number);
    T* to = y + (at.sample * of.groups + part.group) * results * plane +
            (part.rows.first + at.row * part.rows.step) * part.columns.result +
            part.columns.first + at.column * part.columns.step;
    UNROLL
    for (int r = 0; r < Tile::OWN_ROWS; r++) {
      int row = part.row + Tile::row(r);
      if (row >= results) continue;
      float added = bias != nullptr ? wide(bias[part.group * results + row]) : 0.0f;
      float v = sums.at(r, c) + added;
      narrow(of.relu != 0 ? rectified(v) : v, to[static_cast<long long>(row) * plane]);
    }
  }
}

// The inner index goes over the source's channels and, in each, over the kernel's places.
template <int R, class T>
__device__ __forceinline__ void convolution(const T* x, const T* weight, const T* bias, T* y,
                                            const Convolution& of) {
  using Tile = typename TileOf<R, T, true>::type;
  constexpr int STEP = Tile::STEP;
  constexpr int ROWS = 16 * R;
  __shared__ Tile tile;
  __shared__ Tap taps[STEP];
  __shared__ bool met[STEP][COLUMNS];
  Part part = own_part(of, ROWS);
  const Walk& rows = part.rows;
  const Walk& columns = part.columns;
  long long places = of.samples * rows.count * columns.count;
  if (part.column >= places) return;  // another phase has more
  bool transposed = of.transposed != 0;
  int thread = static_cast<int>(threadIdx.x);
  int results = static_cast<int>(of.results);
  int inners = static_cast<int>(of.sources) * rows.taps * columns.taps;
  int kernel = static_cast<int>(of.rows.kernel * of.columns.kernel);
  int weight_row = transposed ? kernel : static_cast<int>(of.sources) * kernel;
  weight += part.group * of.results * of.sources * kernel;

  // This thread reads for one place of the tile.
  long long number = part.column + thread % COLUMNS;
  Place at = place_at(rows, columns, number < places ? number : 0);
  x += (at.sample * of.groups + part.group) * of.sources * rows.source * columns.source +
       static_cast<long long>(at.top) * columns.source + at.left;

  T zero;
  narrow(0.0f, zero);
  typename Tile::Sums sums;
  if (thread < STEP && inners > 0) taps[thread] = tap_at(of, rows, columns, thread);
  for (int from = 0; from < inners; from += STEP) {
    __syncthreads();
    int endless = 0;
    fill<STEP, ROWS>(
        !transposed,
        [&](int inner, int place, int) {
          int row = part.row + place;
          bool there = row < results && from + inner < inners;
          T v = there ? weight[row * weight_row + taps[inner].weight] : zero;
          if (!(fabsf(wide(v)) < INFINITY)) endless = 1;
          return v;
        },
        [&](int inner, int place, T v) { tile.left(inner, place) = v; });
    fill<STEP, COLUMNS>(
        false,
        [&](int inner, int place, int) {
          bool there = number < places && from + inner < inners;
          bool counts = there && meets(rows, columns, at, taps[inner]);
          met[inner][place] = counts;
          return counts ? x[taps[inner].source] : zero;
        },
        [&](int inner, int place, T v) { tile.right(inner, place) = v; });
    endless = __syncthreads_or(endless);
    if (thread < STEP) taps[thread] = tap_at(of, rows, columns, from + STEP + thread);
    if (!Tile::takes_part()) continue;
    if (endless == 0) {
      tile.multiply(sums);
    } else {
      multiply_met(tile, met, sums);
    }
  }
  if (Tile::takes_part()) store<Tile>(of, part, bias, y, sums);
}

// One thread for each element of the result: for groups of few channels, which would leave most of
// a tile empty.
template <class T>
__device__ __forceinline__ void convolution_of_few(const T* x, const T* weight, const T* bias,
                                                   T* y, const Convolution& of) {
  long long i = here();
  Element to;
  if (!element_at(of, i, to)) return;
  float sum = 0.0f;
  each_product(of, x, weight, to,
               [&](T source, T by) { sum = fmaf(wide(by), wide(source), sum); });
  if (bias != nullptr) sum += wide(bias[to.channel]);
  narrow(of.relu != 0 ? rectified(sum) : sum, y[i]);
}

// Three blocks at a time on a multiprocessor: for four the assembler would spill registers.
#define CONVOLUTION(suffix, T)                                                                   \
  extern "C" __global__ void __launch_bounds__(THREADS)                                           \
      convolution_64_##suffix(const T* x, const T* weight, const T* bias, T* y,                  \
                              Convolution of) {                                                  \
    convolution<4>(x, weight, bias, y, of);                                                      \
  }                                                                                              \
  KERNEL(convolution_64_##suffix)                                                                \
  extern "C" __global__ void __launch_bounds__(THREADS, 3)                                        \
      convolution_16_##suffix(const T* x, const T* weight, const T* bias, T* y,                  \
                              Convolution of) {                                                  \
    convolution<1>(x, weight, bias, y, of);                                                      \
  }                                                                                              \
  KERNEL(convolution_16_##suffix)                                                                \
  extern "C" __global__ void __launch_bounds__(THREADS)                                           \
      convolution_of_few_##suffix(const T* x, const T* weight, const T* bias, T* y,              \
                                  Convolution of) {                                              \
    convolution_of_few(x, weight, bias, y, of);                                                  \
  }                                                                                              \
  KERNEL(convolution_of_few_##suffix)
INSTANCES(CONVOLUTION)
