// Convolutions of small images and, of stride 1, their gradients by the image. A block computes a
// strip of the result of one image, which has up to 64 channels: see small_image.cuh. What a result
// meets outside of the source does not count, even where its weight is infinite or no number.
#include "small_image.cuh"

constexpr int TILES = 4;  // of 16 channels by 16 places, that a warp adds up at most
constexpr int LINE = SLICE + APART;  // halves from a result's weights to the next one's

// Where the weights of a slice of the source's channels lie: runs of neighbours, each of a result
// or, transposed, of a channel.
struct Runs {
  int count, length, apart, start;
};

__device__ __forceinline__ Runs runs_of(const Convolution& of, int slice) {
  int kernel = static_cast<int>(of.rows.kernel * of.columns.kernel);
  int results = static_cast<int>(of.results);
  int sources = static_cast<int>(of.sources);
  int channels = sources - slice * SLICE < SLICE ? sources - slice * SLICE : SLICE;
  return of.transposed != 0
             ? Runs{channels, results * kernel, results * kernel, slice * SLICE * results * kernel}
             : Runs{results, channels * kernel, sources * kernel, slice * SLICE * kernel};
}

// Brings the weights of a slice to shared memory, by place of the kernel, result and channel, the
// results in `lines` lines; what is not full has zeros already. WIDTH neighbours are read at once,
// and AHEAD such before the first is waited for. Says whether a weight is infinite or no number.
template <int WIDTH, class T>
__device__ __forceinline__ bool stage_runs(unsigned short* to, const unsigned short* weight,
                                           const Convolution& of, const Runs& runs, int lines) {
  constexpr int AHEAD = WIDTH == 1 ? 8 : 4;
  bool transposed = of.transposed != 0;
  int kernel = static_cast<int>(of.rows.kernel * of.columns.kernel);
  int each = runs.length / WIDTH;
  int items = runs.count * each;
  unsigned endless = endless_bits(T());
  bool found = false;
  int thread = static_cast<int>(threadIdx.x);
  for (int begin = 0; begin < items; begin += AHEAD * THREADS) {
    uint4 halves[AHEAD];
    UNROLL
    for (int a = 0; a < AHEAD; a++) {
      int item = begin + a * THREADS + thread;
      halves[a] = uint4{0, 0, 0, 0};
      if (item >= items) continue;
      const unsigned short* from =
          weight + runs.start + item / each * runs.apart + item % each * WIDTH;
      if (WIDTH == 1) {
        halves[a].x = *from;
      } else {
        halves[a] = *reinterpret_cast<const uint4*>(from);
      }
    }
    UNROLL
    for (int a = 0; a < AHEAD; a++) {
      int item = begin + a * THREADS + thread;
      if (item >= items) continue;
      unsigned words[4] = {halves[a].x, halves[a].y, halves[a].z, halves[a].w};
      int run = item / each;
      int inner = item % each * WIDTH / kernel;
      int tap = item % each * WIDTH % kernel;
      UNROLL
      for (int i = 0; i < WIDTH; i++) {
        unsigned v = i % 2 == 0 ? words[i / 2] & 0xffffu : words[i / 2] >> 16;
        if ((v & endless) == endless) found = true;
        int result = transposed ? inner : run;
        int channel = transposed ? run : inner;
        int place = transposed ? kernel - 1 - tap : tap;
        to[place * (lines * LINE + APART) + result * LINE + channel] =
            static_cast<unsigned short>(v);
        tap++;
        if (tap == kernel) {
          tap = 0;
          inner++;
        }
      }
    }
  }
  return found;
}

template <class T>
__device__ __forceinline__ bool stage_weights(unsigned short* to, const unsigned short* weight,
                                              const Convolution& of, int slice, int lines) {
  Runs runs = runs_of(of, slice);
  bool full = of.results == lines && of.sources >= (slice + 1) * SLICE;
  if (!full) {
    int kernel = static_cast<int>(of.rows.kernel * of.columns.kernel);
    int size = kernel * (lines * LINE + APART);
    for (int i = static_cast<int>(threadIdx.x); i < size; i += THREADS) to[i] = 0;
    __syncthreads();
  }
  bool aligned = runs.length % EIGHT == 0 && runs.apart % EIGHT == 0 && runs.start % EIGHT == 0;
  return aligned ? stage_runs<EIGHT, T>(to, weight, of, runs, lines)
                 : stage_runs<1, T>(to, weight, of, runs, lines);
}

// The strip's results one by one.
template <class T>
__device__ __forceinline__ void one_by_one(const T* x, const T* weight, const T* bias, T* y,
                                           const Convolution& of, const Frame& f, long long sample,
                                           int row, int places) {
  for (int i = static_cast<int>(threadIdx.x); i < places * of.results; i += THREADS) {
    int channel = i / places;
    int place = row * f.columns + i % places;
    Element to{place / f.columns, place % f.columns, channel, sample};
    float sum = 0.0f;
    each_product(of, x, weight, to,
                 [&](T source, T by) { sum = fmaf(wide(by), wide(source), sum); });
    if (bias != nullptr) sum += wide(bias[channel]);
    narrow(of.relu != 0 ? rectified(sum) : sum,
           y[(sample * of.results + channel) * f.rows * f.columns + place]);
  }
}

