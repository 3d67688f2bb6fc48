// Losses of x and target element by element, and their slopes by x; see ElementLoss and
// ElementLossGradient.
#include "block.cuh"

struct MeanSquaredError {
  static __device__ __forceinline__ float of(float x, float target, float) {
    return (x - target) * (x - target);
  }
  static __device__ __forceinline__ float slope(float x, float target, float) {
    return 2.0f * (x - target);
  }
};

struct AbsoluteError {
  static __device__ __forceinline__ float of(float x, float target, float) {
    return fabsf(x - target);
  }
  static __device__ __forceinline__ float slope(float x, float target, float) {
    float distance = x - target;
    return distance > 0.0f ? 1.0f : (distance < 0.0f ? -1.0f : distance);
  }
};

struct SmoothAbsoluteError {
  static __device__ __forceinline__ float of(float x, float target, float beta) {
    float distance = fabsf(x - target);
    return distance < beta ? distance * distance / (2.0f * beta) : distance - beta / 2.0f;
  }
  static __device__ __forceinline__ float slope(float x, float target, float beta) {
    float slope = (x - target) / beta;
    return slope > 1.0f ? 1.0f : (slope < -1.0f ? -1.0f : slope);
  }
};

struct BinaryCrossEntropy {
  static __device__ __forceinline__ float of(float x, float target, float) {
    return fmaxf(x, 0.0f) - x * target + log1pf(expf(-fabsf(x)));
  }
  static __device__ __forceinline__ float slope(float x, float target, float) {
    return 1.0f / (1.0f + expf(-x)) - target;
  }
};

// parts[block]: the sum of the losses that the block walks over.
template <class Loss>
__device__ __forceinline__ void sum_part(const float* x, const float* target, float* parts,
                                         float beta, long long n) {
  float sum = 0.0f;
  long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = here(); i < n; i += step) sum += Loss::of(x[i], target[i], beta);
  sum = over_block<Sum>(sum, 0.0f);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

// d lies at `stride` times the element's number: 0 for a reduced loss.
#define ELEMENT_LOSS(name, Loss)                                                                 \
  extern "C" __global__ void name##_each(const float* x, const float* target, float* losses,     \
                                         float beta, long long n) {                              \
    long long i = here();                                                                        \
    if (i < n) losses[i] = Loss::of(x[i], target[i], beta);                                      \
  }                                                                                              \
  KERNEL(name##_each)                                                                            \
  extern "C" __global__ void name##_parts(const float* x, const float* target, float* parts,     \
                                          float beta, long long n) {                             \
    sum_part<Loss>(x, target, parts, beta, n);                                                   \
  }                                                                                              \
  KERNEL(name##_parts)                                                                           \
  extern "C" __global__ void name##_gradient(const float* x, const float* target,                \
                                             const float* d, long long stride, float divisor,    \
                                             float* dx, float beta, long long n) {               \
    long long i = here();                                                                        \
    if (i < n) dx[i] = d[i * stride] / divisor * Loss::slope(x[i], target[i], beta);             \
  }                                                                                              \
  KERNEL(name##_gradient)
ELEMENT_LOSS(mean_squared_error, MeanSquaredError)
ELEMENT_LOSS(l1, AbsoluteError)
ELEMENT_LOSS(smooth_l1, SmoothAbsoluteError)
ELEMENT_LOSS(bce_with_logits, BinaryCrossEntropy)

// y[0] = sum of n parts / divisor. One block.
extern "C" __global__ void sum_of_parts(const float* parts, float divisor, long long n, float* y) {
  float sum = 0.0f;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) sum += parts[i];
  sum = over_block<Sum>(sum, 0.0f);
  if (threadIdx.x == 0) y[0] = sum / divisor;
}
KERNEL(sum_of_parts)
