// Casts: one thread for a run of elements, or, where chance rounds, for each element.
#include "convert.cuh"
#include "random.cuh"
#include "run.cuh"

#define CAST(from, From, to, To)                                                                 \
  extern "C" __global__ void cast_##from##_##to(const From* x, To* y, int overflow,              \
                                                long long n) {                                   \
    by_runs([=](To& rounded, From v) { store(number(v), overflow, rounded); }, n, y, x);         \
  }                                                                                              \
  KERNEL(cast_##from##_##to)

#define CASTS_TO(to, To)                                                                         \
  CAST(fp64, double, to, To)                                                                     \
  CAST(fp32, float, to, To)                                                                      \
  CAST(fp16, fp16, to, To)                                                                       \
  CAST(bf16, bf16, to, To)                                                                       \
  CAST(int64, long long, to, To)                                                                 \
  CAST(int32, int, to, To)                                                                       \
  CAST(uint8, unsigned char, to, To)                                                             \
  CAST(bool, truth, to, To)

CASTS_TO(fp64, double)
CASTS_TO(fp32, float)
CASTS_TO(fp16, fp16)
CASTS_TO(bf16, bf16)
CASTS_TO(int64, long long)
CASTS_TO(int32, int)
CASTS_TO(uint8, unsigned char)
CASTS_TO(bool, truth)

// The size of the number of this half dtype that lies so many places farther from zero.
template <class T>
__device__ __forceinline__ double neighbour(T of, int places) {
  unsigned short bits;
  memcpy(&bits, &of, sizeof bits);
  bits = static_cast<unsigned short>((bits & 0x7fff) + places);
  memcpy(&of, &bits, sizeof bits);
  return wide(of);
}

// See StochasticCast.round.
template <class From, class To>
__device__ __forceinline__ void cast_by_chance(const From* x, To* y, const Draw& draw,
                                               int overflow, long long n) {
  long long i = here();
  if (i >= n) return;
  float v = wide(x[i]);
  float size = fabsf(v);
  To near;
  nearest(v, near);
  if (wide(near) == v || v != v || size > largest(near)) {
    store(v, overflow, y[i]);
    return;
  }
  double nearer = fabsf(wide(near));
  bool is_below = nearer < size;
  double below = is_below ? nearer : neighbour(near, -1);
  double above = is_below ? neighbour(near, 1) : nearer;
  bool up = drawn(draw, i) * 0x1p-53 < (size - below) / (above - below);
  double chosen = up ? above : below;
  narrow(copysignf(static_cast<float>(chosen), v), y[i]);
}

#define BY_CHANCE(from, From, to, To)                                                            \
  extern "C" __global__ void cast_by_chance_##from##_##to(                                       \
      const From* x, To* y, Draw draw, int overflow, long long n) {                              \
    cast_by_chance(x, y, draw, overflow, n);                                                     \
  }                                                                                              \
  KERNEL(cast_by_chance_##from##_##to)

#define BY_CHANCE_FROM(from, From)                                                               \
  BY_CHANCE(from, From, fp16, fp16)                                                              \
  BY_CHANCE(from, From, bf16, bf16)
INSTANCES(BY_CHANCE_FROM)
