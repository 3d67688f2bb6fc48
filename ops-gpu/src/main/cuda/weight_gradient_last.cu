// Gradients by a weight of 3 x 3, of images in half whose channels lie last, added up in float. A
// block has some channels of the windows and some of the image, and goes through strips of them:
// both lie in shared memory, place by place, while the next strip is on its way. Tensor cores meet
// each place of the windows with the nine of the image around it, so that nothing is read nine
// times but from shared memory. A block's sums are a part; parts are added up in order. What lies
// outside of the image is a zero here, which makes no number of an infinite d.
#include "ahead.cuh"
#include "fragments.cuh"

constexpr int THREADS = 256;
constexpr int TILE = 64;           // channels of a block, of either
constexpr int APART = TILE + 8;    // halves from a place to the next: eight of them meet all banks
constexpr int STEP = 16;           // places that tensor cores add up at once
constexpr int EIGHT = 8;           // halves in 16 bytes, and the image's channels of a warp
constexpr int BESIDE = TILE / EIGHT;
constexpr int LINES = TILE / STEP;
constexpr int KERNEL = 3;
constexpr int TAPS = KERNEL * KERNEL;
constexpr int PAIRS = (TAPS + 1) / 2;
constexpr int MOST_TURNS = 8;
constexpr int BITS = 10;  // of a row and of a column of a frame, see WeightGradientLast.java

// A strip is so many rows of the windows, of so many images that are whole where there are several.
struct Strips {
  long long samples, height, width, sources;  // the image, whose channels are sources
  long long window_rows, columns, results;    // the windows, whose channels are results
  long long stride, above, before;            // zeros around the image
  long long rows, down, images;               // of a strip; strips of an image; images of a strip
  long long parts;
};

// The same as a block sees it. A frame is what a strip meets of an image.
struct Strip {
  int height, width, rows, columns, frame_rows, frame_columns;
  int pixels;  // of all frames
  int places, steps;
};

__device__ __forceinline__ Strip strip_of(const Strips& of) {
  Strip s;
  s.height = static_cast<int>(of.height);
  s.width = static_cast<int>(of.width);
  s.rows = static_cast<int>(of.rows);
  s.columns = static_cast<int>(of.columns);
  s.frame_rows = (s.rows - 1) * static_cast<int>(of.stride) + KERNEL;
  s.frame_columns = (s.columns - 1) * static_cast<int>(of.stride) + KERNEL;
  s.pixels = static_cast<int>(of.images) * s.frame_rows * s.frame_columns;
  s.places = static_cast<int>(of.images) * s.rows * s.columns;
  s.steps = (s.places + STEP - 1) / STEP;
  return s;
}

// Where each pixel of the frames lies, and in them, in halves, what each place of a strip meets
// first: divisions are slow.
__device__ __forceinline__ void number_places(int* pixels, int* meets, const Strip& s, int stride) {
  for (int q = static_cast<int>(threadIdx.x); q < s.pixels; q += THREADS) {
    int row = q / s.frame_columns;
    pixels[q] = (row / s.frame_rows << BITS | row % s.frame_rows) << BITS | q % s.frame_columns;
  }
  for (int p = static_cast<int>(threadIdx.x); p < s.steps * STEP; p += THREADS) {
    int row = p / s.columns;
    int down = row / s.rows * s.frame_rows + row % s.rows * stride;
    bool there = p < s.places;
    meets[p] = there ? (down * s.frame_columns + p % s.columns * stride) * APART : 0;
  }
}

