// Optimizers: one thread for each element of a gradient. Parameters and slots are FP32; the rate
// lies on the device, so that a replayed graph follows the schedule. Each rule moves one parameter,
// or some rows of it, to new places, or all parameters of a step in place.
#include "ending.cuh"

// See SgdRule.
struct Sgd {
  static constexpr int SLOTS = 0;
  float decay;

  __device__ __forceinline__ void move(Element& to, float gradient, float rate,
                                       const long long*) const {
    to.parameter = to.parameter - rate * (gradient + decay * to.parameter);
  }
};

// See MomentumRule: velocity. Of the decays one is 0: what is added to the gradient, or what
// shrinks the parameter.
struct Momentum {
  static constexpr int SLOTS = 1;
  float factor;
  int nesterov;
  float added;
  float shrinks;

  __device__ __forceinline__ void move(Element& to, float gradient, float rate,
                                       const long long*) const {
    float weight = to.parameter;
    float g = gradient + added * weight;
    float velocity = factor * to.slot[0] + g;
    float step = nesterov != 0 ? g + factor * velocity : velocity;
    to.slot[0] = velocity;
    to.parameter = weight - rate * shrinks * weight - rate * step;
  }
};

// See AdamRule: the two moments.
struct Adam {
  static constexpr int SLOTS = 2;
  Moment first;
  Moment second;
  float epsilon;
  float added;
  float shrinks;

  __device__ __forceinline__ void move(Element& to, float gradient, float rate,
                                       const long long* applied) const {
    float weight = to.parameter;
    float g = gradient + added * weight;
    float m = mean(first.decay, to.slot[0], first.rest, g);
    float v = mean(second.decay, to.slot[1], second.rest, g * g);
    float u = adaptive(m, v, share(first, applied), share(second, applied), epsilon);
    to.slot[0] = m;
    to.slot[1] = v;
    to.parameter = weight - rate * shrinks * weight - rate * u;
  }
};

// See RmsPropRule: the mean of squares, that of gradients where it is centered, and velocity where
// it has momentum.
struct RmsProp {
  static constexpr int SLOTS = 3;
  float smoothing;
  float rest;
  float epsilon;
  float momentum;
  float decay;
  int centered;
  int moving;

  __device__ __forceinline__ void move(Element& to, float gradient, float rate,
                                       const long long*) const {
    float g = gradient + decay * to.parameter;
    float square = mean(smoothing, to.slot[0], rest, g * g);
    float spread = square;
    if (centered != 0) {
      float average = mean(smoothing, to.slot[1], rest, g);
      float less = square - average * average;
      spread = less < 0.0f ? 0.0f : less;
      to.slot[1] = average;
    }
    float step = g / (sqrtf(spread) + epsilon);
    if (moving != 0) {
      step = momentum * to.slot[2] + step;
      to.slot[2] = step;
    }
    to.slot[0] = square;
    to.parameter = to.parameter - rate * step;
  }
};

// See AdagradRule: the sum of squares.
struct Adagrad {
  static constexpr int SLOTS = 1;
  float initial;
  float epsilon;
  float decay;

  __device__ __forceinline__ void move(Element& to, float gradient, float rate,
                                       const long long*) const {
    float g = gradient + decay * to.parameter;
    float sum = to.slot[0] + g * g;
    to.slot[0] = sum;
    to.parameter = to.parameter - rate * g / (sqrtf(initial + sum) + epsilon);
  }
};

template <class Rule>
__device__ __forceinline__ void move_one(const Places& places, const Tables& from,
                                         const Tables& to, const float* gradient,
                                         const float* rate, const long long* applied,
                                         const Rule& rule) {
  long long i = here();
  long long at = place(places, i);
  if (at < 0) return;
  Element element = element_at<Rule>(from, at);
  rule.move(element, gradient[i], rate[0], applied);
  put_element<Rule>(element, to, at);
}

#define RULE(name, Rule)                                                                        \
  extern "C" __global__ void name(Places places, Tables from, Tables to, const float* gradient, \
                                  const float* rate, const long long* applied, Rule rule) {     \
    move_one(places, from, to, gradient, rate, applied, rule);                                  \
  }                                                                                             \
  KERNEL(name)                                                                                  \
  extern "C" __global__ void name##_all(const __grid_constant__ Targets all, Ending ending,     \
                                        Rule rule) {                                            \
    move_all(all, ending, rule);                                                                \
  }                                                                                             \
  KERNEL(name##_all)

RULE(sgd, Sgd)
RULE(momentum, Momentum)
RULE(adam, Adam)
RULE(rms_prop, RmsProp)
RULE(adagrad, Adagrad)

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
