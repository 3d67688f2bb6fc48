// Sums, means, logarithmic sums and extremes over some axes: see reduce.cuh. Of many elements that
// make few results, parts are reduced first, and then the states of the parts.
#include "reduce.cuh"

// scale: what the sum is divided by.
struct Totals {
  using State = float;
  static __device__ __forceinline__ float none() { return 0.0f; }
  static __device__ __forceinline__ float merge(float a, float b) { return a + b; }
  static __device__ __forceinline__ float other(float v, int mask) {
    return __shfl_xor_sync(0xffffffffu, v, mask);
  }
  template <class T>
  static __device__ __forceinline__ float get(const T* x, long long at, long long, float) {
    return wide(x[at]);
  }
  template <class T>
  static __device__ __forceinline__ void put(float sum, T* y, long long*, long long i,
                                             float scale) {
    narrow(sum / scale, y[i]);
  }
};

// The sum of exponentials of numbers less the largest of them.
struct Shifted {
  float largest, sum;
};

struct Logarithms {
  using State = Shifted;
  static __device__ __forceinline__ Shifted none() { return {-INFINITY, 0.0f}; }
  // An infinite x that is the largest counts 1, as every largest does.
  static __device__ __forceinline__ float exponential(float x, float largest) {
    return x == largest ? 1.0f : expf(x - largest);
  }
  static __device__ __forceinline__ Shifted merge(Shifted a, Shifted b) {
    float largest = Largest::of(a.largest, b.largest);
    return {largest, a.sum * exponential(a.largest, largest) +
                         b.sum * exponential(b.largest, largest)};
  }
  static __device__ __forceinline__ Shifted other(Shifted v, int mask) {
    return {__shfl_xor_sync(0xffffffffu, v.largest, mask),
            __shfl_xor_sync(0xffffffffu, v.sum, mask)};
  }
  template <class T>
  static __device__ __forceinline__ Shifted get(const T* x, long long at, long long, float) {
    return {wide(x[at]), 1.0f};
  }
  static __device__ __forceinline__ Shifted get(const Shifted* x, long long at, long long,
                                                float) {
    return x[at];
  }
  template <class T>
  static __device__ __forceinline__ void put(Shifted v, T* y, long long*, long long i, float) {
    narrow(v.largest + logf(v.sum), y[i]);
  }
  static __device__ __forceinline__ void put(Shifted v, Shifted* y, long long*, long long i,
                                             float) {
    y[i] = v;
  }
};

// The largest number so far and where it stood; -1 before the first.
struct Best {
  float value;
  int position;
};

// scale: 1 for the largest; -1 for the smallest, which is the largest of the negatives.
struct Extremes {
  using State = Best;
  static __device__ __forceinline__ Best none() { return {0.0f, -1}; }
  // Of equal ones the first counts, and a NaN goes before every number.
  static __device__ __forceinline__ Best merge(Best a, Best b) {
    if (a.position < 0) return b;
    if (b.position < 0) return a;
    bool a_nan = a.value != a.value;
    bool b_nan = b.value != b.value;
    bool equal = a_nan || b_nan ? a_nan && b_nan : a.value == b.value;
    bool b_goes_first = equal ? b.position < a.position : b_nan || (!a_nan && b.value > a.value);
    return b_goes_first ? b : a;
  }
  static __device__ __forceinline__ Best other(Best v, int mask) {
    return {__shfl_xor_sync(0xffffffffu, v.value, mask),
            __shfl_xor_sync(0xffffffffu, v.position, mask)};
  }
  template <class T>
  static __device__ __forceinline__ Best get(const T* x, long long at, long long j, float scale) {
    return {scale * wide(x[at]), static_cast<int>(j)};
  }
  static __device__ __forceinline__ Best get(const Best* x, long long at, long long, float) {
    return x[at];
  }
  template <class T>
  static __device__ __forceinline__ void put(Best v, T* y, long long* positions, long long i,
                                             float scale) {
    narrow(scale * v.value, y[i]);
    positions[i] = v.position;
  }
  static __device__ __forceinline__ void put(Best v, Best* y, long long*, long long i, float) {
    y[i] = v;
  }
};

// x -> y; only extremes have positions.
#define REDUCE(shape, name, How, In, Out)                                                        \
  extern "C" __global__ void name##_by_##shape(const In* x, Out* y, long long* positions,        \
                                               float scale, View kept, View reduced,             \
                                               Extent extent) {                                  \
    reduce_by_##shape<How>(                                                                      \
        kept, reduced, extent,                                                                   \
        [=](long long) {                                                                         \
          return [=](long long at, long long j) { return How::get(x, at, j, scale); };           \
        },                                                                                       \
        [=](long long i, How::State v) { How::put(v, y, positions, i, scale); });                \
  }                                                                                              \
  KERNEL(name##_by_##shape)

// From elements to results, from elements to the states of parts, and from these to results.
#define REDUCE_ALL(name, How, suffix, T)                      \
  REDUCE(block, name##_##suffix, How, T, T)                   \
  REDUCE(thread, name##_##suffix, How, T, T)                  \
  REDUCE(block, name##_##suffix##_parts, How, T, How::State)  \
  REDUCE(thread, name##_##suffix##_parts, How, T, How::State) \
  REDUCE(block, name##_parts_##suffix, How, How::State, T)    \
  REDUCE(thread, name##_parts_##suffix, How, How::State, T)

#define REDUCTIONS(suffix, T)                         \
  REDUCE_ALL(sum, Totals, suffix, T)                  \
  REDUCE_ALL(log_sum_exp, Logarithms, suffix, T)      \
  REDUCE_ALL(extreme, Extremes, suffix, T)
INSTANCES(REDUCTIONS)

// dx = d where an element's number along the reduced axes is the result's position, else 0.
#define EXTREME_GRADIENT(suffix, T)                                                              \
  extern "C" __global__ void extreme_gradient_##suffix(const T* d, const long long* positions,   \
                                                       T* dx, View result, View number,          \
                                                       long long n) {                            \
    long long i = here();                                                                        \
    if (i < n) {                                                                                 \
      long long from = place(result, i);                                                         \
      narrow(positions[from] == place(number, i) ? wide(d[from]) : 0.0f, dx[i]);                 \
    }                                                                                            \
  }                                                                                              \
  KERNEL(extreme_gradient_##suffix)
INSTANCES(EXTREME_GRADIENT)