// Has a strip brought: the image's channels from `source` on, and those of the windows from `result`.
template <class T>
__device__ __forceinline__ void bring(unsigned short* frame, unsigned short* windows, const T* x,
                                      const T* d, const int* pixels, const Strips& of,
                                      const Strip& s, int number, int source, int result) {
  int down = static_cast<int>(of.down);
  int image = number / down * static_cast<int>(of.images);
  int row = number % down * s.rows;
  int top = row * static_cast<int>(of.stride) - static_cast<int>(of.above);
  int before = static_cast<int>(of.before);
  int samples = static_cast<int>(of.samples);
  int channel = static_cast<int>(threadIdx.x) % BESIDE * EIGHT;
  int first = static_cast<int>(threadIdx.x) / BESIDE;
  constexpr int AT_ONCE = THREADS / BESIDE;
  constexpr int MASK = (1 << BITS) - 1;

  bool some = source + channel < of.sources;
  const T* from = x + source + channel;
  for (int q = first; q < s.pixels; q += AT_ONCE) {
    int pixel = pixels[q];
    int sample = image + (pixel >> 2 * BITS);
    int line = top + (pixel >> BITS & MASK);
    int column = (pixel & MASK) - before;
    bool there = some && sample < samples && line >= 0 && line < s.height && column >= 0 &&
                 column < s.width;
    long long at = (static_cast<long long>(sample) * s.height + line) * s.width + column;
    copy_ahead(frame + q * APART + channel, there ? from + at * of.sources : x, there);
  }

  int window_rows = static_cast<int>(of.window_rows);
  int images = samples - image < of.images ? samples - image : static_cast<int>(of.images);
  int rows = window_rows - row < s.rows ? window_rows - row : s.rows;
  int places = result + channel < of.results ? images * rows * s.columns : 0;
  long long begin = (static_cast<long long>(image) * window_rows + row) * s.columns;
  from = d + begin * of.results + result + channel;
  for (int p = first; p < s.steps * STEP; p += AT_ONCE) {
    bool there = p < places;
    copy_ahead(windows + p * APART + channel, there ? from + p * of.results : d, there);
  }
}

__device__ __forceinline__ void take_left(unsigned (&to)[LINES][4], const unsigned short* at) {
  UNROLL
  for (int i = 0; i < LINES; i++) left_by_columns(to[i], at + i * STEP, APART);
}

// Adds up a strip: all channels of the windows by those of the image that this warp has. What is
// multiplied next is on its way from shared memory.
template <class T>
__device__ __forceinline__ void add_strip(float (&sums)[TAPS][LINES][4],
                                          const unsigned short* frame,
                                          const unsigned short* windows, const int* meets,
                                          const int (&taps)[PAIRS], int steps) {
  unsigned left[LINES][4], next[LINES][4], right[2][4];
  take_left(left, windows);
  int begin = meets[lane() % STEP];
  for (int step = 0; step < steps; step++) {
    const unsigned short* at = frame + begin;
    load_transposed(right[0], at + taps[0]);
    UNROLL
    for (int pair = 0; pair < PAIRS; pair++) {
      if (pair + 1 < PAIRS) load_transposed(right[(pair + 1) % 2], at + taps[pair + 1]);
      if (pair == PAIRS / 2) {
        int behind = (step + 1 < steps ? step + 1 : step) * STEP;
        take_left(next, windows + behind * APART);
        begin = meets[behind + lane() % STEP];
      }
      UNROLL
      for (int half = 0; half < 2; half++) {
        if (2 * pair + half == TAPS) continue;
        UNROLL
        for (int i = 0; i < LINES; i++) {
          multiply(sums[2 * pair + half][i], left[i], right[pair % 2][2 * half],
                   right[pair % 2][2 * half + 1], T());
        }
      }
    }
    UNROLL
    for (int i = 0; i < LINES * 4; i++) left[i / 4][i % 4] = next[i / 4][i % 4];
  }
}

struct __align__(8) Two {
  float first, second;
};

