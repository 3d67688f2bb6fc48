// Normalisation of channels that lie next to each other, in rows of a channel each: see BatchNorm. A
// thread has RUN channels and goes down the rows, so that what belongs to channels is read once.
#include "reduce.cuh"
#include "run.cuh"

// Sums of x - centre and of their squares, as in normalization.cu.
struct Moments {
  double first, second;
};

// How the rows lie.
struct Rows {
  long long count, channels;
  long long at_once;  // rows that threads of an elementwise pass take side by side
};

constexpr int GROUP = 64;          // channels of a block that adds up
constexpr int ACROSS = GROUP / RUN;  // threads beside each other
constexpr int DOWN = 32;           // rows that such a block takes at once

// The gradient of y: d, or d where ReLU let y through.
template <class T>
struct Whole {
  const T* d;
  __device__ __forceinline__ void run(long long i, float (&to)[RUN]) const {
    T slopes[RUN];
    take_run(d + i, slopes);
    UNROLL
    for (int k = 0; k < RUN; k++) to[k] = wide(slopes[k]);
  }
};

template <class T>
struct Masked {
  const T* d;
  const T* y;  // ReLU's output
  __device__ __forceinline__ void run(long long i, float (&to)[RUN]) const {
    T slopes[RUN], passed[RUN];
    take_run(d + i, slopes);
    take_run(y + i, passed);
    UNROLL
    for (int k = 0; k < RUN; k++) to[k] = wide(passed[k]) > 0.0f ? wide(slopes[k]) : 0.0f;
  }
};

// Adds up two numbers of each channel of a part of the rows: add(i, first, second) those of the RUN
// elements from i on, put(channel, place, first, second) takes what becomes of them.
template <class S, class Add, class Put>
__device__ __forceinline__ void reduce_rows(S (&shared)[2][DOWN][GROUP], const Rows& of, int parts,
                                            Add add, Put put) {
  int thread = static_cast<int>(threadIdx.x);
  int inside = thread % ACROSS * RUN;
  int channel = static_cast<int>(blockIdx.y) * GROUP + inside;
  long long part = blockIdx.x;
  long long size = (of.count + parts - 1) / parts;
  long long end = (part + 1) * size < of.count ? (part + 1) * size : of.count;
  S first[RUN] = {}, second[RUN] = {};
  if (channel < of.channels) {
    for (long long row = part * size + thread / ACROSS; row < end; row += DOWN) {
      add(row * of.channels + channel, first, second);
    }
  }
  UNROLL
  for (int k = 0; k < RUN; k++) {
    shared[0][thread / ACROSS][inside + k] = first[k];
    shared[1][thread / ACROSS][inside + k] = second[k];
  }
  __syncthreads();
  channel = static_cast<int>(blockIdx.y) * GROUP + thread;
  if (thread >= GROUP || channel >= of.channels) return;
  S sums[2] = {};
  for (int row = 0; row < DOWN; row++) {
    sums[0] += shared[0][row][thread];
    sums[1] += shared[1][row][thread];
  }
  put(channel, channel * static_cast<long long>(parts) + part, sums[0], sums[1]);
}

// Sums around the first element of each channel, which the centre becomes, or around the centre.
template <class T>
__device__ __forceinline__ void channel_moments(double (&shared)[2][DOWN][GROUP], const T* x,
                                                double* centre, Moments* parts, int first,
                                                const Rows& of, int count) {
  int channel = static_cast<int>(blockIdx.y) * GROUP + static_cast<int>(threadIdx.x) % ACROSS * RUN;
  double from[RUN] = {};
  if (channel < of.channels) {
    UNROLL
    for (int k = 0; k < RUN; k++) from[k] = first != 0 ? wide(x[channel + k]) : centre[channel + k];
  }
  reduce_rows(
      shared, of, count,
      [&](long long i, double (&sum)[RUN], double (&squares)[RUN]) {
        T in[RUN];
        take_run(x + i, in);
        UNROLL
        for (int k = 0; k < RUN; k++) {
          double v = static_cast<double>(wide(in[k])) - from[k];
          sum[k] += v;
          squares[k] += v * v;
        }
      },
      [=](int c, long long at, double sum, double squares) {
        parts[at] = Moments{sum, squares};
        if (first != 0 && blockIdx.x == 0) centre[c] = wide(x[c]);
      });
}

