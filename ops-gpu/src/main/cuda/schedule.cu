// Learning rates: Schedule.rate in double, by one thread.
#include "numbers.cuh"

constexpr int WRAPPERS = 16;
constexpr int STRETCHES = 100;
constexpr double PI = 3.14159265358979323846;

// How a schedule starts from another: warm-up over so many steps, or a factor.
constexpr long long WARM_UP = 0;

// What a schedule is that starts from no other.
constexpr int CONSTANT = 0;
constexpr int COSINE = 1;
constexpr int EXPONENTIAL = 2;
constexpr int ONE_CYCLE = 3;
constexpr int PIECEWISE = 4;
constexpr int POLYNOMIAL = 5;
constexpr int STEP_DECAY = 6;

// A schedule within others, of which the first is the outermost; see ScheduleKernels.
struct Schedule {
  long long wrappers;
  long long kind[WRAPPERS];
  double number[WRAPPERS];
  long long innermost;
  double numbers[5];
  long long stretches;
  long long start[STRETCHES];
  double rate[STRETCHES];
};

__device__ __forceinline__ double between(double from, double to, double share) {
  return to + (from - to) / 2.0 * (1.0 + cos(PI * share));
}

__device__ __forceinline__ double done(long long applied, double steps) {
  double so_far = static_cast<double>(applied);
  return (so_far < steps ? so_far : steps) / steps;
}

__device__ __forceinline__ double one_cycle(const double* a, long long applied) {
  double peak = a[0];
  double top = a[2] * a[1] - 1.0;
  double last = a[1] - 1.0;
  double start = peak / a[3];
  double now = static_cast<double>(applied);
  if (now <= top) return between(start, peak, now / top);
  return between(peak, start / a[4], ((now < last ? now : last) - top) / (last - top));
}

__device__ __forceinline__ double of_innermost(const Schedule& s, long long applied) {
  const double* a = s.numbers;
  double now = static_cast<double>(applied);
  switch (s.innermost) {
    case COSINE:
      return a[2] + (a[0] - a[2]) * (1.0 + cos(PI * done(applied, a[1]))) / 2.0;
    case EXPONENTIAL:
      return a[0] * pow(a[2], now / a[1]);
    case ONE_CYCLE:
      return one_cycle(a, applied);
    case PIECEWISE: {
      long long stretch = 0;
      while (stretch + 1 < s.stretches && s.start[stretch + 1] <= applied) stretch++;
      return s.rate[stretch];
    }
    case POLYNOMIAL:
      return a[2] + (a[0] - a[2]) * pow(1.0 - done(applied, a[1]), a[3]);
    case STEP_DECAY:
      return a[0] * pow(a[2], static_cast<double>(applied / static_cast<long long>(a[1])));
    case CONSTANT:
    default:
      return a[0];
  }
}

// The applied steps as schedule `depth` counts them, the outermost being 0.
__device__ __forceinline__ long long counted(const Schedule& s, long long applied, int depth) {
  for (int i = 0; i < depth; i++) {
    if (s.kind[i] != WARM_UP) continue;
    long long steps = static_cast<long long>(s.number[i]);
    applied = applied < steps ? 0 : applied - steps;
  }
  return applied;
}

// `factor` is null unless it is that of a plateau. Of piecewise rates that do not fit into one
// launch each launch sets those of its stretches: a later one overwrites what an earlier one set.
extern "C" __global__ void learning_rate(const long long* applied, const float* factor,
                                         float* rate, const __grid_constant__ Schedule schedule) {
  if (here() != 0) return;
  int wrappers = static_cast<int>(schedule.wrappers);
  long long within = counted(schedule, applied[0], wrappers);
  if (schedule.innermost == PIECEWISE && schedule.start[0] > 0 && within < schedule.start[0]) {
    return;
  }
  double v = of_innermost(schedule, within);
  for (int i = wrappers - 1; i >= 0; i--) {
    double number = schedule.number[i];
    if (schedule.kind[i] != WARM_UP) {
      v *= number;
    } else {
      long long own = counted(schedule, applied[0], i);
      bool rises = own < static_cast<long long>(number);
      if (rises) v *= (static_cast<double>(own) + 1.0) / number;
    }
  }
  rate[0] = static_cast<float>(factor != nullptr ? v * factor[0] : v);
}
KERNEL(learning_rate)
