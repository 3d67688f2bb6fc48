// Back-propagation through time: for each step, from the last to the first, one launch for the
// gradients of what goes into the gates and one that brings them to the state before the step.
#include "recurrent.cuh"

// What the gradient of a step reads and fills, see LstmGradient and GruGradient. da, dq and before
// (the state h before each step) are rounded, and stand as x does; dh and dc are of one step.
template <class T>
struct Gradient {
  const T* dy;
  const T* last_dh;
  const T* last_dc;
  const float* gates;
  const float* states;
  const T* initial_h;
  const T* initial_c;
  T* da;
  T* dq;
  T* before;
  float* dh;
  float* dc;
};

// One element of it: a hidden unit of a sample in a step.
struct Element {
  long long unit;
  long long state;   // in [samples, hidden]
  long long row;     // of the step
  long long prior;   // row of the step before; -1 in the first
  bool last;
};

// Finds this thread's element. Where its sample has ended nothing is to be done but zeros.
template <class T>
__device__ __forceinline__ bool find(const Sequences& of, const Gradient<T>& g, long long number,
                                     int gates, Element& e) {
  long long i = here();
  long long hidden = of.walk.hidden;
  if (i >= of.walk.samples * hidden) return false;
  long long sample = i / hidden;
  long long length = of.length(sample);
  e.unit = i % hidden;
  e.state = i;
  e.last = number == length - 1;
  if (number < length) {
    e.row = of.row(number, sample);
    e.prior = number == 0 ? -1 : of.row(number - 1, sample);
    return true;
  }
  long long row = number * of.walk.samples + sample;
  narrow(0.0f, g.before[row * hidden + e.unit]);
  for (int gate = 0; gate < gates; gate++) {
    long long place = (row * gates + gate) * hidden + e.unit;
    narrow(0.0f, g.da[place]);
    narrow(0.0f, g.dq[place]);
  }
  return false;
}

template <class T>
__device__ __forceinline__ void lstm_gates(const Sequences& of, const Gradient<T>& g,
                                           long long number) {
  Element e;
  if (!find(of, g, number, 4, e)) return;
  long long hidden = of.walk.hidden;
  const float* gate = g.gates + e.row * 4 * hidden + e.unit;
  float in = gate[0];
  float forget = gate[hidden];
  float cell = gate[2 * hidden];
  float out = gate[3 * hidden];
  float h = initial(g.initial_h, e.state);
  float c = initial(g.initial_c, e.state);
  if (e.prior >= 0) {
    c = g.states[e.prior * hidden + e.unit];
    h = g.gates[(e.prior * 4 + 3) * hidden + e.unit] * tanhf(c);
  }
  narrow(h, g.before[e.row * hidden + e.unit]);
  float dh = e.last ? wide(g.last_dh[e.state]) : g.dh[e.state];
  dh += wide(g.dy[e.row * hidden + e.unit]);
  float t = tanhf(g.states[e.row * hidden + e.unit]);
  float dc = e.last ? wide(g.last_dc[e.state]) : g.dc[e.state];
  dc += dh * out * (1.0f - t * t);
  T* da = g.da + e.row * 4 * hidden + e.unit;
  narrow(dc * cell * in * (1.0f - in), da[0]);
  narrow(dc * c * forget * (1.0f - forget), da[hidden]);
  narrow(dc * in * (1.0f - cell * cell), da[2 * hidden]);
  narrow(dh * t * out * (1.0f - out), da[3 * hidden]);
  g.dh[e.state] = 0.0f;
  g.dc[e.state] = dc * forget;
}

template <class T>
__device__ __forceinline__ void gru_gates(const Sequences& of, const Gradient<T>& g,
                                          long long number) {
  Element e;
  if (!find(of, g, number, 3, e)) return;
  long long hidden = of.walk.hidden;
  const float* gate = g.gates + e.row * 4 * hidden + e.unit;
  float r = gate[0];
  float z = gate[hidden];
  float n = gate[2 * hidden];
  float q = gate[3 * hidden];
  float h = e.prior >= 0 ? g.states[e.prior * hidden + e.unit] : initial(g.initial_h, e.state);
  narrow(h, g.before[e.row * hidden + e.unit]);
  float dh = e.last ? wide(g.last_dh[e.state]) : g.dh[e.state];
  dh += wide(g.dy[e.row * hidden + e.unit]);
  float dn = dh * (1.0f - z) * (1.0f - n * n);
  float dr = dn * q * r * (1.0f - r);
  float dz = dh * (h - n) * z * (1.0f - z);
  T* da = g.da + e.row * 3 * hidden + e.unit;
  T* dq = g.dq + e.row * 3 * hidden + e.unit;
  narrow(dr, da[0]);
  narrow(dr, dq[0]);
  narrow(dz, da[hidden]);
  narrow(dz, dq[hidden]);
  narrow(dn, da[2 * hidden]);
  narrow(dn * r, dq[2 * hidden]);
  g.dh[e.state] = dh * z;
}

