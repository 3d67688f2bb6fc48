// Where the elements of a tensor lie that is read or written in another order than its own: see
// View.java.
#pragma once

#include "numbers.cuh"

constexpr int AXES = 8;

struct View {
  long long rank;
  long long start;
  long long size[AXES];
  long long stride[AXES];
};

// Where element i lies, counted in the order of the view's axes, the last one fastest.
__device__ __forceinline__ long long place(const View& view, long long i) {
  long long at = view.start;
#pragma unroll 1  // the code of a division is long
  for (int axis = static_cast<int>(view.rank) - 1; axis > 0; axis--) {
    at += i % view.size[axis] * view.stride[axis];
    i /= view.size[axis];
  }
  return view.rank > 0 ? at + i * view.stride[0] : at;
}