template <class T>
__device__ __forceinline__ void weight_gradient(unsigned char* memory, const T* d, const T* x,
                                                float* parts, const Strips& of) {
  Strip s = strip_of(of);
  int* meets = reinterpret_cast<int*>(memory);
  int* pixels = meets + s.steps * STEP;
  int numbers = (s.steps * STEP + s.pixels + 3) / 4 * 4;
  unsigned short* strips = reinterpret_cast<unsigned short*>(meets + numbers);
  int size = (s.pixels + s.steps * STEP) * APART;  // of one strip

  int sources = static_cast<int>(of.sources);
  int results = static_cast<int>(of.results);
  int across = (sources + TILE - 1) / TILE;
  int tiles = across * ((results + TILE - 1) / TILE);
  int tile = static_cast<int>(blockIdx.x) % tiles;
  int part = static_cast<int>(blockIdx.x) / tiles;
  int source = tile % across * TILE;
  int result = tile / across * TILE;
  int warp = static_cast<int>(threadIdx.x) / 32;

  number_places(pixels, meets, s, static_cast<int>(of.stride));
  int taps[PAIRS];  // where lanes find the places around: of two, half of the lanes each
  UNROLL
  for (int pair = 0; pair < PAIRS; pair++) {
    int tap = 2 * pair + lane() / STEP < TAPS ? 2 * pair + lane() / STEP : TAPS - 1;
    taps[pair] = (tap / KERNEL * s.frame_columns + tap % KERNEL) * APART + warp * EIGHT;
  }
  __syncthreads();

  float sums[TAPS][LINES][4] = {};
  long long all = (of.samples + of.images - 1) / of.images * of.down;
  int number = static_cast<int>(all * part / of.parts);
  int end = static_cast<int>(all * (part + 1) / of.parts);
  bring(strips, strips + s.pixels * APART, x, d, pixels, of, s, number, source, result);
  for (int turn = 0; number < end; number++, turn = 1 - turn) {
    copies_there();
    __syncthreads();
    if (number + 1 < end) {
      unsigned short* next = strips + (1 - turn) * size;
      bring(next, next + s.pixels * APART, x, d, pixels, of, s, number + 1, source, result);
    }
    const unsigned short* frame = strips + turn * size;
    add_strip<T>(sums, frame, frame + s.pixels * APART, meets, taps, s.steps);
  }

  int column = source + warp * EIGHT + lane() % 4 * 2;
  if (column >= sources) return;
  float* to = parts + static_cast<long long>(part) * TAPS * results * sources + column;
  UNROLL
  for (int tap = 0; tap < TAPS; tap++) {
    UNROLL
    for (int i = 0; i < 2 * LINES; i++) {
      int row = result + i / 2 * STEP + i % 2 * 8 + lane() / 4;
      if (row >= results) continue;
      const float* sum = sums[tap][i / 2] + i % 2 * 2;
      *reinterpret_cast<Two*>(to + (static_cast<long long>(tap) * results + row) * sources) =
          Two{sum[0], sum[1]};
    }
  }
}

// Parts are [9, results, sources].
#define WEIGHT_GRADIENT(suffix, T)                                                               \
  extern "C" __global__ void __launch_bounds__(THREADS, 1)                                       \
      weight_gradient_last_##suffix(const T* d, const T* x, float* parts, Strips of) {           \
    SHARED_MEMORY(memory);                                                                       \
    weight_gradient(memory, d, x, parts, of);                                                    \
  }                                                                                              \
  KERNEL(weight_gradient_last_##suffix)
WEIGHT_GRADIENT(fp16, fp16)
WEIGHT_GRADIENT(bf16, bf16)

// y[i, tap] = the sum of x[part, tap, i] over the parts, for i < plane. A block adds up those of 32
// neighbours, which leave next to each other; its warps go to the taps and to `turns` shares of the
// parts, which are added up in order.
extern "C" __global__ void sum_of_tap_parts(const float* x, float* y, int parts, int turns,
                                            long long plane) {
  __shared__ float of_turn[MOST_TURNS][32 * TAPS];
  long long begin = static_cast<long long>(blockIdx.x) * 32;
  long long i = begin + lane();
  for (int item = static_cast<int>(threadIdx.x) / 32; item < turns * TAPS; item += THREADS / 32) {
    int tap = item % TAPS;
    int turn = item / TAPS;
    float sum = 0.0f;
    if (i < plane) {
      for (int part = turn; part < parts; part += turns) {
        sum += x[(static_cast<long long>(part) * TAPS + tap) * plane + i];
      }
    }
    of_turn[turn][lane() * TAPS + tap] = sum;
  }
  __syncthreads();
  for (int e = static_cast<int>(threadIdx.x); e < 32 * TAPS; e += THREADS) {
    if (begin * TAPS + e >= plane * TAPS) break;
    float sum = of_turn[0][e];
    for (int turn = 1; turn < turns; turn++) sum += of_turn[turn][e];
    y[begin * TAPS + e] = sum;
  }
}
KERNEL(sum_of_tap_parts)
