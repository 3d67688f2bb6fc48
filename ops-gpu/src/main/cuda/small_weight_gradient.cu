// Gradients by the weight of convolutions of small images: see small_image.cuh. A block adds up
// every so many strips, for some slices of the windows' channels and some of the image's; its sums
// are a part, and the parts are added up in order. What lies outside of the image is a zero here,
// which makes no number of an infinite d.
#include "small_image.cuh"

// Brings the windows' channels from d on to shared memory, `lines` lines of `length` places, of which
// `channels` and `places` are there.
__device__ __forceinline__ void stage_lines(unsigned short* to, const unsigned short* d, int plane,
                                            int lines, int length, int channels, int places,
                                            bool aligned) {
  int apart = length + APART;
  if (aligned) {
    constexpr int AHEAD = 4;
    int chunks = length / EIGHT;
    int items = lines * chunks;
    int thread = static_cast<int>(threadIdx.x);
    for (int begin = 0; begin < items; begin += AHEAD * THREADS) {
      uint4 halves[AHEAD];
      UNROLL
      for (int a = 0; a < AHEAD; a++) {
        int item = begin + a * THREADS + thread;
        int line = item / chunks;
        int place = item % chunks * EIGHT;
        bool there = item < items && line < channels && place < places;
        halves[a] = there ? *reinterpret_cast<const uint4*>(d + line * plane + place)
                          : uint4{0, 0, 0, 0};
      }
      UNROLL
      for (int a = 0; a < AHEAD; a++) {
        int item = begin + a * THREADS + thread;
        if (item >= items) continue;
        *reinterpret_cast<uint4*>(to + item / chunks * apart + item % chunks * EIGHT) = halves[a];
      }
    }
    return;
  }
  for (int i = static_cast<int>(threadIdx.x); i < lines * length; i += THREADS) {
    int line = i / length;
    int place = i % length;
    bool there = line < channels && place < places;
    to[line * apart + place] = there ? d[line * plane + place] : static_cast<unsigned short>(0);
  }
}

