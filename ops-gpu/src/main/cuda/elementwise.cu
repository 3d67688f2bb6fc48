// Place by place: one thread for each element of the result, or for a run of them where all tensors
// are of one shape by what the kernel is for.
#include "run.cuh"
#include "view.cuh"

// The larger and the smaller of two, a NaN where either is one.
__device__ __forceinline__ float larger(float a, float b) {
  return a != a || b != b ? a + b : fmaxf(a, b);
}

__device__ __forceinline__ float smaller(float a, float b) {
  return a != a || b != b ? a + b : fminf(a, b);
}

struct Add {
  static __device__ __forceinline__ float of(float a, float b) { return a + b; }
};
struct Sub {
  static __device__ __forceinline__ float of(float a, float b) { return a - b; }
};
struct Mul {
  static __device__ __forceinline__ float of(float a, float b) { return a * b; }
};
struct Div {
  static __device__ __forceinline__ float of(float a, float b) { return a / b; }
  static __device__ __forceinline__ float slope(int input, float a, float b) {
    return input == 0 ? 1.0f / b : -(a / b) / b;
  }
};
struct Maximum {
  static __device__ __forceinline__ float of(float a, float b) { return larger(a, b); }
  static __device__ __forceinline__ float slope(int input, float a, float b) {
    return (a >= b || a != a) == (input == 0) ? 1.0f : 0.0f;
  }
};
struct Minimum {
  static __device__ __forceinline__ float of(float a, float b) { return smaller(a, b); }
  static __device__ __forceinline__ float slope(int input, float a, float b) {
    return (a <= b || a != a) == (input == 0) ? 1.0f : 0.0f;
  }
};
struct PRelu {
  static __device__ __forceinline__ float of(float a, float b) { return a > 0.0f ? a : b * a; }
  static __device__ __forceinline__ float slope(int input, float a, float b) {
    return a > 0.0f ? (input == 0 ? 1.0f : 0.0f) : (input == 0 ? b : a);
  }
};

