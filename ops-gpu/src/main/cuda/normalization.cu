// Normalisation of channels over a batch of [N, C, positions]: see BatchNorm and Normalize.
#include "reduce.cuh"

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
  long long each;  // the elements of a channel
};

__device__ __forceinline__ int channel(const Channels& of, long long i) {
  return static_cast<unsigned>(i) / static_cast<unsigned>(of.positions) %
         static_cast<unsigned>(of.count);
}

// Element i of gamma * (x - mean) / sqrt(variance + epsilon) + beta; low, if given, is what the
// mean lost when it was rounded.
template <class T>
__device__ __forceinline__ float normalized(const T* x, const float* gamma, const float* beta,
                                            const float* mean, const float* variance,
                                            const float* low, float epsilon, const Channels& of,
                                            long long i) {
  int c = channel(of, i);
  float centred = wide(x[i]) - mean[c];
  if (low != nullptr) centred -= low[c];
  return gamma[c] * (centred / sqrtf(variance[c] + epsilon)) + beta[c];
}

// The gradient of y: d, or d where ReLU let y through.
template <class T>
struct Whole {
  const T* d;
  __device__ __forceinline__ float at(long long i) const { return wide(d[i]); }
};

template <class T>
struct Masked {
  const T* d;
  const T* y;  // ReLU's output
  __device__ __forceinline__ float at(long long i) const {
    return wide(y[i]) > 0.0f ? wide(d[i]) : 0.0f;
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
  long long i = here();
  if (i >= of.elements) return;
  int c = channel(of, i);
  float scale = 1.0f / sqrtf(variance[c] + epsilon);
  float normal = (wide(x[i]) - mean[c]) * scale;
  float each = static_cast<float>(of.each);
  float centred = d.at(i) - dbeta[c] / each - normal * (dgamma[c] / each);
  narrow(gamma[c] * scale * centred, dx[i]);
}

// channel_moments: sums around centre, for parts of channels. channel_sums, masked_channel_sums:
// of slopes.
#define OF_CHANNELS(suffix, T, shape)                                                            \
  extern "C" __global__ void channel_moments_##suffix##_by_##shape(                              \
      const T* x, const double* centre, Moments* parts, View kept, View reduced,                 \
      Extent extent) {                                                                           \
    reduce_by_##shape<OfMoments>(                                                                \
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
  KERNEL(channel_moments_##suffix##_by_##shape)                                                  \
  extern "C" __global__ void channel_sums_##suffix##_by_##shape(                                 \
      const T* d, const T* x, const float* mean, const float* variance, float epsilon,           \
      Pair* parts, View kept, View reduced, Extent extent) {                                     \
    reduce_by_##shape<Pairs>(kept, reduced, extent,                                              \
                             slopes(Whole<T>{d}, x, mean, variance, epsilon),                    \
                             [=](long long i, Pair v) { parts[i] = v; });                        \
  }                                                                                              \
  KERNEL(channel_sums_##suffix##_by_##shape)                                                     \
  extern "C" __global__ void masked_channel_sums_##suffix##_by_##shape(                          \
      const T* d, const T* y, const T* x, const float* mean, const float* variance,              \
      float epsilon, Pair* parts, View kept, View reduced, Extent extent) {                      \
    reduce_by_##shape<Pairs>(kept, reduced, extent,                                              \
                             slopes(Masked<T>{d, y}, x, mean, variance, epsilon),                \
                             [=](long long i, Pair v) { parts[i] = v; });                        \
  }                                                                                              \
  KERNEL(masked_channel_sums_##suffix##_by_##shape)

// first_of_channels: the first element of each channel, to take sums around. normalize_relu: the
// normalised x, to which z is added if it is given, and then ReLU; rounded once.
#define NORMALIZATION(suffix, T)                                                                 \
  OF_CHANNELS(suffix, T, block)                                                                  \
  OF_CHANNELS(suffix, T, thread)                                                                 \
  extern "C" __global__ void first_of_channels_##suffix(const T* x, double* centre,              \
                                                        Channels of) {                           \
    long long c = here();                                                                        \
    if (c < of.count) centre[c] = wide(x[c * of.positions]);                                     \
  }                                                                                              \
  KERNEL(first_of_channels_##suffix)                                                             \
  extern "C" __global__ void normalize_##suffix(                                                 \
      const T* x, const float* gamma, const float* beta, const float* mean,                      \
      const float* variance, const float* low, T* y, float epsilon, Channels of) {               \
    long long i = here();                                                                        \
    if (i >= of.elements) return;                                                                \
    narrow(normalized(x, gamma, beta, mean, variance, low, epsilon, of, i), y[i]);               \
  }                                                                                              \
  KERNEL(normalize_##suffix)                                                                     \
  extern "C" __global__ void normalize_relu_##suffix(                                            \
      const T* x, const float* gamma, const float* beta, const float* mean,                      \
      const float* variance, const float* low, const T* z, T* y, float epsilon, Channels of) {   \
    long long i = here();                                                                        \
    if (i >= of.elements) return;                                                                \
    float v = normalized(x, gamma, beta, mean, variance, low, epsilon, of, i);                   \
    if (z != nullptr) v += wide(z[i]);                                                           \
    narrow(rectified(v), y[i]);                                                                  \
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

// y = keep * running + take * batch
extern "C" __global__ void running_average(const float* running, const float* batch, float* y,
                                           double keep, double take, long long n) {
  long long i = here();
  if (i < n) y[i] = static_cast<float>(keep * running[i] + take * batch[i]);
}
KERNEL(running_average)