// Warps go to units, which are two slices of channels and ROWS rows of the kernel's KERNEL; where
// there are one or two units several warps share the places. of.across is how many strips an image
// has; results and sources are the slices of a block.
template <int KERNEL, int ROWS, class T>
__device__ __forceinline__ void small_weight_gradient(const T* d, const T* x, float* parts,
                                                      const Convolution& of, int strip,
                                                      int parts_count, int results, int sources) {
  constexpr int TAPS = ROWS * KERNEL;
  __shared__ __align__(16) unsigned short memory[MEMORY];
  Frame f = frame_of(of, sources);
  int plane = f.rows * f.columns;
  int image = f.height * f.width;
  int channels = static_cast<int>(of.results);
  int read = static_cast<int>(of.sources);
  int block = static_cast<int>(blockIdx.x);
  int part = block % parts_count;
  block /= parts_count;
  int groups = ((read + SLICE - 1) / SLICE + sources - 1) / sources;
  int source = block % groups * sources * SLICE;
  int result = block / groups * results * SLICE;

  int length = (strip * f.columns + SLICE - 1) / SLICE * SLICE;
  int apart = length + APART;
  unsigned short* windows = memory;
  unsigned short* frame = memory + results * SLICE * apart;

  int warp = static_cast<int>(threadIdx.x) / 32;
  int units = results * sources * (KERNEL / ROWS);
  int beside = units == 1 ? WARPS : units == 2 ? WARPS / 2 : 1;
  bool takes_part = warp < beside * units;
  int unit = warp % units;
  int turn = warp / units;
  int of_result = unit % results;
  int of_source = unit / results % sources;
  int tap_row = unit / results / sources * ROWS;

  float sums[TAPS][2][4] = {};
  int across = static_cast<int>(of.across);
  int strips = static_cast<int>(of.samples) * across;
  for (int number = part; number < strips; number += parts_count) {
    int sample = number / across;
    int row = number % across * strip;
    int rows = f.rows - row < strip ? f.rows - row : strip;
    int places = rows * f.columns;
    int begin = row * f.columns;
    bool aligned = plane % EIGHT == 0 && begin % EIGHT == 0 && places % EIGHT == 0;
    __syncthreads();
    stage_lines(windows,
                reinterpret_cast<const unsigned short*>(d) +
                    (sample * channels + result) * plane + begin,
                plane, results * SLICE, length, channels - result, places, aligned);
    stage(frame, reinterpret_cast<const unsigned short*>(x) + (sample * read + source) * image, f,
          row, (rows - 1) * f.down + KERNEL, read - source);
    __syncthreads();
    if (!takes_part) continue;
    for (int step = turn * SLICE; step < places; step += beside * SLICE) {
      unsigned left[4];
      left_by_rows(left, windows + of_result * SLICE * apart + step, apart);
      int place = step + lane() / 8 % 2 * 8 + lane() % 8;
      const unsigned short* at = frame + frame_at(f, place < places ? place : 0) +
                                 tap_row * f.across * f.apart + of_source * SLICE +
                                 lane() / 16 * 8;
      UNROLL
      for (int tap = 0; tap < TAPS; tap++) {
        unsigned right[4];
        load_transposed(right, at + (tap / KERNEL * f.across + tap % KERNEL) * f.apart);
        multiply(sums[tap][0], left, right[0], right[1], T());
        multiply(sums[tap][1], left, right[2], right[3], T());
      }
    }
  }

  // The warps of a unit, a power of two of them, add up what they have: half of them show theirs,
  // the others add it to their own, and so on.
  float* shared = reinterpret_cast<float*>(memory);
  constexpr int SIZE = TAPS * 8 * 32;
  for (int half = beside / 2; half > 0; half /= 2) {
    __syncthreads();
    if (takes_part && turn >= half && turn < 2 * half) {
      float* own = shared + ((turn - half) * units + unit) * SIZE + lane();
      UNROLL
      for (int i = 0; i < TAPS * 8; i++) own[i * 32] = sums[i / 8][i / 4 % 2][i % 4];
    }
    __syncthreads();
    if (takes_part && turn < half) {
      const float* other = shared + (turn * units + unit) * SIZE + lane();
      UNROLL
      for (int i = 0; i < TAPS * 8; i++) sums[i / 8][i / 4 % 2][i % 4] += other[i * 32];
    }
  }

  // They leave in the order of the weight, neighbours by neighbouring threads.
  constexpr int SQUARE = KERNEL * KERNEL;
  int width = sources * SLICE * SQUARE;  // of a line
  __syncthreads();
  if (takes_part && turn == 0) {
    UNROLL
    for (int i = 0; i < TAPS * 8; i++) {
      int row = of_result * SLICE + lane() / 4 + i % 4 / 2 * 8;
      int column = of_source * SLICE + i / 4 % 2 * 8 + lane() % 4 * 2 + i % 2;
      shared[row * width + column * SQUARE + tap_row * KERNEL + i / 8] =
          sums[i / 8][i / 4 % 2][i % 4];
    }
  }
  __syncthreads();
  int lines = channels - result < results * SLICE ? channels - result : results * SLICE;
  int length_of_line = (read - source < sources * SLICE ? read - source : sources * SLICE) * SQUARE;
  float* to = parts + static_cast<long long>(part) * channels * read * SQUARE;
  for (int i = static_cast<int>(threadIdx.x); i < lines * length_of_line; i += THREADS) {
    int line = i / length_of_line;
    int place = i % length_of_line;
    to[((result + line) * read + source) * SQUARE + place] = shared[line * width + place];
  }
}

#define OF_KERNEL(suffix, T, kernel, rows, blocks)                                               \
  extern "C" __global__ void __launch_bounds__(THREADS, blocks)                                  \
      small_weight_gradient_##kernel##_##suffix(const T* d, const T* x, float* parts,            \
                                                Convolution of, int strip, int parts_count,      \
                                                int results, int sources) {                      \
    small_weight_gradient<kernel, rows>(d, x, parts, of, strip, parts_count, results, sources);  \
  }                                                                                              \
  KERNEL(small_weight_gradient_##kernel##_##suffix)
#define SMALL_WEIGHT_GRADIENT(suffix, T)                                                         \
  OF_KERNEL(suffix, T, 1, 1, 3)                                                                  \
  OF_KERNEL(suffix, T, 3, 3, 2)                                                                  \
  OF_KERNEL(suffix, T, 5, 1, 2)
SMALL_WEIGHT_GRADIENT(fp16, fp16)
SMALL_WEIGHT_GRADIENT(bf16, bf16)
