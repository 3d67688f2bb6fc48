// Copies of global to shared memory that go on while a thread does something else. Source: PTX ISA,
// "Data Movement and Conversion Instructions: cp.async".
#pragma once

#include "numbers.cuh"

// The shared memory whose size a launch says.
#ifdef __CUDACC__

#define SHARED_MEMORY(name) extern __shared__ __align__(16) unsigned char name[]

// Has 16 bytes copied, or as many zeros put there. Both lie on a boundary of 16.
__device__ __forceinline__ void copy_ahead(void* to, const void* from, bool there) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  unsigned long long of = __cvta_generic_to_global(from);
  int bytes = there ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(of), "r"(bytes));
}

// Waits for all that this thread has had copied.
__device__ __forceinline__ void copies_there() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#else

#define SHARED_MEMORY(name) \
  unsigned char* name = reinterpret_cast<unsigned char*>(rig::block().dynamic_shared)

inline void copy_ahead(void* to, const void* from, bool there) {
  rig::self().ahead.push_back({to, there ? from : nullptr});
}

inline void copies_there() { rig::copy_what_is_ahead(); }

#endif
