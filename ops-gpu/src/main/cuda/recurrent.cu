// The forward pass of recurrent layers: for each step one launch, which multiplies the states
// before it with the weights, tile by tile, and makes the gates and states of the step.
#include "recurrent.cuh"

// What a pass reads and fills; see Lstm and Gru. ahead: weightX · x.
template <class T>
struct Layer {
  const T* weight;  // weightH
  const T* bias_x;
  const T* bias_h;
  const T* initial_h;
  const T* initial_c;
  const float* ahead;
  T* y;
  float* gates;
  float* states;
};

// q[gate] = row `gate` of weightH for this thread's unit times the state before the step.
template <class T, int GATES>
__device__ __forceinline__ void products(const Sequences& of, const Layer<T>& layer,
                                         long long number, float* q) {
  __shared__ float h[TILE][TILE + 1];
  __shared__ float w[GATES][TILE][TILE + 1];
  long long hidden = of.walk.hidden;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  long long sample = static_cast<long long>(blockIdx.y) * TILE + ty;
  long long loaded = static_cast<long long>(blockIdx.x) * TILE + ty;
  bool walks = sample < of.walk.samples && number < of.length(sample);
  const T* before = number == 0 ? layer.initial_h : layer.y;
  long long row = number == 0 || !walks ? sample : of.row(number - 1, sample);
  for (int gate = 0; gate < GATES; gate++) q[gate] = 0.0f;
  for (long long from = 0; from < hidden; from += TILE) {
    long long k = from + tx;
    h[ty][tx] = walks && k < hidden ? initial(before, row * hidden + k) : 0.0f;
    for (int gate = 0; gate < GATES; gate++) {
      w[gate][ty][tx] = loaded < hidden && k < hidden
                            ? wide(layer.weight[(gate * hidden + loaded) * hidden + k])
                            : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      for (int gate = 0; gate < GATES; gate++) q[gate] = fmaf(w[gate][tx][i], h[ty][i], q[gate]);
    }
    __syncthreads();
  }
}

template <class T>
__device__ __forceinline__ void lstm_step(const Sequences& of, const Layer<T>& layer,
                                          long long number) {
  float a[4];
  products<T, 4>(of, layer, number, a);
  long long hidden = of.walk.hidden;
  long long unit = static_cast<long long>(blockIdx.x) * TILE + threadIdx.x;
  long long sample = static_cast<long long>(blockIdx.y) * TILE + threadIdx.y;
  if (unit >= hidden || sample >= of.walk.samples || number >= of.length(sample)) return;
  long long row = of.row(number, sample);
  float* gates = layer.gates + row * 4 * hidden + unit;
  const float* ahead = layer.ahead + row * 4 * hidden + unit;
  for (int gate = 0; gate < 4; gate++) {
    long long place = gate * hidden + unit;
    a[gate] += ahead[gate * hidden] + wide(layer.bias_x[place]) + wide(layer.bias_h[place]);
    a[gate] = gate == 2 ? tanhf(a[gate]) : sigmoid(a[gate]);
    gates[gate * hidden] = a[gate];
  }
  float c = number == 0 ? initial(layer.initial_c, sample * hidden + unit)
                        : layer.states[of.row(number - 1, sample) * hidden + unit];
  c = a[1] * c + a[0] * a[2];
  layer.states[row * hidden + unit] = c;
  narrow(a[3] * tanhf(c), layer.y[row * hidden + unit]);
}

