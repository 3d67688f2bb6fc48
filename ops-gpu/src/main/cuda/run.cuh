// Runs of neighbours that one thread takes at once. Memory gives what it can only where a warp asks
// for much at a time: half numbers one by one leave it idle.
#pragma once

#include "numbers.cuh"

constexpr int RUN = 8;  // as in KernelLaunch.java

// What a run of elements of so many bytes is moved by.
template <int BYTES>
struct Moved {
  using Piece = uint4;
};

template <>
struct Moved<1> {
  using Piece = unsigned long long;
};

// So many neighbours, on a boundary of 16 bytes, or of 8 where elements have a byte.
template <class T>
__device__ __forceinline__ void take_run(const T* from, T (&to)[RUN]) {
  using Piece = typename Moved<sizeof(T)>::Piece;
  constexpr int PIECES = RUN * sizeof(T) / sizeof(Piece);
  Piece bits[PIECES];
  UNROLL
  for (int i = 0; i < PIECES; i++) {
    bits[i] = reinterpret_cast<const Piece*>(from)[i];
  }
  memcpy(to, bits, sizeof to);
}

template <class T>
__device__ __forceinline__ void give_run(const T (&from)[RUN], T* to) {
  using Piece = typename Moved<sizeof(T)>::Piece;
  constexpr int PIECES = RUN * sizeof(T) / sizeof(Piece);
  Piece bits[PIECES];
  memcpy(bits, from, sizeof from);
  UNROLL
  for (int i = 0; i < PIECES; i++) {
    reinterpret_cast<Piece*>(to)[i] = bits[i];
  }
}

template <class T>
struct Run {
  T each[RUN];
};

template <class T>
__device__ __forceinline__ Run<T> run_at(const T* from) {
  Run<T> run;
  take_run(from, run.each);
  return run;
}

template <class How, class Y, class... X>
__device__ __forceinline__ void fill_run(How how, Y* y, const Run<X>&... x) {
  Y out[RUN];
  UNROLL
  for (int k = 0; k < RUN; k++) how(out[k], x.each[k]...);
  give_run(out, y);
}

// From i on a run of elements of y, of n, becomes what how(y, x...) makes of those of each x. All of
// them start on such a boundary, as plans have it. The last run may be cut short.
template <class How, class Y, class... X>
__device__ __forceinline__ void run_from(long long i, How how, long long n, Y* y, const X*... x) {
  if (i + RUN <= n) {
    fill_run(how, y + i, run_at(x + i)...);
    return;
  }
#pragma unroll 1  // few threads come here
  for (; i < n; i++) how(y[i], x[i]...);
}

// The same with a run for each thread.
template <class How, class Y, class... X>
__device__ __forceinline__ void by_runs(How how, long long n, Y* y, const X*... x) {
  run_from(here() * RUN, how, n, y, x...);
}
