// What a warp does with tensor cores: fragments from shared memory, and products of them. Source:
// PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions", m16n8k16 and ldmatrix.
#pragma once

#include "numbers.cuh"

#ifdef __CUDACC__

// Four 8 x 8 matrices of halves: lanes 8 i to 8 i + 7 say where the rows of matrix i start. Each lane
// gets of matrix i the elements 2 (lane mod 4) and the next of row lane / 4.
__device__ __forceinline__ void load_matrices(unsigned (&to)[4], const void* row) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(at));
}

// The same of the transposed matrices.
__device__ __forceinline__ void load_transposed(unsigned (&to)[4], const void* row) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(at));
}

// c += a . b: 16 x 16 by 16 x 8, summed in float.
#define MULTIPLY(T, type)                                                                        \
  __device__ __forceinline__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0,   \
                                           unsigned b1, T) {                                     \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type                          \
                 ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                    \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));                \
  }
MULTIPLY(fp16, "f16")
MULTIPLY(bf16, "bf16")

#else

// What lane `from` of this warp shows.
template <class V>
const V* shown(unsigned from) {
  return static_cast<const V*>(rig::shown(from));
}

inline void load_matrices(unsigned (&to)[4], const void* row) {
  rig::show(row);
  unsigned lane = rig::self().lane;
  for (unsigned i = 0; i < 4; i++) {
    std::memcpy(&to[i], shown<uint16_t>(8 * i + lane / 4) + 2 * (lane % 4), 4);
  }
  __syncwarp();
}

inline void load_transposed(unsigned (&to)[4], const void* row) {
  rig::show(row);
  unsigned lane = rig::self().lane;
  for (unsigned i = 0; i < 4; i++) {
    unsigned low = shown<uint16_t>(8 * i + 2 * (lane % 4))[lane / 4];
    unsigned high = shown<uint16_t>(8 * i + 2 * (lane % 4) + 1)[lane / 4];
    to[i] = low | high << 16;
  }
  __syncwarp();
}

// The two halves of each register.
template <class T, unsigned N>
void widen(const unsigned (&registers)[N], float (&to)[N][2]) {
  T halves[2 * N];
  std::memcpy(halves, registers, sizeof halves);
  for (unsigned i = 0; i < 2 * N; i++) to[i / 2][i % 2] = wide(halves[i]);
}

// What a lane has of both operands.
struct OwnParts {
  float a[4][2], b[2][2];
};

template <class T>
void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1, T) {
  OwnParts own;
  const unsigned b[2] = {b0, b1};
  widen<T>(a, own.a);
  widen<T>(b, own.b);
  rig::show(&own);
  unsigned lane = rig::self().lane;
  for (unsigned i = 0; i < 4; i++) {
    unsigned row = i / 2;  // of the upper or lower eight
    unsigned column = 2 * (lane % 4) + i % 2;
    float sum = 0.0f;
    for (unsigned k = 0; k < 16; k++) {
      const auto& left = shown<OwnParts>(lane / 4 * 4 + k % 8 / 2)->a[row + 2 * (k / 8)];
      const auto& right = shown<OwnParts>(column * 4 + k % 8 / 2)->b[k / 8];
      sum += left[k % 2] * right[k % 2];
    }
    c[i] += sum;
  }
  __syncwarp();
}

#endif