template <class T>
__device__ __forceinline__ void gru_step(const Sequences& of, const Layer<T>& layer,
                                         long long number) {
  float q[3];
  products<T, 3>(of, layer, number, q);
  long long hidden = of.walk.hidden;
  long long unit = static_cast<long long>(blockIdx.x) * TILE + threadIdx.x;
  long long sample = static_cast<long long>(blockIdx.y) * TILE + threadIdx.y;
  if (unit >= hidden || sample >= of.walk.samples || number >= of.length(sample)) return;
  long long row = of.row(number, sample);
  float a[3];
  for (int gate = 0; gate < 3; gate++) {
    long long place = gate * hidden + unit;
    a[gate] = layer.ahead[row * 3 * hidden + place] + wide(layer.bias_x[place]);
    q[gate] += wide(layer.bias_h[place]);
  }
  float r = sigmoid(a[0] + q[0]);
  float z = sigmoid(a[1] + q[1]);
  float n = tanhf(a[2] + r * q[2]);
  float* gates = layer.gates + row * 4 * hidden + unit;
  gates[0] = r;
  gates[hidden] = z;
  gates[2 * hidden] = n;
  gates[3 * hidden] = q[2];
  float h = number == 0 ? initial(layer.initial_h, sample * hidden + unit)
                        : wide(layer.y[of.row(number - 1, sample) * hidden + unit]);
  narrow((1.0f - z) * n + z * h, layer.y[row * hidden + unit]);
  layer.states[row * hidden + unit] = wide(layer.y[row * hidden + unit]);
}

#define STEP(name, suffix, T)                                                                    \
  extern "C" __global__ void __launch_bounds__(256) name##_##suffix(                             \
      Walk walk, const int* lengths, long long number, const T* weight, const T* bias_x,         \
      const T* bias_h, const T* initial_h, const T* initial_c, const float* ahead, T* y,         \
      float* gates, float* states) {                                                             \
    name(Sequences{walk, lengths},                                                               \
         Layer<T>{weight, bias_x, bias_h, initial_h, initial_c, ahead, y, gates, states},        \
         number);                                                                                \
  }                                                                                              \
  KERNEL(name##_##suffix)
#define STEPS(suffix, T) STEP(lstm_step, suffix, T) STEP(gru_step, suffix, T)
INSTANCES(STEPS)

// Behind the last step: zeros where a sample has ended, and the last states. last_c: null for a
// layer without. One thread for each element of y.
template <class T>
__device__ __forceinline__ void ends(const Sequences& of, const Layer<T>& layer, T* last_h,
                                     T* last_c, const Problem& problem) {
  long long i = here();
  long long hidden = of.walk.hidden;
  if (i >= of.walk.steps * of.walk.samples * hidden) return;
  long long unit = i % hidden;
  long long sample = i / hidden % of.walk.samples;
  long long step = i / hidden / of.walk.samples;
  long long length = of.length(sample);
  if (step >= length) {
    narrow(0.0f, layer.y[i]);
    layer.states[i] = 0.0f;
    for (int gate = 0; gate < 4; gate++) {
      layer.gates[(i / hidden * 4 + gate) * hidden + unit] = 0.0f;
    }
  }
  if (step > 0) return;
  if (!of.in_range(sample)) note(problem, sample);
  long long last = length == 0 ? 0 : of.row(length - 1, sample) * hidden + unit;
  float h = length == 0 ? initial(layer.initial_h, i) : wide(layer.y[last]);
  narrow(h, last_h[i]);
  if (last_c != nullptr) {
    narrow(length == 0 ? initial(layer.initial_c, i) : layer.states[last], last_c[i]);
  }
}

#define ENDS(suffix, T)                                                                          \
  extern "C" __global__ void recurrent_ends_##suffix(                                            \
      Walk walk, const int* lengths, const T* initial_h, const T* initial_c, T* y, float* gates, \
      float* states, T* last_h, T* last_c, unsigned long long* problem,                          \
      unsigned long long base) {                                                                 \
    ends(Sequences{walk, lengths},                                                               \
         Layer<T>{nullptr, nullptr, nullptr, initial_h, initial_c, nullptr, y, gates, states},   \
         last_h, last_c, Problem{problem, base});                                                \
  }                                                                                              \
  KERNEL(recurrent_ends_##suffix)
INSTANCES(ENDS)
