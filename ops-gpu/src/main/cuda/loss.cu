// Softmax cross entropy: one block for each row of logits.
#include "exponentials.cuh"
#include "problem.cuh"

// What a label asks for, and what is made of the rows; see SoftmaxCrossEntropy.
struct Rows {
  const void* labels;
  int label_bytes;  // 4 or 8
  int classes;
  float smoothing;
  int ignores;  // whether a label is ignored
  long long ignored;
  Problem problem;
};

__device__ __forceinline__ long long label_of(const Rows& rows, long long row) {
  return whole(rows.labels, rows.label_bytes, row);
}

__device__ __forceinline__ bool counts(const Rows& rows, long long label) {
  return rows.ignores == 0 || label != rows.ignored;
}

// Notes the first row whose label is no class.
__device__ __forceinline__ bool is_class(const Rows& rows, long long row, long long label) {
  if (label >= 0 && label < rows.classes) return true;
  if (threadIdx.x == 0) note(rows.problem, row);
  return false;
}

template <class T>
__device__ __forceinline__ void row_loss(const T* logits, float* losses, const Rows& rows) {
  long long row = blockIdx.x;
  long long label = label_of(rows, row);
  const T* x = logits + row * rows.classes;
  bool counted = counts(rows, label);
  if (counted && !is_class(rows, row, label)) return;
  Exponentials of = exponentials(x, rows.classes);
  float log_sum = of.log_sum();
  float sum = 0.0f;
  if (rows.smoothing > 0.0f) {
    for (int c = threadIdx.x; c < rows.classes; c += blockDim.x) {
      sum += log_sum - (wide(x[c]) - of.largest);
    }
    sum = over_block<Sum>(sum, 0.0f) * (rows.smoothing / rows.classes);
  }
  if (threadIdx.x == 0) {
    losses[row] =
        counted ? (1.0f - rows.smoothing) * (log_sum - (wide(x[label]) - of.largest)) + sum : 0.0f;
  }
}

// d lies at `stride` times the row's number: 0 for a reduced loss.
template <class T>
__device__ __forceinline__ void row_gradient(const T* logits, const float* d, int stride,
                                             const float* divisor, T* dx,
                                             const Rows& rows) {
  long long row = blockIdx.x;
  long long label = label_of(rows, row);
  const T* x = logits + row * rows.classes;
  bool counted = counts(rows, label);
  if (counted && !is_class(rows, row, label)) return;
  Exponentials of = exponentials(x, rows.classes);
  float share = d[row * stride] / divisor[0];
  float each = rows.smoothing / rows.classes;
  for (int c = threadIdx.x; c < rows.classes; c += blockDim.x) {
    float slope = c == label ? rows.smoothing - of.missing(wide(x[c])) : of.share(wide(x[c]));
    narrow(counted ? share * (slope - each) : 0.0f, dx[row * rows.classes + c]);
  }
}

#define CROSS_ENTROPY(suffix, T)                                                                 \
  extern "C" __global__ void cross_entropy_##suffix(                                             \
      const T* logits, float* losses, const void* labels, int label_bytes, int classes,          \
      float smoothing, int ignores, long long ignored, unsigned long long* problem,              \
      unsigned long long base) {                                                                 \
    row_loss(logits, losses, Rows{labels, label_bytes, classes, smoothing, ignores, ignored,     \
                                  {problem, base}});                                               \
  }                                                                                              \
  KERNEL(cross_entropy_##suffix)                                                                 \
  extern "C" __global__ void cross_entropy_gradient_##suffix(                                    \
      const T* logits, const float* d, int stride, const float* divisor, T* dx,                  \
      const void* labels, int label_bytes, int classes, float smoothing, int ignores,            \
      long long ignored, unsigned long long* problem, unsigned long long base) {                 \
    row_gradient(logits, d, stride, divisor, dx,                                                 \
                 Rows{labels, label_bytes, classes, smoothing, ignores, ignored,                 \
                      {problem, base}});                                                         \
  }                                                                                              \
  KERNEL(cross_entropy_gradient_##suffix)
INSTANCES(CROSS_ENTROPY)

// divisor[0] = for a mean how many of n rows count, at least 1; else 1. One block.
extern "C" __global__ void counted_rows(const void* labels, int label_bytes, int ignores,
                                        long long ignored, long long n, int mean,
                                        float* divisor) {
  Rows rows{labels, label_bytes, 0, 0.0f, ignores, ignored, {nullptr, 0}};
  float count = 0.0f;
  for (long long row = threadIdx.x; row < n; row += blockDim.x) {
    count += counts(rows, label_of(rows, row)) ? 1.0f : 0.0f;
  }
  count = over_block<Sum>(count, 0.0f);
  if (threadIdx.x == 0) divisor[0] = mean != 0 && count > 1.0f ? count : 1.0f;
}
KERNEL(counted_rows)

// y[0] = sum of x over n, divided by divisor[0]. One block, always in the same order.
extern "C" __global__ void sum_of_rows(const float* x, const float* divisor, long long n,
                                       float* y) {
  float sum = 0.0f;
  for (long long i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  sum = over_block<Sum>(sum, 0.0f);
  if (threadIdx.x == 0) y[0] = sum / divisor[0];
}
KERNEL(sum_of_rows)
