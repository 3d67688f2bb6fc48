// Loss scales: LossScale.next, to the bit, by one thread.
#include "strict.cuh"

// As Java's Math.min and Math.max of floats above 0: NaN where either is.
__device__ __forceinline__ float smaller(float a, float b) { return a != a || a < b ? a : b; }
__device__ __forceinline__ float larger(float a, float b) { return a != a || a > b ? a : b; }

// See DynamicScale; `left` is null where an overflow alone makes the scale fall.
extern "C" __global__ void scale_dynamic(const float* scale, const long long* clean,
                                         const unsigned char* finite, const double* left,
                                         float* next_scale, long long* next_clean,
                                         double* next_left, double up, double down, float min,
                                         float max, long long window, int late, int clips,
                                         int consecutive, double hysteresis) {
  if (here() != 0) return;
  float now = scale[0];
  float next = now;
  long long counted = 0;
  double allowed = left != nullptr ? left[0] : 1.0;
  if (finite[0] == 0) {
    if (allowed > 1.0) {
      allowed = strict::less(allowed, 1.0);
    } else {
      next = larger(min, static_cast<float>(strict::times(now, down)));
    }
  } else {
    counted = clean[0] + 1;
    bool grows = counted >= window + late;
    if (grows) {
      float grown = static_cast<float>(strict::times(now, up));
      next = clips != 0 ? smaller(grown, max) : grown <= max ? grown : now;
      counted = late > 0 ? 1 : 0;
    }
    if (grows || consecutive != 0) allowed = hysteresis;
  }
  next_scale[0] = next;
  next_clean[0] = counted;
  if (next_left != nullptr) next_left[0] = allowed;
}
KERNEL(scale_dynamic)

__device__ __forceinline__ double decayed(double sum, double x, double decay) {
  return strict::sum(strict::times(decay, sum), strict::times(strict::less(1.0, decay), x));
}

// See LogMaxScale: the words are sum, weight, wide sum, squares and wide weight.
extern "C" __global__ void scale_logmax(const float* scale, const long long* clean,
                                        const unsigned char* finite, const double* words,
                                        const float* largest, float* next_scale,
                                        long long* next_clean, double* next_words, float min,
                                        float max, double log_max, double mean_decay,
                                        double spread_decay, double deviations) {
  if (here() != 0) return;
  next_clean[0] = clean[0];
  bool known = finite[0] != 0 && largest[0] >= 0.0f && largest[0] < INFINITY;
  if (known && largest[0] == 0.0f) {
    next_scale[0] = smaller(max, larger(2.0f * scale[0], min));
    for (int i = 0; i < 5; i++) next_words[i] = words[i];
    return;
  }
  double x = known ? strict::log2(largest[0]) : log_max;
  double sum = decayed(words[0], x, mean_decay);
  double weight = decayed(words[1], 1.0, mean_decay);
  double wide_sum = decayed(words[2], x, spread_decay);
  double squares = decayed(words[3], strict::times(x, x), spread_decay);
  double wide_weight = decayed(words[4], 1.0, spread_decay);
  double mean = strict::over(wide_sum, wide_weight);
  double variance = strict::less(strict::over(squares, wide_weight), strict::times(mean, mean));
  double spread = __dsqrt_rn(variance > 0.0 || variance != variance ? variance : 0.0);
  double cutoff = strict::sum(strict::over(sum, weight), strict::times(deviations, spread));
  double power = strict::power_of_two(strict::less(log_max, cutoff));
  next_scale[0] = smaller(max, larger(static_cast<float>(power), min));
  next_words[0] = sum;
  next_words[1] = weight;
  next_words[2] = wide_sum;
  next_words[3] = squares;
  next_words[4] = wide_weight;
}
KERNEL(scale_logmax)

// A scale that stays where it is.
extern "C" __global__ void scale_stays(const float* scale, const long long* clean,
                                       float* next_scale, long long* next_clean) {
  if (here() != 0) return;
  next_scale[0] = scale[0];
  next_clean[0] = clean[0];
}
KERNEL(scale_stays)
