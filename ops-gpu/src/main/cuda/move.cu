// Elements that go to other places and stay what they are, so by their size alone.
#include "view.cuh"

#define MOVE(bytes, T)                                                                           \
  extern "C" __global__ void move_##bytes(const T* x, T* y, const View from, const View to,      \
                                          long long n) {                                         \
    long long i = here();                                                                        \
    if (i < n) y[place(to, i)] = x[place(from, i)];                                              \
  }                                                                                              \
  KERNEL(move_##bytes)                                                                           \
  extern "C" __global__ void fill_##bytes(T* y, long long bits, long long n) {                   \
    long long i = here();                                                                        \
    if (i < n) y[i] = static_cast<T>(bits);                                                      \
  }                                                                                              \
  KERNEL(fill_##bytes)
MOVE(1, unsigned char)
MOVE(2, unsigned short)
MOVE(4, unsigned int)
MOVE(8, unsigned long long)
