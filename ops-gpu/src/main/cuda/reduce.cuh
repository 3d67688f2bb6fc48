// Reductions of the elements along some axes to one result, whatever is read at each place and
// made of the result. Elements are always put together in the same order.
#pragma once

#include "block.cuh"
#include "view.cuh"

// See ReducedAxes.java.
struct Extent {
  long long results;
  long long count;  // of the elements that make a result
  long long parts;  // of these elements, each of which makes a result of its own
};

// Two sums at once.
struct Pair {
  float first, second;
};

struct Pairs {
  using State = Pair;
  static __device__ __forceinline__ Pair none() { return {0.0f, 0.0f}; }
  static __device__ __forceinline__ Pair merge(Pair a, Pair b) {
    return {a.first + b.first, a.second + b.second};
  }
  static __device__ __forceinline__ Pair other(Pair v, int mask) {
    return {__shfl_xor_sync(0xffffffffu, v.first, mask),
            __shfl_xor_sync(0xffffffffu, v.second, mask)};
  }
};

// The states of all threads put together, for the first thread; for all of them where the order
// of two states makes no difference. All threads must take part.
template <class How>
__device__ __forceinline__ typename How::State merged_over_block(typename How::State v) {
  __shared__ typename How::State of_warp[32];
  for (int mask = 16; mask > 0; mask >>= 1) v = How::merge(v, How::other(v, mask));
  __syncthreads();  // whoever reads an earlier result has done so
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? of_warp[threadIdx.x % 32] : How::none();
  for (int mask = 16; mask > 0; mask >>= 1) v = How::merge(v, How::other(v, mask));
  return v;
}

__device__ __forceinline__ long long part_begin(const Extent& extent, long long part) {
  return part * ((extent.count + extent.parts - 1) / extent.parts);
}

__device__ __forceinline__ long long part_end(const Extent& extent, long long part) {
  long long end = part_begin(extent, part + 1);
  return end < extent.count ? end : extent.count;
}

// A block for each part of each result. of(result) gives what makes a state of an element's place
// and its number among those of the result; put takes a place, result * parts + part, and a state.
template <class How, class Of, class Put>
__device__ __forceinline__ void reduce_by_block(const View& kept, const View& reduced,
                                                const Extent& extent, Of of, Put put) {
  long long result = blockIdx.x / extent.parts;
  long long part = blockIdx.x % extent.parts;
  long long start = place(kept, result);
  long long end = part_end(extent, part);
  auto state_at = of(result);
  typename How::State state = How::none();
  for (long long j = part_begin(extent, part) + threadIdx.x; j < end; j += blockDim.x) {
    state = How::merge(state, state_at(start + place(reduced, j), j));
  }
  state = merged_over_block<How>(state);
  if (threadIdx.x == 0) put(static_cast<long long>(blockIdx.x), state);
}

// The same with a thread for each part of each result; neighbours have neighbouring results.
template <class How, class Of, class Put>
__device__ __forceinline__ void reduce_by_thread(const View& kept, const View& reduced,
                                                 const Extent& extent, Of of, Put put) {
  if (here() >= extent.results * extent.parts) return;
  long long result = here() % extent.results;
  long long part = here() / extent.results;
  long long start = place(kept, result);
  long long end = part_end(extent, part);
  auto state_at = of(result);
  typename How::State state = How::none();
  for (long long j = part_begin(extent, part); j < end; j++) {
    state = How::merge(state, state_at(start + place(reduced, j), j));
  }
  put(result * extent.parts + part, state);
}
