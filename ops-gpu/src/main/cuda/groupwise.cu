// Normalisation of groups of elements that lie one behind the other, a block for each: see
// GroupwiseNormalization and Groups.
#include "reduce.cuh"

struct Groups {
  long long length, run, cycle;
};

// The first parameter of this block's group.
__device__ __forceinline__ long long first_parameter(const Groups& of) {
  return blockIdx.x % of.cycle * (of.length / of.run);
}

__device__ __forceinline__ int parameter(const Groups& of, int i) {
  return i / static_cast<int>(of.run);
}

// Without beta, no mean is taken off. The rough mean is mended by what a second pass finds that it
// misses, and the variance with it (Chan, Golub and LeVeque, 1983).
template <class T>
__device__ __forceinline__ void group_norm(const T* x, const float* gamma, const float* beta,
                                           T* y, float* mean, float* rstd, float epsilon,
                                           const Groups& of) {
  x += blockIdx.x * of.length;
  y += blockIdx.x * of.length;
  int length = static_cast<int>(of.length);
  float rough = 0.0f;
  if (beta != nullptr) {
    for (int i = threadIdx.x; i < length; i += blockDim.x) rough += wide(x[i]);
    rough = over_block<Sum>(rough, 0.0f) / length;
  }
  Pair sums = Pairs::none();
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    float v = wide(x[i]) - rough;
    sums = Pairs::merge(sums, Pair{v, v * v});
  }
  sums = merged_over_block<Pairs>(sums);
  float missed = beta != nullptr ? sums.first / length : 0.0f;
  float squares = sums.second / length - missed * missed;
  float scale = 1.0f / sqrtf((squares < 0.0f ? 0.0f : squares) + epsilon);
  if (threadIdx.x == 0) {
    if (mean != nullptr) mean[blockIdx.x] = rough + missed;
    rstd[blockIdx.x] = scale;
  }
  gamma += first_parameter(of);
  if (beta != nullptr) beta += first_parameter(of);
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    int p = parameter(of, i);
    float v = gamma[p] * ((wide(x[i]) - rough - missed) * scale);
    narrow(beta != nullptr ? v + beta[p] : v, y[i]);
  }
}

// dx; without a mean in the formula of y there is none of g = gamma * d.
template <class T>
__device__ __forceinline__ void group_norm_gradient(const T* d, const T* x, const float* gamma,
                                                    const float* mean, const float* rstd, T* dx,
                                                    const Groups& of) {
  d += blockIdx.x * of.length;
  x += blockIdx.x * of.length;
  dx += blockIdx.x * of.length;
  gamma += first_parameter(of);
  int length = static_cast<int>(of.length);
  float from = mean != nullptr ? mean[blockIdx.x] : 0.0f;
  float scale = rstd[blockIdx.x];
  Pair sums = Pairs::none();
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    float g = gamma[parameter(of, i)] * wide(d[i]);
    sums = Pairs::merge(sums, Pair{g, g * ((wide(x[i]) - from) * scale)});
  }
  sums = merged_over_block<Pairs>(sums);
  float plain = mean != nullptr ? sums.first / length : 0.0f;
  float product = sums.second / length;
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    float g = gamma[parameter(of, i)] * wide(d[i]);
    float normal = (wide(x[i]) - from) * scale;
    narrow(scale * (g - plain - normal * product), dx[i]);
  }
}

// Sums of d * n and of d over the elements that share a parameter, n being the normalised x.
#define GROUP_SUMS(suffix, T, shape)                                                             \
  extern "C" __global__ void group_sums_##suffix##_by_##shape(                                   \
      const T* d, const T* x, const float* mean, const float* rstd, long long length,            \
      Pair* parts, View kept, View reduced, Extent extent) {                                     \
    reduce_by_##shape<Pairs>(                                                                    \
        kept, reduced, extent,                                                                   \
        [=](long long) {                                                                         \
          return [=](long long at, long long) {                                                  \
            unsigned group = static_cast<unsigned>(at) / static_cast<unsigned>(length);          \
            float from = mean != nullptr ? mean[group] : 0.0f;                                   \
            float slope = wide(d[at]);                                                           \
            return Pair{slope * ((wide(x[at]) - from) * rstd[group]), slope};                    \
          };                                                                                     \
        },                                                                                       \
        [=](long long i, Pair v) { parts[i] = v; });                                             \
  }                                                                                              \
  KERNEL(group_sums_##suffix##_by_##shape)

#define GROUPWISE(suffix, T)                                                                     \
  GROUP_SUMS(suffix, T, block)                                                                   \
  GROUP_SUMS(suffix, T, thread)                                                                  \
  extern "C" __global__ void group_norm_##suffix(const T* x, const float* gamma,                 \
                                                 const float* beta, T* y, float* mean,           \
                                                 float* rstd, float epsilon, Groups of) {        \
    group_norm(x, gamma, beta, y, mean, rstd, epsilon, of);                                      \
  }                                                                                              \
  KERNEL(group_norm_##suffix)                                                                    \
  extern "C" __global__ void group_norm_gradient_##suffix(                                       \
      const T* d, const T* x, const float* gamma, const float* mean, const float* rstd, T* dx,   \
      Groups of) {                                                                               \
    group_norm_gradient(d, x, gamma, mean, rstd, dx, of);                                        \
  }                                                                                              \
  KERNEL(group_norm_gradient_##suffix)
INSTANCES(GROUPWISE)
