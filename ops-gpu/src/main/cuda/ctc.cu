// Connectionist temporal classification. The states of a sample are its labels with a blank
// before, between and behind them; one block walks through a sample's frames, forward and back, in
// logarithms of double, for in float the terms of a long sum of them would not cancel.
#include "exponentials.cuh"
#include "problem.cuh"

constexpr double IMPOSSIBLE = -INFINITY;

// A batch; see CtcLoss.
struct Batch {
  const float* logits;  // [frames, samples, classes]
  const float* shifts;  // [frames, samples, 2]
  const void* labels;
  int label_bytes;
  int frames, samples, classes;
  int longest;  // the most labels
  int blank;
};

// One sample of it.
struct Sample {
  const Batch& batch;
  long long number;
  int frames;
  int labels;

  __device__ __forceinline__ long long label(int i) const {
    return whole(batch.labels, batch.label_bytes, number * batch.longest + i);
  }
  __device__ __forceinline__ int states() const { return 2 * labels + 1; }
  __device__ __forceinline__ long long class_of(int state) const {
    return state % 2 != 0 ? label(state / 2) : batch.blank;
  }
  // The logarithm of the probability of a state's class in a frame.
  __device__ __forceinline__ double log(int frame, int state) const {
    long long row = static_cast<long long>(frame) * batch.samples + number;
    double x = batch.logits[row * batch.classes + class_of(state)];
    return x - batch.shifts[2 * row] - batch.shifts[2 * row + 1];
  }
  // Whether a state may follow the one before its predecessor: no two labels become one.
  __device__ __forceinline__ bool skips(int state) const {
    return state >= 2 && state % 2 != 0 && label(state / 2) != label(state / 2 - 1);
  }
};

// log(exp a + exp b).
__device__ __forceinline__ double either(double a, double b) {
  double larger = a != a || a > b ? a : b;
  double smaller = a != a || a > b ? b : a;
  return larger == IMPOSSIBLE ? larger : larger + log1p(exp(smaller - larger));
}

// For each row of logits its shifts: one block for each.
extern "C" __global__ void ctc_shifts(const float* logits, float* shifts_of, int classes) {
  long long row = blockIdx.x;
  Exponentials of = exponentials(logits + row * classes, classes);
  if (threadIdx.x == 0) {
    shifts_of[2 * row] = of.largest;
    shifts_of[2 * row + 1] = of.log_sum();
  }
}
KERNEL(ctc_shifts)

// alpha: for each frame and state, log of the probability of all ways there, the frame included.
__device__ __forceinline__ void walk_forward(const Sample& of, double* alpha) {
  int states = of.states();
  for (int s = threadIdx.x; s < states; s += blockDim.x) {
    alpha[s] = s < 2 ? of.log(0, s) : IMPOSSIBLE;
  }
  for (int t = 1; t < of.frames; t++) {
    __syncthreads();
    const double* before = alpha + static_cast<long long>(t - 1) * (2 * of.batch.longest + 1);
    double* now = alpha + static_cast<long long>(t) * (2 * of.batch.longest + 1);
    for (int s = threadIdx.x; s < states; s += blockDim.x) {
      double sum = before[s];
      if (s >= 1) sum = either(sum, before[s - 1]);
      if (of.skips(s)) sum = either(sum, before[s - 2]);
      now[s] = sum + of.log(t, s);
    }
  }
  __syncthreads();
}

// alpha becomes how probable it is that the frame is in the state. beta, of two frames in turns:
// log of the probability of all ways on, the frame not included.
__device__ __forceinline__ void walk_back(const Sample& of, double* alpha, double* beta,
                                          double likelihood) {
  int states = of.states();
  int room = 2 * of.batch.longest + 1;
  for (int t = of.frames - 1; t >= 0; t--) {
    double* own = beta + (t % 2) * room;
    const double* after = beta + ((t + 1) % 2) * room;
    double* now = alpha + static_cast<long long>(t) * room;
    for (int s = threadIdx.x; s < states; s += blockDim.x) {
      double ways = t == of.frames - 1 && s >= states - 2 ? 0.0 : IMPOSSIBLE;
      for (int next = s; t < of.frames - 1 && next < s + 3 && next < states; next++) {
        if (next < s + 2 || of.skips(next)) {
          ways = either(ways, after[next] + of.log(t + 1, next));
        }
      }
      own[s] = ways;
      now[s] = exp(now[s] + ways - likelihood);
    }
    __syncthreads();
  }
}

// Whether a sample's lengths and labels can be computed on; notes what cannot. The places of a
// sample are that of its input length, that of its label length, and those of its labels.
__device__ __forceinline__ bool computable(const Batch& batch, long long sample, long long frames,
                                           long long labels, const Problem& problem) {
  long long place = sample * (batch.longest + 2);
  bool fits = frames >= 1 && frames <= batch.frames;
  bool labelled = labels >= 0 && labels <= batch.longest;
  if (!fits || !labelled) {
    if (threadIdx.x == 0) note(problem, fits ? place + 1 : place);
    return false;
  }
  float wrong = 0.0f;
  for (int i = threadIdx.x; i < labels; i += blockDim.x) {
    long long label = whole(batch.labels, batch.label_bytes, sample * batch.longest + i);
    if (label < 0 || label >= batch.classes || label == batch.blank) {
      note(problem, place + 2 + i);
      wrong = 1.0f;
    }
  }
  return over_block<Largest>(wrong, 0.0f) == 0.0f;
}

