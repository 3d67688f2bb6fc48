// Normalisation of channels over a batch of [N, C, positions]: see BatchNorm and Normalize.
#include "reduce.cuh"
#include "run.cuh"

// Sums of x - centre and of their squares. In double: each batch's statistics last.
struct Moments {
  double first, second;
};

struct OfMoments {
  using State = Moments;
  static __device__ __forceinline__ Moments none() { return {0.0, 0.0}; }
  static __device__ __forceinline__ Moments merge(Moments a, Moments b) {
    return {a.first + b.first, a.second + b.second};
  }
  static __device__ __forceinline__ Moments other(Moments v, int mask) {
    return {__shfl_xor_sync(0xffffffffu, v.first, mask),
            __shfl_xor_sync(0xffffffffu, v.second, mask)};
  }
};

// How a tensor lies that has channels.
struct Channels {
  long long count, positions, elements;
  long long each;   // the elements of a channel
  long long width;  // how many neighbours a thread takes at once: RUN, all of one channel, or 1
};

__device__ __forceinline__ int channel(const Channels& of, long long i) {
  return static_cast<unsigned>(i) / static_cast<unsigned>(of.positions) %
         static_cast<unsigned>(of.count);
}

// y = gamma * (x - mean) / sqrt(variance + epsilon) + beta, to which z is added if it is given, and
// then ReLU if it is asked for; low, if given, is what the mean lost when it was rounded.
template <bool RELU, class T>
__device__ __forceinline__ void normalize(const T* x, const float* gamma, const float* beta,
                                          const float* mean, const float* variance,
                                          const float* low, const T* z, T* y, float epsilon,
                                          const Channels& of) {
  long long i = here() * of.width;
  if (i >= of.elements) return;
  int c = channel(of, i);
  float by = gamma[c];
  float added = beta[c];
  float centre = mean[c];
  float lost = low != nullptr ? low[c] : 0.0f;
  float spread = sqrtf(variance[c] + epsilon);
  auto normalized = [&](T v) { return by * ((wide(v) - centre - lost) / spread) + added; };
  if (of.width == 1) {
    float v = normalized(x[i]);
    if (z != nullptr) v += wide(z[i]);
    narrow(RELU ? rectified(v) : v, y[i]);
    return;
  }
  T in[RUN], beside[RUN], out[RUN];
  take_run(x + i, in);
  if (z != nullptr) take_run(z + i, beside);
  UNROLL
  for (int k = 0; k < RUN; k++) {
    float v = normalized(in[k]);
    if (z != nullptr) v += wide(beside[k]);
    narrow(RELU ? rectified(v) : v, out[k]);
  }
  give_run(out, y + i);
}

// The gradient of y: d, or d where ReLU let y through.
template <class T>
struct Whole {
  const T* d;
  __device__ __forceinline__ float at(long long i) const { return wide(d[i]); }
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
  __device__ __forceinline__ float at(long long i) const {
    return wide(y[i]) > 0.0f ? wide(d[i]) : 0.0f;
  }
  __device__ __forceinline__ void run(long long i, float (&to)[RUN]) const {
    T slopes[RUN], passed[RUN];
    take_run(d + i, slopes);
    take_run(y + i, passed);
    UNROLL
    for (int k = 0; k < RUN; k++) to[k] = wide(passed[k]) > 0.0f ? wide(slopes[k]) : 0.0f;
  }
};

// d * n and d of a channel's elements, n being the normalised x.
template <class T, class D>
__device__ __forceinline__ auto slopes(D d, const T* x, const float* mean, const float* variance,
                                       float epsilon) {
  return [=](long long c) {
    float from = mean[c];
    float scale = 1.0f / sqrtf(variance[c] + epsilon);
    return [=](long long at, long long) {
      float slope = d.at(at);
      return Pair{slope * ((wide(x[at]) - from) * scale), slope};
    };
  };
}