// strip: the rows of a strip, of which an image has of.across.
template <class T>
__device__ __forceinline__ void small_convolution(const T* x, const T* weight, const T* bias, T* y,
                                                  const Convolution& of, int strip) {
  __shared__ __align__(16) unsigned short memory[MEMORY];
  int sources = static_cast<int>(of.sources);
  int slices = (sources + SLICE - 1) / SLICE;
  Frame f = frame_of(of, slices);
  long long block = blockIdx.x;
  int row = static_cast<int>(block % of.across) * strip;
  long long sample = block / of.across;
  int rows = f.rows - row < strip ? f.rows - row : strip;
  int results = static_cast<int>(of.results);
  int squares = (results + SLICE - 1) / SLICE;  // below each other
  int places = rows * f.columns;
  int kernel_columns = static_cast<int>(of.columns.kernel);
  int kernel = static_cast<int>(of.rows.kernel) * kernel_columns;
  int frame_rows = (rows - 1) * f.down + static_cast<int>(of.rows.kernel);
  int lines = squares * SLICE;

  unsigned short* image = memory;
  unsigned short* weights = memory + frame_rows * f.across * f.apart;
  const T* source = x + sample * sources * f.height * f.width;

  int warp = static_cast<int>(threadIdx.x) / 32;
  int beside = WARPS / squares;  // warps that share the places
  bool takes_part = warp < beside * squares;
  int square = warp % squares;
  int at[TILES];  // where this lane's column of each tile begins
  UNROLL
  for (int t = 0; t < TILES; t++) {
    int place = (warp / squares + t * beside) * SLICE + lane() / 16 * 8 + lane() % 8;
    at[t] = frame_at(f, place < places ? place : 0) + lane() / 8 % 2 * 8;
  }

  float sums[TILES][2][4] = {};
  for (int slice = 0; slice < slices; slice++) {
    __syncthreads();
    if (slice == 0) {
      stage(image, reinterpret_cast<const unsigned short*>(source), f, row, frame_rows, sources);
    }
    bool endless =
        stage_weights<T>(weights, reinterpret_cast<const unsigned short*>(weight), of, slice, lines);
    if (__syncthreads_or(endless ? 1 : 0) != 0) {
      one_by_one(x, weight, bias, y, of, f, sample, row, places);
      return;
    }
    if (!takes_part) continue;
    for (int tap = 0; tap < kernel; tap++) {
      unsigned left[4];
      left_by_rows(left, weights + tap * (lines * LINE + APART) + square * SLICE * LINE, LINE);
      int moved = (tap / kernel_columns * f.across + tap % kernel_columns) * f.apart;
      UNROLL
      for (int t = 0; t < TILES; t++) {
        if ((warp / squares + t * beside) * SLICE >= places) continue;
        unsigned right[4];
        load_matrices(right, image + at[t] + moved + slice * SLICE);
        multiply(sums[t][0], left, right[0], right[1], T());
        multiply(sums[t][1], left, right[2], right[3], T());
      }
    }
  }
  if (!takes_part) return;

  int plane = f.rows * f.columns;
  bool pairs = plane % 2 == 0 && row * f.columns % 2 == 0;
  UNROLL
  for (int h = 0; h < 2; h++) {
    int result = square * SLICE + lane() / 4 + 8 * h;
    if (result >= results) continue;
    float added = bias != nullptr ? wide(bias[result]) : 0.0f;
    T* to = y + (sample * results + result) * plane + row * f.columns;
    UNROLL
    for (int t = 0; t < TILES; t++) {
      UNROLL
      for (int j = 0; j < 2; j++) {
        int place = (warp / squares + t * beside) * SLICE + j * 8 + lane() % 4 * 2;
        float low = sums[t][j][2 * h] + added;
        float high = sums[t][j][2 * h + 1] + added;
        __align__(4) T two[2];
        narrow(of.relu != 0 ? rectified(low) : low, two[0]);
        narrow(of.relu != 0 ? rectified(high) : high, two[1]);
        if (pairs && place + 1 < places) {
          *reinterpret_cast<unsigned*>(to + place) = *reinterpret_cast<unsigned*>(two);
        } else {
          if (place < places) to[place] = two[0];
          if (place + 1 < places) to[place + 1] = two[1];
        }
      }
    }
  }
}

#define SMALL_CONVOLUTION(suffix, T)                                                             \
  extern "C" __global__ void __launch_bounds__(THREADS, 2)                                       \
      small_convolution_##suffix(const T* x, const T* weight, const T* bias, T* y,               \
                                 Convolution of, int strip) {                                    \
    small_convolution(x, weight, bias, y, of, strip);                                            \
  }                                                                                              \
  KERNEL(small_convolution_##suffix)
SMALL_CONVOLUTION(fp16, fp16)
SMALL_CONVOLUTION(bf16, bf16)