// One block for each sample. mean: whether its loss is divided by the number of its labels.
// frames_of: how many of its frames have a slope.
extern "C" __global__ void ctc_walk(const float* logits, const float* shifts, const void* labels,
                                    int label_bytes, const void* lengths, int length_bytes,
                                    const void* counts, int count_bytes, int frames, int samples,
                                    int classes, int longest, int blank, int mean,
                                    int zero_infinity, double* alpha, double* beta,
                                    double* likelihoods, int* frames_of, float* losses,
                                    unsigned long long* words, unsigned long long base) {
  Batch batch{logits, shifts, labels, label_bytes, frames, samples, classes, longest, blank};
  long long number = blockIdx.x;
  long long length = whole(lengths, length_bytes, number);
  long long count = whole(counts, count_bytes, number);
  if (!computable(batch, number, length, count, Problem{words, base})) {
    if (threadIdx.x == 0) frames_of[number] = 0;
    return;
  }
  Sample sample{batch, number, static_cast<int>(length), static_cast<int>(count)};
  long long room = 2 * longest + 1;
  alpha += number * frames * room;
  walk_forward(sample, alpha);
  const double* ends = alpha + (length - 1) * room + sample.states() - 1;
  double likelihood = count == 0 ? ends[0] : either(ends[0], ends[-1]);
  bool left_out = likelihood == IMPOSSIBLE && zero_infinity != 0;
  __syncthreads();  // all have read the ends
  if (!left_out) walk_back(sample, alpha, beta + number * 2 * room, likelihood);
  if (threadIdx.x == 0) {
    double share = mean != 0 && count > 1 ? 1.0 / count : 1.0;
    likelihoods[number] = likelihood;
    frames_of[number] = left_out ? 0 : sample.frames;
    losses[number] = left_out ? 0.0f : static_cast<float>(-likelihood * share);
  }
}
KERNEL(ctc_walk)

// The slope of a row of logits, one block for each: share · (softmax − the probability that the
// frame is in a state of the class).
extern "C" __global__ void ctc_slope(const float* logits, const float* shifts, const void* labels,
                                     int label_bytes, const void* counts, int count_bytes,
                                     int frames, int samples, int classes, int longest, int blank,
                                     int mean, const double* alpha, const double* likelihoods,
                                     const int* frames_of, float* slope) {
  Batch batch{logits, shifts, labels, label_bytes, frames, samples, classes, longest, blank};
  long long row = blockIdx.x;
  int frame = static_cast<int>(row / samples);
  long long number = row % samples;
  float* to = slope + row * classes;
  if (frame >= frames_of[number]) {
    for (int c = threadIdx.x; c < classes; c += blockDim.x) to[c] = 0.0f;
    return;
  }
  Sample sample{batch, number, frame + 1,
                static_cast<int>(whole(counts, count_bytes, number))};
  const double* taken = alpha + (number * frames + frame) * (2 * longest + 1);
  float blanks = 0.0f;
  for (int i = threadIdx.x; i <= sample.labels; i += blockDim.x) {
    blanks += static_cast<float>(taken[2 * i]);
  }
  blanks = over_block<Sum>(blanks, 0.0f);
  bool possible = likelihoods[number] != IMPOSSIBLE;
  float of_labels = mean != 0 && sample.labels > 1 ? static_cast<float>(sample.labels) : 1.0f;
  float of_samples = mean != 0 ? static_cast<float>(samples) : 1.0f;
  for (int c = threadIdx.x; c < classes; c += blockDim.x) {
    float sum = c == blank ? blanks : 0.0f;
    for (int i = 0; i < sample.labels; i++) {
      if (sample.label(i) == c) sum += static_cast<float>(taken[2 * i + 1]);
    }
    float softmax = expf(logits[row * classes + c] - shifts[2 * row] - shifts[2 * row + 1]);
    to[c] = (softmax - (possible ? sum : NAN)) / of_labels / of_samples;
  }
}
KERNEL(ctc_slope)

// Completes what was noted of a sample. One thread.
extern "C" __global__ void ctc_problem(const void* labels, int label_bytes, const void* lengths,
                                       int length_bytes, const void* counts, int count_bytes,
                                       int longest, unsigned long long* words,
                                       unsigned long long base) {
  Problem problem{words, base};
  long long place = noted(problem);
  if (place < 0) return;
  long long sample = place / (longest + 2);
  long long within = place % (longest + 2);
  if (within == 0) {
    complete(problem, whole(lengths, length_bytes, sample));
  } else if (within == 1) {
    complete(problem, whole(counts, count_bytes, sample));
  } else {
    complete(problem, whole(labels, label_bytes, sample * longest + within - 2));
  }
}
KERNEL(ctc_problem)