// dx, from the sums over the channel that dgamma and dbeta are.
template <class T, class D>
__device__ __forceinline__ void gradient(D d, const T* x, const float* gamma, const float* mean,
                                         const float* variance, const float* dgamma,
                                         const float* dbeta, T* dx, float epsilon,
                                         const Channels& of) {
  long long i = here() * of.width;
  if (i >= of.elements) return;
  int c = channel(of, i);
  float scale = 1.0f / sqrtf(variance[c] + epsilon);
  float each = static_cast<float>(of.each);
  float from = mean[c];
  float slope = dbeta[c] / each;
  float turn = dgamma[c] / each;
  float by = gamma[c] * scale;
  auto moved = [&](float d, T v) { return by * (d - slope - (wide(v) - from) * scale * turn); };
  if (of.width == 1) {
    narrow(moved(d.at(i), x[i]), dx[i]);
    return;
  }
  float slopes[RUN];
  T in[RUN], out[RUN];
  d.run(i, slopes);
  take_run(x + i, in);
  UNROLL
  for (int k = 0; k < RUN; k++) narrow(moved(slopes[k], in[k]), out[k]);
  give_run(out, dx + i);
}

// A block for each part of each channel: one(state, i) puts element i to a state, run(state, i) the
// RUN elements from i on; put takes the place channel * parts + part, and the state.
template <class How, class Ones, class Runs, class Put>
__device__ __forceinline__ void reduce_channel(const Channels& of, const Extent& extent, Ones one,
                                               Runs run, Put put) {
  int c = static_cast<int>(blockIdx.x / extent.parts);
  long long part = blockIdx.x % extent.parts;
  long long size = (extent.count + extent.parts - 1) / extent.parts;
  size = (size + of.width - 1) / of.width * of.width;
  long long end = (part + 1) * size < extent.count ? (part + 1) * size : extent.count;
  unsigned positions = static_cast<unsigned>(of.positions);
  typename How::State state = How::none();
  for (long long j = part * size + threadIdx.x * of.width; j < end; j += blockDim.x * of.width) {
    unsigned sample = static_cast<unsigned>(j) / positions;
    unsigned position = static_cast<unsigned>(j) % positions;
    long long i = (sample * of.count + c) * positions + position;
    if (of.width == 1) {
      one(state, i);
    } else {
      run(state, i);
    }
  }
  state = merged_over_block<How>(state);
  if (threadIdx.x == 0) put(c, static_cast<long long>(blockIdx.x), state);
}

// The same of slopes.
template <class T, class D>
__device__ __forceinline__ void channel_sums(D d, const T* x, const float* mean,
                                             const float* variance, float epsilon, Pair* parts,
                                             const Channels& of, const Extent& extent) {
  int c = static_cast<int>(blockIdx.x / extent.parts);
  float from = mean[c];
  float scale = 1.0f / sqrtf(variance[c] + epsilon);
  auto merged = [=](Pair& state, float slope, T v) {
    state = Pairs::merge(state, Pair{slope * ((wide(v) - from) * scale), slope});
  };
  reduce_channel<Pairs>(
      of, extent, [=](Pair& state, long long i) { merged(state, d.at(i), x[i]); },
      [=](Pair& state, long long i) {
        float slopes[RUN];
        T in[RUN];
        d.run(i, slopes);
        take_run(x + i, in);
        UNROLL
        for (int k = 0; k < RUN; k++) merged(state, slopes[k], in[k]);
      },
      [=](int, long long at, Pair v) { parts[at] = v; });
}

// The same of the moments around the first element, which the centre becomes, or around the centre.
template <class T>
__device__ __forceinline__ void channel_moments(const T* x, double* centre, Moments* parts,
                                                int first, const Channels& of,
                                                const Extent& extent) {
  int c = static_cast<int>(blockIdx.x / extent.parts);
  double from = first != 0 ? wide(x[c * of.positions]) : centre[c];
  auto merged = [=](Moments& state, T element) {
    double v = static_cast<double>(wide(element)) - from;
    state = OfMoments::merge(state, Moments{v, v * v});
  };
  reduce_channel<OfMoments>(
      of, extent, [=](Moments& state, long long i) { merged(state, x[i]); },
      [=](Moments& state, long long i) {
        T in[RUN];
        take_run(x + i, in);
        UNROLL
        for (int k = 0; k < RUN; k++) merged(state, in[k]);
      },
      [=](int channel, long long at, Moments v) {
        parts[at] = v;
        if (first != 0 && at % extent.parts == 0) centre[channel] = from;
      });
}

