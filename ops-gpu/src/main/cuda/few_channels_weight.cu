// Gradients by the weight of convolutions of images of few channels: see few_channels.cuh. A block
// adds up some segments; its sums are a part, and parts are added up in order. What lies outside of
// the image is a zero here, which makes no number of an infinite d.
#include "few_channels.cuh"

constexpr int MOST = (STEPS + BESIDE - 1) / BESIDE;  // of 16 x 16 that a warp adds up

// Has the windows' gradients of a segment brought, the places of a channel in a line.
template <class T>
__device__ __forceinline__ void bring_windows(unsigned short* to, const T* d, const Few& f,
                                              const Segment& s, int results) {
  int chunks = f.segment / EIGHT;
  for (int i = static_cast<int>(threadIdx.x); i < RESULTS * chunks; i += THREADS) {
    int result = i / chunks;
    int place = i % chunks * EIGHT;
    bool there = result < results && place < s.places;
    long long line = (static_cast<long long>(s.sample) * results + result) * f.rows + s.row;
    copy_ahead(to + result * (f.segment + EIGHT) + place,
               there ? d + line * f.columns + s.begin + place : d, there);
  }
}

// Parts are weights one behind the other.
template <class T>
__device__ __forceinline__ void few_channels_weight(unsigned char* memory, const T* d, const T* x,
                                                    float* parts, const Convolution& of,
                                                    int segment, int parts_count) {
  Few f = few_of(of, segment);
  auto* met = reinterpret_cast<unsigned short*>(memory);
  unsigned short* windows = met + segment * APART;
  unsigned short* frame = windows + RESULTS * (segment + EIGHT);
  int results = static_cast<int>(of.results);
  int warp = static_cast<int>(threadIdx.x) / 32;
  long long all = of.samples * f.rows * f.segments;
  int part = static_cast<int>(blockIdx.x);
  int end = static_cast<int>(all * (part + 1) / parts_count);

  clear(met, segment * APART);
  float sums[MOST][2][4] = {};
  for (int number = static_cast<int>(all * part / parts_count); number < end; number++) {
    Segment s = segment_at(f, number);
    stage_frame(frame, reinterpret_cast<const unsigned short*>(x), f, s);
    __syncthreads();
    bring_windows(windows, d, f, s, results);
    spread_out(met, frame, f, s);
    copies_there();
    __syncthreads();
    for (int step = 0; step < segment; step += SLICE) {
      unsigned left[4];
      left_by_rows(left, windows + warp % SQUARES * SLICE * (segment + EIGHT) + step,
                   segment + EIGHT);
      UNROLL
      for (int t = 0; t < MOST; t++) {
        int slice = warp / SQUARES + t * BESIDE;
        if (slice >= STEPS) continue;
        unsigned right[4];
        right_by_rows(right, met + step * APART + slice * SLICE, APART);
        multiply(sums[t][0], left, right[0], right[1], T());
        multiply(sums[t][1], left, right[2], right[3], T());
      }
    }
  }

  int length = f.lines * f.kernel_columns;
  float* to = parts + static_cast<long long>(part) * results * length;
  UNROLL
  for (int i = 0; i < MOST * 8; i++) {
    int result = warp % SQUARES * SLICE + lane() / 4 + i % 4 / 2 * 8;
    int inner = (warp / SQUARES + i / 8 * BESIDE) * SLICE + i / 4 % 2 * 8 + lane() % 4 * 2 + i % 2;
    int column = inner % EIGHT;
    if (result >= results || inner / EIGHT >= f.lines || column >= f.kernel_columns) continue;
    to[result * length + inner / EIGHT * f.kernel_columns + column] = sums[i / 8][i / 4 % 2][i % 4];
  }
}

#define FEW_CHANNELS_WEIGHT(suffix, T)                                                           \
  extern "C" __global__ void __launch_bounds__(THREADS, 2)                                       \
      few_channels_weight_##suffix(const T* d, const T* x, float* parts, Convolution of,         \
                                   int segment, int parts_count) {                               \
    SHARED_MEMORY(memory);                                                                       \
    few_channels_weight(memory, d, x, parts, of, segment, parts_count);                          \
  }                                                                                              \
  KERNEL(few_channels_weight_##suffix)
FEW_CHANNELS_WEIGHT(fp16, fp16)
FEW_CHANNELS_WEIGHT(bf16, bf16)
