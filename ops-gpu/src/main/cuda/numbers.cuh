// The floating dtypes of kernels. All of them compute in float and round once, to nearest even.
#pragma once

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define KERNEL(name)
// Before a loop over numbers that are to stay in registers.
#define UNROLL _Pragma("unroll")
using fp16 = __half;
using bf16 = __nv_bfloat16;
__device__ __forceinline__ float wide(fp16 v) { return __half2float(v); }
__device__ __forceinline__ float wide(bf16 v) { return __bfloat162float(v); }
__device__ __forceinline__ void narrow(float v, fp16& to) { to = __float2half_rn(v); }
__device__ __forceinline__ void narrow(float v, bf16& to) { to = __float2bfloat16_rn(v); }
#else
#include "cuda_on_host.h"
#define UNROLL
using fp16 = _Float16;
struct bf16 {
  uint16_t bits;
};
inline float wide(fp16 v) { return static_cast<float>(v); }
inline float wide(bf16 v) {
  uint32_t bits = uint32_t{v.bits} << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
inline void narrow(float v, fp16& to) { to = static_cast<fp16>(v); }
inline void narrow(float v, bf16& to) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  bool nan = v != v;
  uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  to.bits = static_cast<uint16_t>(nan ? 0x7fffu : rounded >> 16);
}
#endif

__device__ __forceinline__ float wide(float v) { return v; }
__device__ __forceinline__ void narrow(float v, float& to) { to = v; }

// NaN stays.
__device__ __forceinline__ float bounded(float v, float largest) {
  return v > largest ? largest : v < -largest ? -largest : v;
}

// ReLU: NaN stays.
__device__ __forceinline__ float rectified(float v) { return v < 0.0f ? 0.0f : v; }

// Which element this thread is for, in a grid of one axis.
__device__ __forceinline__ long long here() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// The instances of a kernel template: name_fp32, name_fp16, name_bf16.
#define INSTANCES(kernel) kernel(fp32, float) kernel(fp16, fp16) kernel(bf16, bf16)