// channel_moments: sums around the first element or centre, for parts of channels. channel_sums,
// masked_channel_sums: of slopes. By blocks as tensors mostly are; by threads where the elements of
// a channel are few or neighbours are of other channels.
#define OF_CHANNELS(suffix, T)                                                                   \
  extern "C" __global__ void channel_moments_##suffix##_by_block(                                \
      const T* x, double* centre, Moments* parts, int first, Channels of, Extent extent) {       \
    channel_moments(x, centre, parts, first, of, extent);                                        \
  }                                                                                              \
  KERNEL(channel_moments_##suffix##_by_block)                                                    \
  extern "C" __global__ void channel_sums_##suffix##_by_block(                                   \
      const T* d, const T* x, const float* mean, const float* variance, float epsilon,           \
      Pair* parts, Channels of, Extent extent) {                                                 \
    channel_sums(Whole<T>{d}, x, mean, variance, epsilon, parts, of, extent);                    \
  }                                                                                              \
  KERNEL(channel_sums_##suffix##_by_block)                                                       \
  extern "C" __global__ void masked_channel_sums_##suffix##_by_block(                            \
      const T* d, const T* y, const T* x, const float* mean, const float* variance,              \
      float epsilon, Pair* parts, Channels of, Extent extent) {                                  \
    channel_sums(Masked<T>{d, y}, x, mean, variance, epsilon, parts, of, extent);                \
  }                                                                                              \
  KERNEL(masked_channel_sums_##suffix##_by_block)                                                \
  extern "C" __global__ void channel_moments_##suffix##_by_thread(                               \
      const T* x, const double* centre, Moments* parts, View kept, View reduced,                 \
      Extent extent) {                                                                           \
    reduce_by_thread<OfMoments>(                                                                 \
        kept, reduced, extent,                                                                   \
        [=](long long c) {                                                                       \
          double from = centre[c];                                                               \
          return [=](long long at, long long) {                                                  \
            double v = static_cast<double>(wide(x[at])) - from;                                  \
            return Moments{v, v * v};                                                            \
          };                                                                                     \
        },                                                                                       \
        [=](long long i, Moments v) { parts[i] = v; });                                          \
  }                                                                                              \
  KERNEL(channel_moments_##suffix##_by_thread)                                                   \
  extern "C" __global__ void channel_sums_##suffix##_by_thread(                                  \
      const T* d, const T* x, const float* mean, const float* variance, float epsilon,           \
      Pair* parts, View kept, View reduced, Extent extent) {                                     \
    reduce_by_thread<Pairs>(kept, reduced, extent,                                               \
                            slopes(Whole<T>{d}, x, mean, variance, epsilon),                     \
                            [=](long long i, Pair v) { parts[i] = v; });                         \
  }                                                                                              \
  KERNEL(channel_sums_##suffix##_by_thread)                                                      \
  extern "C" __global__ void masked_channel_sums_##suffix##_by_thread(                           \
      const T* d, const T* y, const T* x, const float* mean, const float* variance,              \
      float epsilon, Pair* parts, View kept, View reduced, Extent extent) {                      \
    reduce_by_thread<Pairs>(kept, reduced, extent,                                               \
                            slopes(Masked<T>{d, y}, x, mean, variance, epsilon),                 \
                            [=](long long i, Pair v) { parts[i] = v; });                         \
  }                                                                                              \
  KERNEL(masked_channel_sums_##suffix##_by_thread)

// first_of_channels: the first element of each channel, to take sums around. normalize_relu: the
// normalised x, to which z is added if it is given, and then ReLU; rounded once.
#define NORMALIZATION(suffix, T)                                                                 \
  OF_CHANNELS(suffix, T)                                                                         \
  extern "C" __global__ void first_of_channels_##suffix(const T* x, double* centre,              \
                                                        Channels of) {                           \
    long long c = here();                                                                        \
    if (c < of.count) centre[c] = wide(x[c * of.positions]);                                     \
  }                                                                                              \
  KERNEL(first_of_channels_##suffix)                                                             \
  extern "C" __global__ void normalize_##suffix(                                                 \
      const T* x, const float* gamma, const float* beta, const float* mean,                      \
      const float* variance, const float* low, T* y, float epsilon, Channels of) {               \
    const T* none = nullptr;                                                                     \
    normalize<false>(x, gamma, beta, mean, variance, low, none, y, epsilon, of);                 \
  }                                                                                              \
  KERNEL(normalize_##suffix)                                                                     \
  extern "C" __global__ void normalize_relu_##suffix(                                            \
      const T* x, const float* gamma, const float* beta, const float* mean,                      \
      const float* variance, const float* low, const T* z, T* y, float epsilon, Channels of) {   \
    normalize<true>(x, gamma, beta, mean, variance, low, z, y, epsilon, of);                     \
  }                                                                                              \
  KERNEL(normalize_relu_##suffix)                                                                \
  extern "C" __global__ void batch_norm_gradient_##suffix(                                       \
      const T* d, const T* x, const float* gamma, const float* mean, const float* variance,      \
      const float* dgamma, const float* dbeta, T* dx, float epsilon, Channels of) {              \
    gradient(Whole<T>{d}, x, gamma, mean, variance, dgamma, dbeta, dx, epsilon, of);             \
  }                                                                                              \
  KERNEL(batch_norm_gradient_##suffix)                                                           \
  extern "C" __global__ void masked_batch_norm_gradient_##suffix(                                \
      const T* d, const T* y, const T* x, const float* gamma, const float* mean,                 \
      const float* variance, const float* dgamma, const float* dbeta, T* dx, float epsilon,      \
      Channels of) {                                                                             \
    gradient(Masked<T>{d, y}, x, gamma, mean, variance, dgamma, dbeta, dx, epsilon, of);         \
  }                                                                                              \
  KERNEL(masked_batch_norm_gradient_##suffix)
INSTANCES(NORMALIZATION)

// Of all parts of a channel: the mean, what it loses when it is rounded, and the variance; the
// centre becomes the mean.
__device__ __forceinline__ void statistics(long long c, Moments v, double* centre, float* mean,
                                           float* low, float* variance, double each) {
  double shift = v.first / each;
  double exact = centre[c] + shift;
  double spread = v.second / each - shift * shift;
  centre[c] = exact;
  mean[c] = static_cast<float>(exact);
  low[c] = static_cast<float>(exact - static_cast<double>(mean[c]));
  variance[c] = static_cast<float>(spread < 0.0 ? 0.0 : spread);
}

// parameter_gradients: dgamma and, if it is given, dbeta from the sums of their parts.
#define OF_PARTS(shape)                                                                          \
  extern "C" __global__ void channel_statistics_by_##shape(                                      \
      const Moments* parts, double* centre, float* mean, float* low, float* variance,            \
      double each, View kept, View reduced, Extent extent) {                                     \
    reduce_by_##shape<OfMoments>(                                                                \
        kept, reduced, extent,                                                                   \
        [=](long long) {                                                                         \
          return [=](long long at, long long) { return parts[at]; };                             \
        },                                                                                       \
        [=](long long c, Moments v) { statistics(c, v, centre, mean, low, variance, each); });   \
  }                                                                                              \
  KERNEL(channel_statistics_by_##shape)                                                          \
  extern "C" __global__ void parameter_gradients_by_##shape(                                     \
      const Pair* parts, float* dgamma, float* dbeta, View kept, View reduced, Extent extent) {  \
    reduce_by_##shape<Pairs>(                                                                    \
        kept, reduced, extent,                                                                   \
        [=](long long) {                                                                         \
          return [=](long long at, long long) { return parts[at]; };                             \
        },                                                                                       \
        [=](long long i, Pair v) {                                                               \
          dgamma[i] = v.first;                                                                   \
          if (dbeta != nullptr) dbeta[i] = v.second;                                             \
        });                                                                                      \
  }                                                                                              \
  KERNEL(parameter_gradients_by_##shape)
OF_PARTS(block)
OF_PARTS(thread)
