// Place by place: one thread for each element.
#include "numbers.cuh"

// y[i] = a[i mod na] + b[i mod nb]: operands whose missing leading axes are repeated.
template <class T>
__device__ __forceinline__ void add(const T* a, const T* b, T* y, long long na, long long nb,
                                    long long n) {
  long long i = here();
  if (i < n) narrow(wide(a[i % na]) + wide(b[i % nb]), y[i]);
}

#define ADD(suffix, T)                                                                           \
  extern "C" __global__ void add_##suffix(const T* a, const T* b, T* y, long long na,            \
                                          long long nb, long long n) {                           \
    add(a, b, y, na, nb, n);                                                                     \
  }                                                                                              \
  KERNEL(add_##suffix)
INSTANCES(ADD)

// y = max(x, 0); a NaN stays one.
#define RELU(suffix, T)                                                                          \
  extern "C" __global__ void relu_##suffix(const T* x, T* y, long long n) {                      \
    long long i = here();                                                                        \
    if (i < n) {                                                                                 \
      float v = wide(x[i]);                                                                      \
      narrow(v < 0.0f ? 0.0f : v, y[i]);                                                         \
    }                                                                                            \
  }                                                                                              \
  KERNEL(relu_##suffix)
INSTANCES(RELU)

// dx = d where y > 0, else 0; y is ReLU's output.
#define RELU_GRADIENT(suffix, T)                                                                 \
  extern "C" __global__ void relu_gradient_##suffix(const T* d, const T* y, T* dx,               \
                                                    long long n) {                               \
    long long i = here();                                                                        \
    if (i < n) narrow(wide(y[i]) > 0.0f ? wide(d[i]) : 0.0f, dx[i]);                             \
  }                                                                                              \
  KERNEL(relu_gradient_##suffix)
INSTANCES(RELU_GRADIENT)
