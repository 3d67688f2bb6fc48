// The part of CUDA C++ that HalfCell's kernels use, for g++: each thread of a block is a fiber.
//
// A kernel's source includes this where nvcc does not compile it. Threads of a block run one at a
// time, in an order that a seed shuffles, from barrier to barrier; so a missing barrier shows as a
// result that depends on the seed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __restrict__
#define __grid_constant__

struct dim3 {
  unsigned x, y, z;
};

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

struct alignas(16) float4 {
  float x, y, z, w;
};

// Nothing of it is called through the tables of a library: kernels ask all the time who they are.
namespace rig __attribute__((visibility("hidden"))) {

enum class Wait { NOTHING, WARP, BLOCK };

// 16 bytes that are on their way, or zeros where they come from nowhere.
struct Copy {
  void* to;
  const void* from;
};

struct Fiber {
  void* stack_pointer;
  dim3 index;
  unsigned lane, warp;
  Wait wait;
  bool done;
  uint64_t exchanged;  // what this lane shows the others of its warp
  const void* shown;   // where more of it lies
  std::vector<Copy> ahead;
};

struct Block {
  std::vector<Fiber> fibers;
  Fiber* running;
  void* scheduler_stack;
  dim3 index, size, grid;
  char* dynamic_shared;
};

extern Block* current;
inline Block& block() { return *current; }
void pause(Wait what);

inline Fiber& self() { return *block().running; }

// Shows v to the warp and gives what lane `from` shows. All live lanes must take part.
template <class T>
T exchange(T v, unsigned from) {
  static_assert(sizeof(T) <= sizeof(uint64_t));
  Fiber& me = self();
  std::memcpy(&me.exchanged, &v, sizeof v);
  pause(Wait::WARP);
  size_t other = me.warp * 32 + (from & 31);
  Fiber& source = other < block().fibers.size() ? block().fibers[other] : me;
  T shown;
  std::memcpy(&shown, &source.exchanged, sizeof shown);
  pause(Wait::WARP);
  return shown;
}

// Lets the other lanes of the warp read what lies at `at`, until all of them meet again.
inline void show(const void* at) {
  self().shown = at;
  pause(Wait::WARP);
}

// Where lane `from` of this warp shows something.
inline const void* shown(unsigned from) {
  return block().fibers.at(self().warp * 32 + from).shown;
}

// Nothing arrives before a thread waits for it.
inline void copy_what_is_ahead() {
  for (const Copy& copy : self().ahead) {
    if (copy.from == nullptr) {
      std::memset(copy.to, 0, 16);
    } else {
      std::memcpy(copy.to, copy.from, 16);
    }
  }
  self().ahead.clear();
}

// The shared memory of a file's kernels, which is poisoned before each block; empty where both are null.
struct Shared {
  char* start;
  char* stop;
};

// A kernel by its name, with the sizes of its parameters, for the driver of the rig.
struct Kernel {
  const char* name;
  void (*call)(void** parameters);
  Shared shared;
  std::vector<size_t> sizes;
  const Kernel* next;

  static const Kernel*& first() {
    static const Kernel* head = nullptr;
    return head;
  }

  template <class... A>
  Kernel(const char* name, void (*call)(void**), Shared shared, void (*)(A...))
      : name(name), call(call), shared(shared), sizes{sizeof(A)...}, next(first()) {
    first() = this;
  }
};

template <class... A, size_t... I>
void call(void (*kernel)(A...), void** parameters, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_cv_t<A>*>(parameters[I])...);
}

template <class... A>
void call(void (*kernel)(A...), void** parameters) {
  call(kernel, parameters, std::index_sequence_for<A...>{});
}

}  // namespace rig

#define threadIdx (rig::self().index)
#define blockIdx (rig::block().index)
#define blockDim (rig::block().size)
#define gridDim (rig::block().grid)

inline void __syncthreads() { rig::pause(rig::Wait::BLOCK); }
inline void __syncwarp(unsigned = 0xffffffffu) { rig::pause(rig::Wait::WARP); }

// Whether any thread of the block shows something else than 0.
inline int __syncthreads_or(int v) {
  static int any;  // one block runs at a time
  rig::pause(rig::Wait::BLOCK);
  any = 0;
  rig::pause(rig::Wait::BLOCK);
  any |= v;
  rig::pause(rig::Wait::BLOCK);
  return any;
}

template <class T>
T __shfl_xor_sync(unsigned, T v, int mask) {
  return rig::exchange(v, rig::self().lane ^ static_cast<unsigned>(mask));
}

template <class T>
T __shfl_down_sync(unsigned, T v, unsigned down) {
  unsigned lane = rig::self().lane;
  return rig::exchange(v, lane + down < 32 ? lane + down : lane);
}

// Fibers do not run at the same time: plain code is atomic.
template <class T>
T atomicCAS(T* at, T expected, T desired) {
  T old = *at;
  if (old == expected) *at = desired;
  return old;
}

template <class T>
T atomicMin(T* at, T v) {
  T old = *at;
  if (v < old) *at = v;
  return old;
}

// Arithmetic that nvcc does not contract; g++ is told to contract nothing.
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double v) { return std::sqrt(v); }

namespace rig {

// The bits of a number as another, of the same size.
template <class To, class From>
To bits_as(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

}  // namespace rig

inline long long __double_as_longlong(double v) { return rig::bits_as<long long>(v); }
inline double __longlong_as_double(long long v) { return rig::bits_as<double>(v); }
inline int __float_as_int(float v) { return rig::bits_as<int>(v); }
inline float __int_as_float(int v) { return rig::bits_as<float>(v); }

// RIG_SHARED, and __shared__, are what the file around a file of kernels says.
#define KERNEL(name)                          \
  static const rig::Kernel rig_kernel_##name( \
      #name, [](void** p) { rig::call(name, p); }, RIG_SHARED, name);
