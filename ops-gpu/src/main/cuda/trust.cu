// Optimizers that look at the norms of a whole parameter: partial sums by some blocks, the sums of
// these by one, and then one thread for each element. FP32; norms are summed in double.
#include "block.cuh"
#include "rule.cuh"

// partial[block] = the sum of the squares of a's share, partial[gridDim.x + block] of b's.
__device__ __forceinline__ void share_of_norms(double a, double b, double* partial) {
  a = over_block<Sum>(a, 0.0);
  b = over_block<Sum>(b, 0.0);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = a;
    partial[gridDim.x + blockIdx.x] = b;
  }
}

__device__ __forceinline__ double square(double v) { return v * v; }

// See LambRule: the moments and the shares of ‖w‖² and ‖u‖².
extern "C" __global__ void lamb_moments(const float* w, const float* m, const float* v,
                                        const float* gradient, const long long* applied,
                                        float* new_m, float* new_v, double* partial, Moment first,
                                        Moment second, float epsilon, float decay, long long n) {
  double of_w = 0.0;
  double of_u = 0.0;
  float first_share = share(first, applied);
  float second_share = share(second, applied);
  for (long long i = here(); i < n; i += static_cast<long long>(gridDim.x) * blockDim.x) {
    float g = gradient[i];
    float now_m = mean(first.decay, m[i], first.rest, g);
    float now_v = mean(second.decay, v[i], second.rest, g * g);
    new_m[i] = now_m;
    new_v[i] = now_v;
    of_w += square(w[i]);
    of_u += square(adaptive(now_m, now_v, first_share, second_share, epsilon) + decay * w[i]);
  }
  share_of_norms(of_w, of_u, partial);
}
KERNEL(lamb_moments)

// norms[0], norms[1] = the norms of which `blocks` blocks gave shares. One block.
extern "C" __global__ void norms_of_shares(const double* partial, int blocks, double* norms) {
  for (int which = 0; which < 2; which++) {
    double sum = 0.0;
    for (int i = threadIdx.x; i < blocks; i += blockDim.x) sum += partial[which * blocks + i];
    sum = over_block<Sum>(sum, 0.0);
    if (threadIdx.x == 0) norms[which] = sqrt(sum);
  }
}
KERNEL(norms_of_shares)

extern "C" __global__ void lamb(const float* w, const float* new_m, const float* new_v,
                                const float* rate, const long long* applied, const double* norms,
                                float* new_w, Moment first, Moment second, float epsilon,
                                float decay, long long n) {
  __shared__ float step;  // one for a block: a division in double takes long
  if (threadIdx.x == 0) {
    double trust = norms[0] == 0.0 || norms[1] == 0.0 ? 1.0 : norms[0] / norms[1];
    step = static_cast<float>(rate[0] * trust);
  }
  __syncthreads();
  long long i = here();
  if (i >= n) return;
  float u = adaptive(new_m[i], new_v[i], share(first, applied), share(second, applied), epsilon) +
            decay * w[i];
  new_w[i] = w[i] - step * u;
}
KERNEL(lamb)

// See LarsRule: the shares of ‖w‖² and ‖gradient‖².
extern "C" __global__ void lars_norms(const float* w, const float* gradient, double* partial,
                                      long long n) {
  double of_w = 0.0;
  double of_g = 0.0;
  for (long long i = here(); i < n; i += static_cast<long long>(gridDim.x) * blockDim.x) {
    of_w += square(w[i]);
    of_g += square(gradient[i]);
  }
  share_of_norms(of_w, of_g, partial);
}
KERNEL(lars_norms)

extern "C" __global__ void lars(const float* w, const float* v, const float* gradient,
                                const float* rate, const double* norms, float* new_w,
                                float* new_v, double trust, double decay, float momentum,
                                long long n) {
  __shared__ float step;
  if (threadIdx.x == 0) {
    double local = norms[0] == 0.0 || norms[1] == 0.0
                       ? 1.0
                       : trust * norms[0] / (norms[1] + decay * norms[0]);
    step = static_cast<float>(rate[0] * local);
  }
  __syncthreads();
  long long i = here();
  if (i >= n) return;
  float g = gradient[i] + static_cast<float>(decay) * w[i];
  float velocity = momentum * v[i] + step * g;
  new_v[i] = velocity;
  new_w[i] = w[i] - velocity;
}
KERNEL(lars)
