// Numbers of every dtype as others, by the rules of Cast.
#pragma once

#include "numbers.cuh"

struct truth {
  unsigned char holds;
};

// What is too large for a floating dtype becomes: see CastOverflow.
constexpr int TO_INFINITY = 0;
constexpr int TO_NAN = 1;

// The number itself, as a float where all numbers of its dtype are floats.
__device__ __forceinline__ float number(fp16 v) { return wide(v); }
__device__ __forceinline__ float number(bf16 v) { return wide(v); }
__device__ __forceinline__ float number(float v) { return v; }
__device__ __forceinline__ double number(double v) { return v; }
__device__ __forceinline__ double number(long long v) { return static_cast<double>(v); }
__device__ __forceinline__ double number(int v) { return v; }
__device__ __forceinline__ float number(unsigned char v) { return v; }
__device__ __forceinline__ float number(truth v) { return v.holds != 0 ? 1.0f : 0.0f; }

template <class V>
__device__ __forceinline__ bool is_finite(V v) {
  return v - v == V{0};
}

// The nearest float, but one with an odd last bit where it is not exact: to nearest twice would
// round twice.
__device__ __forceinline__ float to_odd(float v) { return v; }
__device__ __forceinline__ float to_odd(double v) {
  float near = static_cast<float>(v);
  int bits = __float_as_int(near);
  bool stays = static_cast<double>(near) == v || (bits & 1) != 0 || !is_finite(near);
  if (stays) return near;
  return __int_as_float(fabs(v) > fabs(static_cast<double>(near)) ? bits + 1 : bits - 1);
}

// To nearest even, once.
template <class V>
__device__ __forceinline__ void nearest(V v, fp16& to) { narrow(to_odd(v), to); }
template <class V>
__device__ __forceinline__ void nearest(V v, bf16& to) { narrow(to_odd(v), to); }
template <class V>
__device__ __forceinline__ void nearest(V v, float& to) { to = static_cast<float>(v); }

__device__ __forceinline__ float largest(fp16) { return 65504.0f; }
__device__ __forceinline__ float largest(bf16) { return 0x1.FEp127f; }
__device__ __forceinline__ float largest(float) { return 0x1.FFFFFEp127f; }

template <class V, class T>
__device__ __forceinline__ void store(V v, int overflow, T& to) {
  nearest(v, to);
  if (overflow != TO_INFINITY && is_finite(v) && !is_finite(wide(to))) {
    float bound = v < V{0} ? -largest(to) : largest(to);
    narrow(overflow == TO_NAN ? NAN : bound, to);
  }
}

template <class V>
__device__ __forceinline__ void store(V v, int, double& to) { to = v; }

template <class V>
__device__ __forceinline__ void store(V v, int, long long& to) {
  constexpr long long MOST = 0x7fffffffffffffffll;
  constexpr V BOUND = static_cast<V>(0x1p63);
  to = v != v ? 0 : v >= BOUND ? MOST : v <= -BOUND ? -MOST - 1 : static_cast<long long>(v);
}

template <class V>
__device__ __forceinline__ void store(V v, int, int& to) {
  constexpr int MOST = 0x7fffffff;
  constexpr V BOUND = static_cast<V>(0x1p31);
  to = v != v ? 0 : v >= BOUND ? MOST : v <= -BOUND ? -MOST - 1 : static_cast<int>(v);
}

template <class V>
__device__ __forceinline__ void store(V v, int overflow, unsigned char& to) {
  int whole;
  store(v, overflow, whole);
  to = static_cast<unsigned char>(whole & 0xff);
}

template <class V>
__device__ __forceinline__ void store(V v, int, truth& to) {
  to.holds = v == V{0} ? 0 : 1;
}
