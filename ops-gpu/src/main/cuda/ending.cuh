// The end of a step over many parameters in one launch: see UpdateAllKernels.java.
#pragma once

#include "rule.cuh"

constexpr int TARGETS = 32;

// Some parameters that the same rule moves; each has a row of the grid's blocks.
struct Targets {
  const float* gradient[TARGETS];  // scaled
  Tables tables[TARGETS];
  const float* rate[TARGETS];
  const long long* applied[TARGETS];  // null where the rule does not count
  long long size[TARGETS];
};

constexpr long long CLIP_BY_NORM = 1;
constexpr long long CLIP_BY_VALUE = 2;

// What all parameters share.
struct Ending {
  const float* scale;
  const unsigned char* finite;
  const double* norm;  // of all gradients
  const unsigned long long* problem;
  double largest;  // see ClipByNorm, ClipByValue
  double epsilon;
  long long clip;
};

// Nothing moves where a gradient is not finite or a kernel noted a problem. Gradients are rounded
// after they are unscaled and after they are clipped, as by kernels of their own.
template <class Rule>
__device__ __forceinline__ void move_all(const Targets& all, const Ending& ending,
                                         const Rule& rule) {
  __shared__ double reciprocal;  // one for a block: a division in double takes long
  __shared__ double factor;
  if (ending.finite[0] == 0 || ending.problem[0] != ~0ull) return;
  if (threadIdx.x == 0) {
    reciprocal = 1.0 / ending.scale[0];
    double share = ending.clip == CLIP_BY_NORM
                       ? ending.largest / (ending.norm[0] + ending.epsilon)
                       : 1.0;
    factor = share > 1.0 ? 1.0 : share;
  }
  __syncthreads();
  int target = blockIdx.y;
  const float* gradient = all.gradient[target];
  float rate = all.rate[target][0];
  long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = here(); i < all.size[target]; i += step) {
    float g = static_cast<float>(gradient[i] * reciprocal);
    if (ending.clip == CLIP_BY_NORM) g = static_cast<float>(g * factor);
    if (ending.clip == CLIP_BY_VALUE) g = bounded(g, static_cast<float>(ending.largest));
    Element element = element_at<Rule>(all.tables[target], i);
    rule.move(element, g, rate, all.applied[target]);
    put_element<Rule>(element, all.tables[target], i);
  }
}
