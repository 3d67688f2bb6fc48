// Optimizers: one thread for each element of a gradient. Parameters and slots are FP32; the rate
// lies on the device, so that a replayed graph follows the schedule.
#include "rule.cuh"

// See SgdRule.
extern "C" __global__ void sgd(Places places, const float* w, const float* gradient,
                               const float* rate, float* new_w, float decay) {
  long long i = here();
  long long at = place(places, i);
  if (at < 0) return;
  new_w[at] = w[at] - rate[0] * (gradient[i] + decay * w[at]);
}
KERNEL(sgd)

// See MomentumRule. Of the decays one is 0: what is added to the gradient, or what shrinks w.
extern "C" __global__ void momentum(Places places, const float* w, const float* v,
                                    const float* gradient, const float* rate, float* new_w,
                                    float* new_v, float factor, int nesterov, float added,
                                    float shrinks) {
  long long i = here();
  long long at = place(places, i);
  if (at < 0) return;
  float weight = w[at];
  float g = gradient[i] + added * weight;
  float velocity = factor * v[at] + g;
  float step = nesterov != 0 ? g + factor * velocity : velocity;
  new_v[at] = velocity;
  new_w[at] = weight - rate[0] * shrinks * weight - rate[0] * step;
}
KERNEL(momentum)

// See AdamRule.
extern "C" __global__ void adam(Places places, const float* w, const float* m, const float* v,
                                const float* gradient, const float* rate,
                                const long long* applied, float* new_w, float* new_m,
                                float* new_v, Moment first, Moment second, float epsilon,
                                float added, float shrinks) {
  long long i = here();
  long long at = place(places, i);
  if (at < 0) return;
  float weight = w[at];
  float g = gradient[i] + added * weight;
  float now_m = mean(first.decay, m[at], first.rest, g);
  float now_v = mean(second.decay, v[at], second.rest, g * g);
  float u = adaptive(now_m, now_v, share(first, applied), share(second, applied), epsilon);
  new_m[at] = now_m;
  new_v[at] = now_v;
  new_w[at] = weight - rate[0] * shrinks * weight - rate[0] * u;
}
KERNEL(adam)

// See RmsPropRule. `a` is null unless it is centered, `v` without momentum.
extern "C" __global__ void rms_prop(Places places, const float* w, const float* s, const float* a,
                                    const float* v, const float* gradient, const float* rate,
                                    float* new_w, float* new_s, float* new_a, float* new_v,
                                    float smoothing, float rest, float epsilon, float momentum,
                                    float decay) {
  long long i = here();
  long long at = place(places, i);
  if (at < 0) return;
  float weight = w[at];
  float g = gradient[i] + decay * weight;
  float now_s = mean(smoothing, s[at], rest, g * g);
  float spread = now_s;
  if (a != nullptr) {
    float now_a = mean(smoothing, a[at], rest, g);
    float less = now_s - now_a * now_a;
    spread = less < 0.0f ? 0.0f : less;
    new_a[at] = now_a;
  }
  float step = g / (sqrtf(spread) + epsilon);
  if (v != nullptr) {
    step = momentum * v[at] + step;
    new_v[at] = step;
  }
  new_s[at] = now_s;
  new_w[at] = weight - rate[0] * step;
}
KERNEL(rms_prop)

// See AdagradRule.
extern "C" __global__ void adagrad(Places places, const float* w, const float* s,
                                   const float* gradient, const float* rate, float* new_w,
                                   float* new_s, float initial, float epsilon, float decay) {
  long long i = here();
  long long at = place(places, i);
  if (at < 0) return;
  float g = gradient[i] + decay * w[at];
  float sum = s[at] + g * g;
  new_s[at] = sum;
  new_w[at] = w[at] - rate[0] * g / (sqrtf(initial + sum) + epsilon);
}
KERNEL(adagrad)

// Notes a count that is none as that of row k, or else the first row that is none: see ProblemWord.
// One block.
extern "C" __global__ void check_rows(const long long* rows, const long long* count, long long k,
                                      long long height, unsigned long long* problem,
                                      unsigned long long base) {
  __shared__ unsigned long long first;
  if (threadIdx.x == 0) first = ~0ull;
  __syncthreads();
  bool counts = count[0] >= 0 && count[0] <= k;
  if (!counts && threadIdx.x == 0) first = static_cast<unsigned long long>(k);
  for (long long i = threadIdx.x; counts && i < count[0]; i += blockDim.x) {
    if (rows[i] < 0 || rows[i] >= height) atomicMin(&first, static_cast<unsigned long long>(i));
  }
  __syncthreads();
  if (threadIdx.x == 0 && first != ~0ull && problem[0] > base + first) {
    problem[0] = base + first;
    problem[1] = static_cast<unsigned long long>(counts ? rows[first] : count[0]);
    problem[2] = 0;
  }
}
KERNEL(check_rows)
