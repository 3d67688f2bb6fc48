// Optimizers: one thread for each element of a parameter.
#include "numbers.cuh"

// See MomentumRule. rate lies on the device, so that a replayed graph follows the schedule.
template <class T>
__device__ __forceinline__ void momentum(const T* w, const T* v, const T* gradient,
                                         const float* rate, T* new_w, T* new_v, float factor,
                                         int nesterov, float decay, int decoupled, long long n) {
  long long i = here();
  if (i >= n) return;
  float weight = wide(w[i]);
  float added = decoupled != 0 ? 0.0f : decay;
  float shrunk = decoupled != 0 ? decay : 0.0f;
  float g = wide(gradient[i]) + added * weight;
  narrow(factor * wide(v[i]) + g, new_v[i]);
  float velocity = wide(new_v[i]);  // as it is stored
  float step = nesterov != 0 ? g + factor * velocity : velocity;
  narrow(weight - rate[0] * shrunk * weight - rate[0] * step, new_w[i]);
}

#define MOMENTUM(suffix, T)                                                                      \
  extern "C" __global__ void momentum_##suffix(                                                  \
      const T* w, const T* v, const T* gradient, const float* rate, T* new_w, T* new_v,          \
      float factor, int nesterov, float decay, int decoupled, long long n) {                     \
    momentum(w, v, gradient, rate, new_w, new_v, factor, nesterov, decay, decoupled, n);         \
  }                                                                                              \
  KERNEL(momentum_##suffix)
INSTANCES(MOMENTUM)