// Sums of slopes times the normalised x, and of slopes.
template <class T, class D>
__device__ __forceinline__ void channel_sums(float (&shared)[2][DOWN][GROUP], D d, const T* x,
                                             const float* mean, const float* variance,
                                             float epsilon, Pair* parts, const Rows& of,
                                             int count) {
  int channel = static_cast<int>(blockIdx.y) * GROUP + static_cast<int>(threadIdx.x) % ACROSS * RUN;
  float from[RUN] = {}, scale[RUN] = {};
  if (channel < of.channels) {
    take_run(mean + channel, from);
    take_run(variance + channel, scale);
    UNROLL
    for (int k = 0; k < RUN; k++) scale[k] = 1.0f / sqrtf(scale[k] + epsilon);
  }
  reduce_rows(
      shared, of, count,
      [&](long long i, float (&turns)[RUN], float (&slopes)[RUN]) {
        float slope[RUN];
        T in[RUN];
        take_run(x + i, in);  // before the mask, on which loads would wait
        d.run(i, slope);
        UNROLL
        for (int k = 0; k < RUN; k++) {
          turns[k] += slope[k] * ((wide(in[k]) - from[k]) * scale[k]);
          slopes[k] += slope[k];
        }
      },
      [=](int, long long at, float turn, float slope) { parts[at] = Pair{turn, slope}; });
}

// Runs `each` for the first of the RUN elements of this thread in each of its rows.
template <class Each>
__device__ __forceinline__ void down_rows(const Rows& of, long long row, int channel, Each each) {
  for (; row < of.count; row += of.at_once) each(row * of.channels + channel);
}

// y = gamma * (x - mean) / sqrt(variance + epsilon) + beta, as in normalization.cu.
template <bool RELU, class T>
__device__ __forceinline__ void normalize(const T* x, const float* gamma, const float* beta,
                                          const float* mean, const float* variance,
                                          const float* low, const T* z, T* y, float epsilon,
                                          const Rows& of) {
  unsigned across = static_cast<unsigned>(of.channels / RUN);
  long long row = here() / across;
  int channel = static_cast<int>(here() % across) * RUN;
  if (row >= of.at_once) return;
  float by[RUN], added[RUN], centre[RUN], lost[RUN] = {}, spread[RUN];
  take_run(gamma + channel, by);
  take_run(beta + channel, added);
  take_run(mean + channel, centre);
  if (low != nullptr) take_run(low + channel, lost);
  take_run(variance + channel, spread);
  UNROLL
  for (int k = 0; k < RUN; k++) spread[k] = sqrtf(spread[k] + epsilon);
  down_rows(of, row, channel, [&](long long i) {
    T in[RUN], beside[RUN], out[RUN];
    take_run(x + i, in);
    if (z != nullptr) take_run(z + i, beside);
    UNROLL
    for (int k = 0; k < RUN; k++) {
      float v = by[k] * ((wide(in[k]) - centre[k] - lost[k]) / spread[k]) + added[k];
      if (z != nullptr) v += wide(beside[k]);
      narrow(RELU ? rectified(v) : v, out[k]);
    }
    give_run(out, y + i);
  });
}

// dx, from the sums over each channel that dgamma and dbeta are.
template <class T, class D>
__device__ __forceinline__ void gradient(D d, const T* x, const float* gamma, const float* mean,
                                         const float* variance, const float* dgamma,
                                         const float* dbeta, T* dx, float epsilon,
                                         const Rows& of) {
  unsigned across = static_cast<unsigned>(of.channels / RUN);
  long long row = here() / across;
  int channel = static_cast<int>(here() % across) * RUN;
  if (row >= of.at_once) return;
  float each = static_cast<float>(of.count);
  float from[RUN], scale[RUN], slope[RUN], turn[RUN], by[RUN];
  take_run(mean + channel, from);
  take_run(variance + channel, scale);
  take_run(dbeta + channel, slope);
  take_run(dgamma + channel, turn);
  take_run(gamma + channel, by);
  UNROLL
  for (int k = 0; k < RUN; k++) {
    scale[k] = 1.0f / sqrtf(scale[k] + epsilon);
    slope[k] /= each;
    turn[k] /= each;
    by[k] *= scale[k];
  }
  down_rows(of, row, channel, [&](long long i) {
    float slopes[RUN];
    T in[RUN], out[RUN];
    take_run(x + i, in);  // before the mask, on which loads would wait
    d.run(i, slopes);
    UNROLL
    for (int k = 0; k < RUN; k++) {
      float moved = slopes[k] - slope[k] - (wide(in[k]) - from[k]) * scale[k] * turn[k];
      narrow(by[k] * moved, out[k]);
    }
    give_run(out, dx + i);
  });
}

