// Looks elements up by indices that are data: one thread for each element that is written.
#include "bytes.cuh"
#include "problem.cuh"

// What is looked up along one axis of a tensor: `size` places on it, `run` elements under each.
struct Table {
  long long size;
  long long run;
};

struct Indices {
  const void* values;
  int bytes;
  long long count;
};

// Of index `place`, which it notes where it is out of range; then -1.
__device__ __forceinline__ long long index_at(const Indices& indices, long long place,
                                              long long size, const Problem& problem) {
  long long index = whole(indices.values, indices.bytes, place);
  if (index >= 0 && index < size) return index;
  note(problem, place);
  return -1;
}

template <class U>
__device__ __forceinline__ void gather(const U* x, U* y, const Table& table,
                                       const Indices& indices, long long n,
                                       const Problem& problem) {
  long long i = here();
  if (i >= n) return;
  long long row = i / table.run;
  long long index = index_at(indices, row % indices.count, table.size, problem);
  if (index < 0) return;
  long long from = row / indices.count * table.size + index;
  y[i] = x[from * table.run + i % table.run];
}

#define GATHER(bytes, U)                                                                         \
  extern "C" __global__ void gather_##bytes(                                                     \
      const U* x, U* y, long long size, long long run, const void* indices, int index_bytes,     \
      long long count, long long n, unsigned long long* problem, unsigned long long base) {      \
    gather(x, y, Table{size, run}, Indices{indices, index_bytes, count}, n,                      \
           Problem{problem, base});                                                              \
  }                                                                                              \
  KERNEL(gather_##bytes)
MOVED_BYTES(GATHER)

// on and off: the bits of one element each.
#define ONE_HOT(bytes, U)                                                                        \
  extern "C" __global__ void one_hot_##bytes(                                                    \
      U* y, long long depth, unsigned long long on, unsigned long long off,                      \
      const void* indices, int index_bytes, long long count, long long n,                        \
      unsigned long long* problem, unsigned long long base) {                                    \
    long long i = here();                                                                        \
    if (i >= n) return;                                                                          \
    long long hot = index_at(Indices{indices, index_bytes, count}, i / depth, depth,             \
                             Problem{problem, base});                                            \
    y[i] = static_cast<U>(hot == i % depth ? on : off);                                          \
  }                                                                                              \
  KERNEL(one_hot_##bytes)
ELEMENT_BYTES(ONE_HOT)

// Along an axis, from one place to the next.
struct Axis {
  long long size;
  long long stride;
};

template <class U>
__device__ __forceinline__ void reverse(const U* x, U* y, const Axis& batch, const Axis& time,
                                        const int* lengths, long long n, const Problem& problem) {
  long long i = here();
  if (i >= n) return;
  long long sample = i / batch.stride % batch.size;
  long long step = i / time.stride % time.size;
  long long length = lengths[sample];
  if (length < 0 || length > time.size) {
    note(problem, sample);
    return;
  }
  long long from = step < length ? length - 1 - step : step;
  y[i] = x[i + (from - step) * time.stride];
}

#define REVERSE(bytes, U)                                                                        \
  extern "C" __global__ void reverse_sequence_##bytes(                                           \
      const U* x, U* y, long long samples, long long sample_stride, long long steps,             \
      long long step_stride, const int* lengths, long long n, unsigned long long* problem,       \
      unsigned long long base) {                                                                 \
    reverse(x, y, Axis{samples, sample_stride}, Axis{steps, step_stride}, lengths, n,            \
            Problem{problem, base});                                                             \
  }                                                                                              \
  KERNEL(reverse_sequence_##bytes)
MOVED_BYTES(REVERSE)
