// Sums of values with the same index, in the order of the indices: the look-ups are sorted first,
// by runs of TILE, of which two and two are merged then.
#include "problem.cuh"

constexpr int TILE = 256;

// A look-up as a number: its index above, its place below, so that no two are equal and the order
// of places stays. Look-ups that add nothing are NOTHING, and come last.
constexpr unsigned long long NOTHING = ~0ull;
constexpr int INDEX_SHIFT = 32;

__device__ __forceinline__ unsigned long long index_of(unsigned long long key) {
  return key >> INDEX_SHIFT;
}

__device__ __forceinline__ long long place_of(unsigned long long key) {
  return static_cast<long long>(key & 0xffffffffull);
}

// Blocks of TILE threads; ignored: an index that adds nothing, or -1.
extern "C" __global__ void __launch_bounds__(TILE)
    sorted_tiles(const void* indices, int bytes, long long n, long long size, long long ignored,
                 unsigned long long* keys, unsigned long long* problem, unsigned long long base) {
  __shared__ unsigned long long tile[TILE];
  long long i = here();
  unsigned long long key = NOTHING;
  if (i < n) {
    long long index = whole(indices, bytes, i);
    if (index < 0 || index >= size) {
      note(Problem{problem, base}, i);
    } else if (index != ignored) {
      key = static_cast<unsigned long long>(index) << INDEX_SHIFT |
            static_cast<unsigned long long>(i);
    }
  }
  tile[threadIdx.x] = key;
  __syncthreads();
  int before = 0;
  for (int other = 0; other < TILE; other++) {
    int earlier = other < static_cast<int>(threadIdx.x) ? 1 : 0;
    before += tile[other] < key || (tile[other] == key && earlier != 0) ? 1 : 0;
  }
  if (i < n) keys[i - threadIdx.x + before] = key;
}
KERNEL(sorted_tiles)

// Merges each two runs of `width` keys: a key goes as many places up as keys of the other run
// come before it.
extern "C" __global__ void merged_runs(const unsigned long long* from, unsigned long long* to,
                                       long long n, long long width) {
  long long i = here();
  if (i >= n) return;
  long long start = i / width * width;
  bool second = i / width % 2 != 0;
  long long other = second ? start - width : start + width;
  long long low = other;
  long long high = other + width < n ? other + width : (other < n ? n : other);
  unsigned long long key = from[i];
  while (low < high) {
    long long middle = low + (high - low) / 2;
    bool before = from[middle] < key || (second && from[middle] == key);
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  to[(second ? other : start) + (i - start) + (low - other)] = key;
}
KERNEL(merged_runs)

// The first of n sorted keys that is not below `least`.
__device__ __forceinline__ long long first_from(const unsigned long long* keys, long long n,
                                                unsigned long long least) {
  long long low = 0;
  long long high = n;
  while (low < high) {
    long long middle = low + (high - low) / 2;
    bool before = keys[middle] < least;
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return low;
}

// Element i of n: sums of values [blocks, looked, run] in a table [blocks, size, run].
template <class T, class R>
__device__ __forceinline__ void scatter_add(const T* values, R* y, const unsigned long long* keys,
                                            long long looked, long long size, long long run,
                                            long long n) {
  long long i = here();
  if (i >= n) return;
  long long row = i / run;
  unsigned long long index = static_cast<unsigned long long>(row % size);
  const T* column = values + row / size * looked * run + i % run;
  float sum = 0.0f;
  for (long long k = first_from(keys, looked, index << INDEX_SHIFT);
       k < looked && index_of(keys[k]) == index; k++) {
    sum += wide(column[place_of(keys[k]) * run]);
  }
  narrow(sum, y[i]);
}

// wide: the sum leaves unrounded, in float.
#define SCATTER_ADD(suffix, T)                                                                   \
  extern "C" __global__ void scatter_add_##suffix(                                               \
      const T* values, T* y, const unsigned long long* keys, long long looked, long long size,   \
      long long run, long long n) {                                                              \
    scatter_add(values, y, keys, looked, size, run, n);                                          \
  }                                                                                              \
  KERNEL(scatter_add_##suffix)                                                                   \
  extern "C" __global__ void scatter_add_wide_##suffix(                                          \
      const T* values, float* y, const unsigned long long* keys, long long looked,               \
      long long size, long long run, long long n) {                                              \
    scatter_add(values, y, keys, looked, size, run, n);                                          \
  }                                                                                              \
  KERNEL(scatter_add_wide_##suffix)
INSTANCES(SCATTER_ADD)

__device__ __forceinline__ bool starts(const unsigned long long* keys, long long k) {
  return keys[k] != NOTHING && (k == 0 || index_of(keys[k - 1]) != index_of(keys[k]));
}

// The indices that occur, each once, then zeros; how many; and where each starts among the sorted
// keys, and where the last ends. One block of TILE threads, each with a part of the keys.
extern "C" __global__ void __launch_bounds__(TILE)
    distinct_rows(const unsigned long long* keys, long long n, long long* rows, long long* count,
                  long long* start_of) {
  __shared__ long long found[TILE];
  __shared__ long long all;
  long long part = (n + TILE - 1) / TILE;
  long long from = threadIdx.x * part;
  long long to = from + part < n ? from + part : n;
  long long own = 0;
  for (long long k = from; k < to; k++) own += starts(keys, k) ? 1 : 0;
  found[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    long long before = 0;
    for (int thread = 0; thread < TILE; thread++) {
      long long of_thread = found[thread];
      found[thread] = before;
      before += of_thread;
    }
    all = before;
    count[0] = before;
  }
  __syncthreads();
  long long place = found[threadIdx.x];
  for (long long k = from; k < to; k++) {
    if (starts(keys, k)) {
      rows[place] = static_cast<long long>(index_of(keys[k]));
      start_of[place++] = k;
    }
    bool last = keys[k] != NOTHING && (k + 1 == n || keys[k + 1] == NOTHING);
    if (last) start_of[all] = k + 1;
  }
  for (long long i = all + threadIdx.x; i < n; i += TILE) rows[i] = 0;
}
KERNEL(distinct_rows)

// sums [n / width, width]: those of the values with each of the distinct indices, then zeros.
template <class T>
__device__ __forceinline__ void coalesced(const T* values, float* sums,
                                          const unsigned long long* keys,
                                          const long long* start_of, const long long* count,
                                          long long width, long long n) {
  long long i = here();
  if (i >= n) return;
  long long row = i / width;
  float sum = 0.0f;
  if (row < count[0]) {
    for (long long k = start_of[row]; k < start_of[row + 1]; k++) {
      sum += wide(values[place_of(keys[k]) * width + i % width]);
    }
  }
  sums[i] = sum;
}

#define COALESCED(suffix, T)                                                                     \
  extern "C" __global__ void coalesced_rows_##suffix(                                            \
      const T* values, float* sums, const unsigned long long* keys, const long long* start_of,   \
      const long long* count, long long width, long long n) {                                    \
    coalesced(values, sums, keys, start_of, count, width, n);                                    \
  }                                                                                              \
  KERNEL(coalesced_rows_##suffix)
INSTANCES(COALESCED)
