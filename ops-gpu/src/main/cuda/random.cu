// Ops that draw random numbers: one thread for each element.
#include "random.cuh"

// y = x / kept, or 0 where the number that was drawn, times 2^53, is below `dropped`.
template <class T>
__device__ __forceinline__ void dropout(const T* x, T* y, const Draw& draw, long long dropped,
                                        float kept, long long n) {
  long long i = here();
  if (i < n) narrow(drawn(draw, i) < dropped ? 0.0f : wide(x[i]) / kept, y[i]);
}

#define DROPOUT(suffix, T)                                                                       \
  extern "C" __global__ void dropout_##suffix(const T* x, T* y, Draw draw, long long dropped,    \
                                              float kept, long long n) {                         \
    dropout(x, y, draw, dropped, kept, n);                                                       \
  }                                                                                              \
  KERNEL(dropout_##suffix)
INSTANCES(DROPOUT)
