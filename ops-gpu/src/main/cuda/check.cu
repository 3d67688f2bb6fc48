// What a step asks of all gradients together, and what it makes of each before its rule.
#include "block.cuh"

// Some gradients of a step; see PrecisionKernels.
constexpr int GRADIENTS = 64;

struct Gradients {
  const float* at[GRADIENTS];
  long long size[GRADIENTS];
};

// partial[y · gridDim.x + x] = the sum of the squares of share x of gradient y, unscaled where there
// is a scale: finite where all of them are, for no square of a float is too large for a double.
extern "C" __global__ void squares(const __grid_constant__ Gradients all, const float* scale,
                                   double* partial) {
  __shared__ double reciprocal;
  if (threadIdx.x == 0) reciprocal = scale == nullptr ? 1.0 : 1.0 / scale[0];
  __syncthreads();
  const float* g = all.at[blockIdx.y];
  long long n = all.size[blockIdx.y];
  double sum = 0.0;
  for (long long i = here(); i < n; i += static_cast<long long>(gridDim.x) * blockDim.x) {
    double v = static_cast<float>(g[i] * reciprocal);
    sum += v * v;
  }
  sum = over_block<Sum>(sum, 0.0);
  if (threadIdx.x == 0) {
    partial[static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
  }
}
KERNEL(squares)

// One block.
extern "C" __global__ void checked(const double* partial, long long n, const float* loss,
                                   unsigned char* finite, double* norm) {
  double sum = 0.0;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) sum += partial[i];
  sum = over_block<Sum>(sum, 0.0);
  if (threadIdx.x == 0) {
    finite[0] = sum - sum == 0.0 && loss[0] - loss[0] == 0.0f ? 1 : 0;
    norm[0] = sqrt(sum);
  }
}
KERNEL(checked)

extern "C" __global__ void magnitudes(const __grid_constant__ Gradients all, float* partial) {
  const float* g = all.at[blockIdx.y];
  long long n = all.size[blockIdx.y];
  float most = 0.0f;
  for (long long i = here(); i < n; i += static_cast<long long>(gridDim.x) * blockDim.x) {
    most = Largest::of(fabsf(g[i]), most);
  }
  most = over_block<Largest>(most, 0.0f);
  if (threadIdx.x == 0) {
    partial[static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x] = most;
  }
}
KERNEL(magnitudes)

// One block.
extern "C" __global__ void largest_magnitude(const float* partial, long long n, float* y) {
  float most = 0.0f;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) most = Largest::of(partial[i], most);
  most = over_block<Largest>(most, 0.0f);
  if (threadIdx.x == 0) y[0] = most;
}
KERNEL(largest_magnitude)

// A reciprocal that is taken in double is exact enough for every scale that a float holds.
extern "C" __global__ void unscale(const float* g, const float* scale, float* y, long long n) {
  __shared__ double reciprocal;  // one for a block: a division in double takes long
  if (threadIdx.x == 0) reciprocal = 1.0 / scale[0];
  __syncthreads();
  long long i = here();
  if (i < n) y[i] = static_cast<float>(g[i] * reciprocal);
}
KERNEL(unscale)

// See ClipByNorm.
extern "C" __global__ void clip_by_norm(const float* g, const void* norm, int norm_bytes, float* y,
                                        double largest, double epsilon, long long n) {
  __shared__ double factor;
  if (threadIdx.x == 0) {
    double of_all = norm_bytes == 8 ? *static_cast<const double*>(norm)
                                    : *static_cast<const float*>(norm);
    double share = largest / (of_all + epsilon);
    factor = share > 1.0 ? 1.0 : share;
  }
  __syncthreads();
  long long i = here();
  if (i < n) y[i] = static_cast<float>(g[i] * factor);
}
KERNEL(clip_by_norm)

extern "C" __global__ void clip_by_value(const float* g, float* y, float largest, long long n) {
  long long i = here();
  if (i < n) y[i] = bounded(g[i], largest);
}
KERNEL(clip_by_value)
