// Softmax, its logarithm and their gradients, along the lines of one axis.
#include "exponentials.cuh"

// The lines of a tensor of [before, length, after]: their elements are `after` apart.
struct Lines {
  long long lines, length, after;
};

// Who works on a line, and where it starts.
struct ByBlock {
  static __device__ __forceinline__ long long line() { return blockIdx.x; }
  static __device__ __forceinline__ int first() { return threadIdx.x; }
  static __device__ __forceinline__ int step() { return blockDim.x; }
  template <class How>
  static __device__ __forceinline__ float all(float v, float nothing) {
    return over_block<How>(v, nothing);
  }
};

struct ByThread {
  static __device__ __forceinline__ long long line() { return here(); }
  static __device__ __forceinline__ int first() { return 0; }
  static __device__ __forceinline__ int step() { return 1; }
  template <class How>
  static __device__ __forceinline__ float all(float v, float) {
    return v;
  }
};

__device__ __forceinline__ long long start(const Lines& of, long long line) {
  return line / of.after * of.length * of.after + line % of.after;
}

template <class By, class T>
__device__ __forceinline__ Exponentials exponentials(const T* x, const Lines& of) {
  float most = -INFINITY;
  for (long long i = By::first(); i < of.length; i += By::step()) {
    most = Largest::of(wide(x[i * of.after]), most);
  }
  float largest = By::template all<Largest>(most, -INFINITY);
  SeenExponentials seen;
  for (long long i = By::first(); i < of.length; i += By::step()) {
    seen.add(expf(wide(x[i * of.after]) - largest));
  }
  float ones = By::template all<Sum>(seen.ones, 0.0f);
  return {largest, (ones - 1.0f) + By::template all<Sum>(seen.less, 0.0f)};
}

template <class By, class T>
__device__ __forceinline__ void softmax(const T* x, T* y, const Lines& of) {
  if (By::line() >= of.lines) return;
  x += start(of, By::line());
  y += start(of, By::line());
  Exponentials all = exponentials<By>(x, of);
  for (long long i = By::first(); i < of.length; i += By::step()) {
    narrow(all.share(wide(x[i * of.after])), y[i * of.after]);
  }
}

// x - largest less the logarithm, and not x less their sum: near 0 that would lose digits.
template <class By, class T>
__device__ __forceinline__ void log_softmax(const T* x, T* y, const Lines& of) {
  if (By::line() >= of.lines) return;
  x += start(of, By::line());
  y += start(of, By::line());
  Exponentials all = exponentials<By>(x, of);
  float log_sum = all.log_sum();
  for (long long i = By::first(); i < of.length; i += By::step()) {
    narrow(wide(x[i * of.after]) - all.largest - log_sum, y[i * of.after]);
  }
}

template <class By, class T>
__device__ __forceinline__ void softmax_gradient(const T* d, const T* y, T* dx,
                                                 const Lines& of) {
  if (By::line() >= of.lines) return;
  long long from = start(of, By::line());
  float sum = 0.0f;
  for (long long i = By::first(); i < of.length; i += By::step()) {
    sum += wide(d[from + i * of.after]) * wide(y[from + i * of.after]);
  }
  sum = By::template all<Sum>(sum, 0.0f);
  for (long long i = By::first(); i < of.length; i += By::step()) {
    long long at = from + i * of.after;
    narrow(wide(y[at]) * (wide(d[at]) - sum), dx[at]);
  }
}

template <class By, class T>
__device__ __forceinline__ void log_softmax_gradient(const T* d, const T* y, T* dx,
                                                     const Lines& of) {
  if (By::line() >= of.lines) return;
  long long from = start(of, By::line());
  float sum = 0.0f;
  for (long long i = By::first(); i < of.length; i += By::step()) {
    sum += wide(d[from + i * of.after]);
  }
  sum = By::template all<Sum>(sum, 0.0f);
  for (long long i = By::first(); i < of.length; i += By::step()) {
    long long at = from + i * of.after;
    narrow(wide(d[at]) - expf(wide(y[at])) * sum, dx[at]);
  }
}

#define ALONG_LINES(suffix, T, by, By)                                                           \
  extern "C" __global__ void softmax_##by##_##suffix(const T* x, T* y, Lines of) {               \
    softmax<By>(x, y, of);                                                                       \
  }                                                                                              \
  KERNEL(softmax_##by##_##suffix)                                                                \
  extern "C" __global__ void log_softmax_##by##_##suffix(const T* x, T* y, Lines of) {           \
    log_softmax<By>(x, y, of);                                                                   \
  }                                                                                              \
  KERNEL(log_softmax_##by##_##suffix)                                                            \
  extern "C" __global__ void softmax_gradient_##by##_##suffix(const T* d, const T* y, T* dx,     \
                                                              Lines of) {                        \
    softmax_gradient<By>(d, y, dx, of);                                                          \
  }                                                                                              \
  KERNEL(softmax_gradient_##by##_##suffix)                                                       \
  extern "C" __global__ void log_softmax_gradient_##by##_##suffix(const T* d, const T* y, T* dx, \
                                                                  Lines of) {                    \
    log_softmax_gradient<By>(d, y, dx, of);                                                      \
  }                                                                                              \
  KERNEL(log_softmax_gradient_##by##_##suffix)
#define LINES(suffix, T) ALONG_LINES(suffix, T, by_block, ByBlock) \
  ALONG_LINES(suffix, T, by_thread, ByThread)
INSTANCES(LINES)