// y = how(a, b), operands that are broadcast being read by views.
#define BINARY_OF(name, How, suffix, T)                                                          \
  extern "C" __global__ void name##_##suffix(const T* a, const T* b, T* y, const View va,        \
                                             const View vb, long long n) {                       \
    long long i = here();                                                                        \
    if (i < n) narrow(How::of(wide(a[place(va, i)]), wide(b[place(vb, i)])), y[i]);              \
  }                                                                                              \
  KERNEL(name##_##suffix)

// dx = d * slope(a, b) before it is summed over repeated axes.
#define SLOPE_OF(name, How, suffix, T)                                                           \
  extern "C" __global__ void name##_slope_##suffix(const T* d, const T* a, const T* b, T* dx,    \
                                                   const View va, const View vb, int input,      \
                                                   long long n) {                                \
    long long i = here();                                                                        \
    if (i < n) {                                                                                 \
      float slope = How::slope(input, wide(a[place(va, i)]), wide(b[place(vb, i)]));             \
      narrow(wide(d[i]) * slope, dx[i]);                                                         \
    }                                                                                            \
  }                                                                                              \
  KERNEL(name##_slope_##suffix)

#define BINARY(suffix, T)                                                                        \
  BINARY_OF(add, Add, suffix, T)                                                                 \
  BINARY_OF(sub, Sub, suffix, T)                                                                 \
  BINARY_OF(mul, Mul, suffix, T)                                                                 \
  BINARY_OF(div, Div, suffix, T)                                                                 \
  BINARY_OF(maximum, Maximum, suffix, T)                                                         \
  BINARY_OF(minimum, Minimum, suffix, T)                                                         \
  BINARY_OF(prelu, PRelu, suffix, T)                                                             \
  SLOPE_OF(div, Div, suffix, T)                                                                  \
  SLOPE_OF(maximum, Maximum, suffix, T)                                                          \
  SLOPE_OF(minimum, Minimum, suffix, T)                                                          \
  SLOPE_OF(prelu, PRelu, suffix, T)
INSTANCES(BINARY)

// relu: y = max(x, 0). add_relu: y = max(a + b, 0), of tensors of one shape. A NaN stays one.
#define RELU(suffix, T)                                                                          \
  extern "C" __global__ void relu_##suffix(const T* x, T* y, long long n) {                      \
    by_runs([](T& to, T v) { narrow(rectified(wide(v)), to); }, n, y, x);                        \
  }                                                                                              \
  KERNEL(relu_##suffix)                                                                          \
  extern "C" __global__ void add_relu_##suffix(const T* a, const T* b, T* y, long long n) {      \
    by_runs([](T& to, T v, T w) { narrow(rectified(wide(v) + wide(w)), to); }, n, y, a, b);      \
  }                                                                                              \
  KERNEL(add_relu_##suffix)
INSTANCES(RELU)

// relu_gradient: dx = d where y > 0, else 0; y is ReLU's output. add_relu_gradient: of d = a + b.
#define RELU_GRADIENT(suffix, T)                                                                 \
  extern "C" __global__ void relu_gradient_##suffix(const T* d, const T* y, T* dx,               \
                                                    long long n) {                               \
    auto passed = [](T& to, T slope, T out) {                                                    \
      float v = wide(slope);                                                                     \
      narrow(wide(out) > 0.0f ? v : 0.0f, to);                                                   \
    };                                                                                           \
    by_runs(passed, n, dx, d, y);                                                                \
  }                                                                                              \
  KERNEL(relu_gradient_##suffix)                                                                 \
  extern "C" __global__ void add_relu_gradient_##suffix(const T* a, const T* b, const T* y,      \
                                                        T* dx, long long n) {                    \
    auto passed = [](T& to, T slope, T added, T out) {                                           \
      float v = wide(slope) + wide(added);                                                       \
      narrow(wide(out) > 0.0f ? v : 0.0f, to);                                                   \
    };                                                                                           \
    by_runs(passed, n, dx, a, b, y);                                                             \
  }                                                                                              \
  KERNEL(add_relu_gradient_##suffix)
INSTANCES(RELU_GRADIENT)

// y = a where the condition holds, else b: the bits of one of them.
#define WHERE(suffix, T)                                                                         \
  extern "C" __global__ void where_##suffix(const T* a, const T* b,                              \
                                            const unsigned char* condition, T* y, const View va, \
                                            const View vb, const View vc, long long n) {         \
    long long i = here();                                                                        \
    if (i < n) y[i] = condition[place(vc, i)] != 0 ? a[place(va, i)] : b[place(vb, i)];          \
  }                                                                                              \
  KERNEL(where_##suffix)                                                                         \
  extern "C" __global__ void where_gradient_##suffix(const T* d, const unsigned char* condition, \
                                                     T* dx, const View vc, int taken,            \
                                                     long long n) {                              \
    long long i = here();                                                                        \
    if (i < n) {                                                                                 \
      bool holds = condition[place(vc, i)] != 0;                                                 \
      narrow(holds == (taken != 0) ? wide(d[i]) : 0.0f, dx[i]);                                  \
    }                                                                                            \
  }                                                                                              \
  KERNEL(where_gradient_##suffix)
INSTANCES(WHERE)

// As ElementwiseKernels numbers them.
enum Comparison { EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL };

template <class V>
__device__ __forceinline__ bool holds(int comparison, V a, V b) {
  switch (comparison) {
    case EQUAL:
      return a == b;
    case NOT_EQUAL:
      return a != b;
    case LESS:
      return a < b;
    case LESS_OR_EQUAL:
      return a <= b;
    case GREATER:
      return a > b;
    default:
      return a >= b;
  }
}

__device__ __forceinline__ long long wide(long long v) { return v; }
__device__ __forceinline__ int wide(int v) { return v; }
__device__ __forceinline__ int wide(unsigned char v) { return v; }

#define COMPARE(suffix, T)                                                                       \
  extern "C" __global__ void compare_##suffix(const T* a, const T* b, unsigned char* y,          \
                                              const View va, const View vb, int comparison,      \
                                              long long n) {                                     \
    long long i = here();                                                                        \
    if (i < n) y[i] = holds(comparison, wide(a[place(va, i)]), wide(b[place(vb, i)])) ? 1 : 0;   \
  }                                                                                              \
  KERNEL(compare_##suffix)
INSTANCES(COMPARE)
COMPARE(int64, long long)
COMPARE(int32, int)
COMPARE(uint8, unsigned char)
COMPARE(bool, unsigned char)