#define NORMALIZATION(suffix, T)                                                                 \
  extern "C" __global__ void channel_moments_last_##suffix(                                      \
      const T* x, double* centre, Moments* parts, int first, Rows of, int count) {               \
    __shared__ double shared[2][DOWN][GROUP];                                                    \
    channel_moments(shared, x, centre, parts, first, of, count);                                 \
  }                                                                                              \
  KERNEL(channel_moments_last_##suffix)                                                          \
  extern "C" __global__ void channel_sums_last_##suffix(                                         \
      const T* d, const T* x, const float* mean, const float* variance, float epsilon,           \
      Pair* parts, Rows of, int count) {                                                         \
    __shared__ float shared[2][DOWN][GROUP];                                                     \
    channel_sums(shared, Whole<T>{d}, x, mean, variance, epsilon, parts, of, count);             \
  }                                                                                              \
  KERNEL(channel_sums_last_##suffix)                                                             \
  extern "C" __global__ void masked_channel_sums_last_##suffix(                                  \
      const T* d, const T* y, const T* x, const float* mean, const float* variance,              \
      float epsilon, Pair* parts, Rows of, int count) {                                          \
    __shared__ float shared[2][DOWN][GROUP];                                                     \
    channel_sums(shared, Masked<T>{d, y}, x, mean, variance, epsilon, parts, of, count);         \
  }                                                                                              \
  KERNEL(masked_channel_sums_last_##suffix)                                                      \
  extern "C" __global__ void normalize_last_##suffix(                                            \
      const T* x, const float* gamma, const float* beta, const float* mean,                      \
      const float* variance, const float* low, T* y, float epsilon, Rows of) {                   \
    const T* none = nullptr;                                                                     \
    normalize<false>(x, gamma, beta, mean, variance, low, none, y, epsilon, of);                 \
  }                                                                                              \
  KERNEL(normalize_last_##suffix)                                                                \
  extern "C" __global__ void normalize_relu_last_##suffix(                                       \
      const T* x, const float* gamma, const float* beta, const float* mean,                      \
      const float* variance, const float* low, const T* z, T* y, float epsilon, Rows of) {       \
    normalize<true>(x, gamma, beta, mean, variance, low, z, y, epsilon, of);                     \
  }                                                                                              \
  KERNEL(normalize_relu_last_##suffix)                                                           \
  extern "C" __global__ void batch_norm_gradient_last_##suffix(                                  \
      const T* d, const T* x, const float* gamma, const float* mean, const float* variance,      \
      const float* dgamma, const float* dbeta, T* dx, float epsilon, Rows of) {                  \
    gradient(Whole<T>{d}, x, gamma, mean, variance, dgamma, dbeta, dx, epsilon, of);             \
  }                                                                                              \
  KERNEL(batch_norm_gradient_last_##suffix)                                                      \
  extern "C" __global__ void masked_batch_norm_gradient_last_##suffix(                           \
      const T* d, const T* y, const T* x, const float* gamma, const float* mean,                 \
      const float* variance, const float* dgamma, const float* dbeta, T* dx, float epsilon,      \
      Rows of) {                                                                                 \
    gradient(Masked<T>{d, y}, x, gamma, mean, variance, dgamma, dbeta, dx, epsilon, of);         \
  }                                                                                              \
  KERNEL(masked_batch_norm_gradient_last_##suffix)
NORMALIZATION(fp16, fp16)
NORMALIZATION(bf16, bf16)
