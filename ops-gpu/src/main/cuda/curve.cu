// Functions of one number and their gradients, as the records of op/elementwise define them; p and q
// are the numbers that are part of an op.
#include "numbers.cuh"

__device__ __forceinline__ float logistic(float x) { return 1.0f / (1.0f + expf(-x)); }

// x between two numbers; a NaN stays one.
__device__ __forceinline__ float between(float x, float least, float most) {
  return x < least ? least : x > most ? most : x;
}

struct Affine {
  static __device__ __forceinline__ float of(float x, float p, float q) { return p * x + q; }
};
struct Abs {
  static __device__ __forceinline__ float of(float x, float, float) { return fabsf(x); }
  static __device__ __forceinline__ float slope(float x, float, float) {
    return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x;  // a NaN stays one
  }
};
struct Clip {
  static __device__ __forceinline__ float of(float x, float p, float q) {
    return between(x, p, q);
  }
  static __device__ __forceinline__ float slope(float x, float p, float q) {
    return x > p && x < q ? 1.0f : 0.0f;
  }
};
struct Exp {
  static __device__ __forceinline__ float of(float x, float, float) { return expf(x); }
  static __device__ __forceinline__ float slope(float y, float, float) { return y; }
};
// p is 1 where the distribution is approximated by tanh.
struct Gelu {
  static constexpr float FAR = 40.0f;
  static constexpr float CUBIC = 0.044715f;
  static constexpr float TWICE_ROOT = 1.5957691216057308f;  // 2 sqrt(2 / pi)
  static __device__ __forceinline__ float below(float x, float p) {
    return p != 0.0f ? logistic(TWICE_ROOT * (x + CUBIC * x * x * x))
                     : 0.5f * erfcf(-0.70710678118654752f * x);
  }
  static __device__ __forceinline__ float density(float x, float p) {
    if (p == 0.0f) return 0.3989422804014327f * expf(-0.5f * x * x);
    float s = below(x, p);
    return s * (1.0f - s) * TWICE_ROOT * (1.0f + 3.0f * CUBIC * x * x);
  }
  static __device__ __forceinline__ float of(float x, float p, float) { return x * below(x, p); }
  static __device__ __forceinline__ float slope(float x, float p, float) {
    float near = between(x, -FAR, FAR);
    return below(near, p) + near * density(near, p);
  }
};
struct HardSwish {
  static __device__ __forceinline__ float of(float x, float, float) {
    return x * between(x + 3.0f, 0.0f, 6.0f) / 6.0f;
  }
  static __device__ __forceinline__ float slope(float x, float, float) {
    return x <= -3.0f ? 0.0f : x >= 3.0f ? 1.0f : (2.0f * x + 3.0f) / 6.0f;
  }
};
struct LeakyRelu {
  static __device__ __forceinline__ float of(float x, float p, float) {
    return x > 0.0f ? x : p * x;
  }
  static __device__ __forceinline__ float slope(float y, float p, float) {
    return y > 0.0f ? 1.0f : p;
  }
};
struct Log {
  static __device__ __forceinline__ float of(float x, float, float) { return logf(x); }
  static __device__ __forceinline__ float slope(float x, float, float) { return 1.0f / x; }
};
struct Pow {
  static __device__ __forceinline__ float of(float x, float p, float) { return powf(x, p); }
  static __device__ __forceinline__ float slope(float x, float p, float) {
    return p == 0.0f ? 0.0f : p * powf(x, p - 1.0f);
  }
};
struct Rsqrt {
  static __device__ __forceinline__ float of(float x, float, float) { return 1.0f / sqrtf(x); }
  static __device__ __forceinline__ float slope(float y, float, float) {
    return -0.5f * y * y * y;
  }
};
struct Sigmoid {
  static __device__ __forceinline__ float of(float x, float, float) { return logistic(x); }
  static __device__ __forceinline__ float slope(float y, float, float) {
    return y * (1.0f - y);
  }
};
struct Silu {
  static constexpr float FAR = 1000.0f;
  static __device__ __forceinline__ float of(float x, float, float) {
    return x / (1.0f + expf(-x));
  }
  static __device__ __forceinline__ float slope(float x, float, float) {
    float near = between(x, -FAR, FAR);
    float s = logistic(near);
    return s * (1.0f + near * (1.0f - s));
  }
};
struct Sqrt {
  static __device__ __forceinline__ float of(float x, float, float) { return sqrtf(x); }
  static __device__ __forceinline__ float slope(float y, float, float) { return 0.5f / y; }
};
struct Tanh {
  static __device__ __forceinline__ float of(float x, float, float) { return tanhf(x); }
  static __device__ __forceinline__ float slope(float y, float, float) {
    return (1.0f - y) * (1.0f + y);
  }
};

#define VALUE_OF(name, How, suffix, T)                                                           \
  extern "C" __global__ void name##_##suffix(const T* x, T* y, float p, float q, long long n) {  \
    long long i = here();                                                                        \
    if (i < n) narrow(How::of(wide(x[i]), p, q), y[i]);                                          \
  }                                                                                              \
  KERNEL(name##_##suffix)

// d * slope(kept): kept is x or y, as the op says.
#define SLOPE_OF(name, How, suffix, T)                                                           \
  extern "C" __global__ void name##_slope_##suffix(const T* d, const T* kept, T* dx, float p,    \
                                                   float q, long long n) {                       \
    long long i = here();                                                                        \
    if (i < n) narrow(wide(d[i]) * How::slope(wide(kept[i]), p, q), dx[i]);                      \
  }                                                                                              \
  KERNEL(name##_slope_##suffix)

#define CURVE_OF(name, How, suffix, T) VALUE_OF(name, How, suffix, T) SLOPE_OF(name, How, suffix, T)

#define CURVES(suffix, T)                                                                        \
  VALUE_OF(affine, Affine, suffix, T)                                                            \
  CURVE_OF(abs, Abs, suffix, T)                                                                  \
  CURVE_OF(clip, Clip, suffix, T)                                                                \
  CURVE_OF(exp, Exp, suffix, T)                                                                  \
  CURVE_OF(gelu, Gelu, suffix, T)                                                                \
  CURVE_OF(hard_swish, HardSwish, suffix, T)                                                     \
  CURVE_OF(leaky_relu, LeakyRelu, suffix, T)                                                     \
  CURVE_OF(log, Log, suffix, T)                                                                  \
  CURVE_OF(pow, Pow, suffix, T)                                                                  \
  CURVE_OF(rsqrt, Rsqrt, suffix, T)                                                              \
  CURVE_OF(sigmoid, Sigmoid, suffix, T)                                                          \
  CURVE_OF(silu, Silu, suffix, T)                                                                \
  CURVE_OF(sqrt, Sqrt, suffix, T)                                                                \
  CURVE_OF(tanh, Tanh, suffix, T)
INSTANCES(CURVES)