#define GATES(name, suffix, T)                                                                   \
  extern "C" __global__ void name##_##suffix(                                                    \
      Walk walk, const int* lengths, long long number, const T* dy, const T* last_dh,            \
      const T* last_dc, const float* gates, const float* states, const T* initial_h,             \
      const T* initial_c, T* da, T* dq, T* before, float* dh, float* dc) {                       \
    name(Sequences{walk, lengths},                                                               \
         Gradient<T>{dy, last_dh, last_dc, gates, states, initial_h, initial_c, da, dq, before,  \
                     dh, dc},                                                                    \
         number);                                                                                \
  }                                                                                              \
  KERNEL(name##_##suffix)
#define ALL_GATES(suffix, T) GATES(lstm_gates, suffix, T) GATES(gru_gates, suffix, T)
INSTANCES(ALL_GATES)

// dh += weightHᵀ · dq, of all samples that have this step; dq has `rows` elements a step.
template <class T>
__device__ __forceinline__ void to_state(const Sequences& of, long long number, const T* weight,
                                         const T* dq, long long rows, float* dh) {
  __shared__ float d[TILE][TILE + 1];
  __shared__ float w[TILE][TILE + 1];
  long long hidden = of.walk.hidden;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  long long unit = static_cast<long long>(blockIdx.x) * TILE + tx;
  long long sample = static_cast<long long>(blockIdx.y) * TILE + ty;
  bool walks = sample < of.walk.samples && number < of.length(sample);
  long long row = walks ? of.row(number, sample) : 0;
  float sum = 0.0f;
  for (long long from = 0; from < rows; from += TILE) {
    d[ty][tx] = walks && from + tx < rows ? wide(dq[row * rows + from + tx]) : 0.0f;
    w[ty][tx] =
        from + ty < rows && unit < hidden ? wide(weight[(from + ty) * hidden + unit]) : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum = fmaf(d[ty][i], w[i][tx], sum);
    __syncthreads();
  }
  if (walks && unit < hidden) dh[sample * hidden + unit] += sum;
}

#define TO_STATE(suffix, T)                                                                      \
  extern "C" __global__ void __launch_bounds__(256) to_state_##suffix(                           \
      Walk walk, const int* lengths, long long number, const T* weight, const T* dq,             \
      long long rows, float* dh) {                                                               \
    to_state(Sequences{walk, lengths}, number, weight, dq, rows, dh);                            \
  }                                                                                              \
  KERNEL(to_state_##suffix)
INSTANCES(TO_STATE)

// The gradient of an initial state: of a sample without steps that of its last one.
template <class T, class R>
__device__ __forceinline__ void to_initial(const Sequences& of, const T* last, const float* d,
                                           R* gradient) {
  long long i = here();
  if (i >= of.walk.samples * of.walk.hidden) return;
  narrow(of.length(i / of.walk.hidden) == 0 ? wide(last[i]) : d[i], gradient[i]);
}

#define TO_INITIAL(suffix, T)                                                                    \
  extern "C" __global__ void to_initial_##suffix(Walk walk, const int* lengths, const T* last,   \
                                                 const float* d, T* gradient) {                  \
    to_initial(Sequences{walk, lengths}, last, d, gradient);                                     \
  }                                                                                              \
  KERNEL(to_initial_##suffix)                                                                    \
  extern "C" __global__ void to_initial_wide_##suffix(Walk walk, const int* lengths,             \
                                                      const T* last, const float* d,             \
                                                      float* gradient) {                         \
    to_initial(Sequences{walk, lengths}, last, d, gradient);                                     \
  }                                                                                              \
  KERNEL(to_initial_wide_##suffix)
INSTANCES(TO_INITIAL)

// to [steps, samples, width] = from where a sample has the step, else 0; both may be the same.
// Notes lengths out of range.
template <class T>
__device__ __forceinline__ void kept_steps(const Sequences& of, const T* from, T* to,
                                           long long width, const Problem& problem) {
  long long i = here();
  if (i >= of.walk.steps * of.walk.samples * width) return;
  long long sample = i / width % of.walk.samples;
  narrow(i / width / of.walk.samples < of.length(sample) ? wide(from[i]) : 0.0f, to[i]);
  if (!of.in_range(sample)) note(problem, sample);
}

#define KEPT_STEPS(suffix, T)                                                                    \
  extern "C" __global__ void kept_steps_##suffix(Walk walk, const int* lengths, const T* from,   \
                                                 T* to, long long width,                         \
                                                 unsigned long long* problem,                    \
                                                 unsigned long long base) {                      \
    kept_steps(Sequences{walk, lengths}, from, to, width, Problem{problem, base});               \
  }                                                                                              \
  KERNEL(kept_steps_##suffix)
INSTANCES(KEPT_STEPS)

// sums[column] of x [rows, columns]: blocks of 32 columns, whose 8 threads each take each eighth
// row.
template <class T, class R>
__device__ __forceinline__ void step_sums(const T* x, R* sums, long long rows, long long columns) {
  __shared__ float parts[8][32];
  long long column = static_cast<long long>(blockIdx.x) * 32 + threadIdx.x;
  float sum = 0.0f;
  for (long long row = threadIdx.y; column < columns && row < rows; row += 8) {
    sum += wide(x[row * columns + column]);
  }
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || column >= columns) return;
  for (int part = 1; part < 8; part++) sum += parts[part][threadIdx.x];
  narrow(sum, sums[column]);
}

#define STEP_SUMS(suffix, T)                                                                     \
  extern "C" __global__ void step_sums_##suffix(const T* x, T* sums, long long rows,             \
                                                long long columns) {                             \
    step_sums(x, sums, rows, columns);                                                           \
  }                                                                                              \
  KERNEL(step_sums_##suffix)                                                                     \
  extern "C" __global__ void step_sums_wide_##suffix(const T* x, float* sums, long long rows,    \
                                                     long long columns) {                        \
    step_sums(x, sums, rows, columns);                                                           \
  }                                                                                              \
  KERNEL(step_sums_wide_##suffix)
INSTANCES(STEP_SUMS)
