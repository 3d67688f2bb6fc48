// Convolutions of images of few channels: see few_channels.cuh. What a result meets outside of the
// image does not count, even where its weight is infinite or no number.
#include "few_channels.cuh"

constexpr int MOST = 4;  // of 16 channels by 16 places, that a warp adds up

// Brings the weights, a result's in a line as a place has what it meets. Says whether one of them is
// infinite or no number.
template <class T>
__device__ __forceinline__ bool stage_weights(unsigned short* to, const T* weight, const Few& f,
                                              int results) {
  clear(to, RESULTS * APART);
  __syncthreads();
  unsigned endless = endless_bits(T());
  bool found = false;
  int length = f.lines * f.kernel_columns;
  const auto* from = reinterpret_cast<const unsigned short*>(weight);
  for (int i = static_cast<int>(threadIdx.x); i < results * length; i += THREADS) {
    unsigned short v = from[i];
    if ((v & endless) == endless) found = true;
    int inner = i % length;
    to[i / length * APART + inner / f.kernel_columns * EIGHT + inner % f.kernel_columns] = v;
  }
  return found;
}

// The segment's results one by one.
template <class T>
__device__ __forceinline__ void one_by_one(const T* x, const T* weight, const T* bias, T* y,
                                           const Convolution& of, const Few& f, const Segment& s) {
  for (int i = static_cast<int>(threadIdx.x); i < s.places * of.results; i += THREADS) {
    int channel = i / s.places;
    int column = s.begin + i % s.places;
    Element to{s.row, column, channel, s.sample};
    float sum = 0.0f;
    each_product(of, x, weight, to,
                 [&](T source, T by) { sum = fmaf(wide(by), wide(source), sum); });
    if (bias != nullptr) sum += wide(bias[channel]);
    long long line = (s.sample * of.results + channel) * f.rows + s.row;
    narrow(of.relu != 0 ? rectified(sum) : sum, y[line * f.columns + column]);
  }
}

template <class T>
__device__ __forceinline__ void give(const float (&sums)[MOST][2][4], const T* bias, T* y,
                                     const Convolution& of, const Few& f, const Segment& s) {
  int warp = static_cast<int>(threadIdx.x) / 32;
  UNROLL
  for (int h = 0; h < 2; h++) {
    int result = warp % SQUARES * SLICE + lane() / 4 + 8 * h;
    if (result >= of.results) continue;
    float added = bias != nullptr ? wide(bias[result]) : 0.0f;
    T* to = y + ((s.sample * of.results + result) * f.rows + s.row) * f.columns + s.begin;
    UNROLL
    for (int t = 0; t < MOST; t++) {
      UNROLL
      for (int j = 0; j < 2; j++) {
        int place = (warp / SQUARES + t * BESIDE) * SLICE + j * 8 + lane() % 4 * 2;
        if (place >= s.places) continue;
        float low = sums[t][j][2 * h] + added;
        float high = sums[t][j][2 * h + 1] + added;
        __align__(4) T two[2];
        narrow(of.relu != 0 ? rectified(low) : low, two[0]);
        narrow(of.relu != 0 ? rectified(high) : high, two[1]);
        *reinterpret_cast<unsigned*>(to + place) = *reinterpret_cast<unsigned*>(two);
      }
    }
  }
}

// Blocks take the segments of all images in turn.
template <class T>
__device__ __forceinline__ void few_channels(unsigned char* memory, const T* x, const T* weight,
                                             const T* bias, T* y, const Convolution& of,
                                             int segment) {
  Few f = few_of(of, segment);
  auto* met = reinterpret_cast<unsigned short*>(memory);
  unsigned short* frame = met + (segment > RESULTS ? segment : RESULTS) * APART;
  int warp = static_cast<int>(threadIdx.x) / 32;
  int all = static_cast<int>(of.samples) * f.rows * f.segments;

  bool endless = stage_weights(met, weight, f, static_cast<int>(of.results));
  if (__syncthreads_or(endless ? 1 : 0) != 0) {
    for (int number = static_cast<int>(blockIdx.x); number < all; number += gridDim.x) {
      one_by_one(x, weight, bias, y, of, f, segment_at(f, number));
    }
    return;
  }
  unsigned left[STEPS][4];
  UNROLL
  for (int step = 0; step < STEPS; step++) {
    left_by_rows(left[step], met + warp % SQUARES * SLICE * APART + step * SLICE, APART);
  }
  __syncthreads();
  clear(met, segment * APART);

  for (int number = static_cast<int>(blockIdx.x); number < all; number += gridDim.x) {
    Segment s = segment_at(f, number);
    stage_frame(frame, reinterpret_cast<const unsigned short*>(x), f, s);
    __syncthreads();
    spread_out(met, frame, f, s);
    __syncthreads();
    float sums[MOST][2][4] = {};
    UNROLL
    for (int t = 0; t < MOST; t++) {
      int slice = warp / SQUARES + t * BESIDE;
      if (slice * SLICE >= segment) continue;
      UNROLL
      for (int step = 0; step < STEPS; step++) {
        unsigned right[4];
        right_by_columns(right, met + slice * SLICE * APART + step * SLICE, APART);
        multiply(sums[t][0], left[step], right[0], right[1], T());
        multiply(sums[t][1], left[step], right[2], right[3], T());
      }
    }
    give(sums, bias, y, of, f, s);
  }
}

#define FEW_CHANNELS(suffix, T)                                                                  \
  extern "C" __global__ void __launch_bounds__(THREADS, 2)                                       \
      few_channels_##suffix(const T* x, const T* weight, const T* bias, T* y, Convolution of,    \
                            int segment) {                                                       \
    SHARED_MEMORY(memory);                                                                       \
    few_channels(memory, x, weight, bias, y, of, segment);                                       \
  }                                                                                              \
  KERNEL(few_channels_##suffix)
FEW_CHANNELS(fp16, fp16)
FEW_CHANNELS(bf16, bf16)
