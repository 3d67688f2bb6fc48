// Double arithmetic that gives the bits of Java's, and two functions of its StrictMath: every
// operation is rounded by itself, and none is contracted with another.
//
// Source of the functions: Sun Microsystems, fdlibm 5.3, which StrictMath promises the results of:
// the reductions, polynomials and constants of __ieee754_log and __ieee754_pow, here for the
// arguments that loss scales have.
#pragma once

#include "numbers.cuh"

namespace strict {

__device__ __forceinline__ double sum(double a, double b) { return __dadd_rn(a, b); }
__device__ __forceinline__ double less(double a, double b) { return __dsub_rn(a, b); }
__device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ double over(double a, double b) { return __ddiv_rn(a, b); }

// a[0] + x · (a[1] + x · (...)).
template <int N>
__device__ __forceinline__ double polynomial(double x, const double (&a)[N]) {
  double y = a[N - 1];
  for (int i = N - 2; i >= 0; i--) y = sum(a[i], times(x, y));
  return y;
}

constexpr double LN2_HIGH = 6.93147180369123816490e-01;  // its last 32 bits are 0
constexpr double LN2_LOW = 1.90821492927058770002e-10;

// The natural logarithm of a number from 1 on and below 2.
//
// Above √2 (as fdlibm has it, in the upper half of the bits) it is that of its half, and ln 2 more.
// With f = x − 1 and s = f / (2 + f), ln x = f − f²/2 + s · (f²/2 + R(s²)), which near 1 is rather
// f − s · (f − R).
__device__ __forceinline__ double log_of_significand(double x) {
  int upper = static_cast<int>(__double_as_longlong(x) >> 32) & 0xfffff;
  bool halves = upper + 0x95f64 > 0xfffff;
  double f = less(halves ? times(x, 0.5) : x, 1.0);
  if (f == 0.0) return 0.0;
  double high = halves ? LN2_HIGH : 0.0;
  double low = halves ? LN2_LOW : 0.0;
  bool tiny = ((upper + 2) & 0xfffff) < 3;
  if (tiny) {
    double square = times(f, f);
    double rest = times(square, less(0.5, times(0.33333333333333333, f)));
    return halves ? less(high, less(less(rest, low), f)) : less(f, rest);
  }
  double s = over(f, sum(2.0, f));
  double z = times(s, s);
  double w = times(z, z);
  double even = times(w, polynomial(w, {3.999999999940941908e-01, 2.222219843214978396e-01,
                                        1.531383769920937332e-01}));
  double odd = times(z, polynomial(w, {6.666666666666735130e-01, 2.857142874366239149e-01,
                                       1.818357216161805012e-01, 1.479819860510658591e-01}));
  double r = sum(odd, even);
  bool far = ((upper - 0x6147a) | (0x6b851 - upper)) > 0;
  double half = times(times(0.5, f), f);
  double rest = far ? times(s, sum(half, r)) : times(s, less(f, r));
  if (!halves) return less(f, far ? less(half, rest) : rest);
  double under = far ? less(half, sum(rest, low)) : less(rest, low);
  return less(high, less(under, f));
}

// The binary logarithm of a finite number above 0, as LossScale.Verdict takes it; ln2 is that of
// Java.
__device__ __forceinline__ double log2(float x) {
  long long bits = __double_as_longlong(static_cast<double>(x));
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double significand = __longlong_as_double((bits & 0xfffffffffffffll) | 0x3ff0000000000000ll);
  double ln2 = __longlong_as_double(0x3fe62e42fefa39efll);
  return sum(static_cast<double>(exponent), over(log_of_significand(significand), ln2));
}

__device__ __forceinline__ double upper_half(double x) {
  return __longlong_as_double(__double_as_longlong(x) & ~0xffffffffll);
}

// 2^y. The power is n + the rest, of at most a half, and 2^rest = 1 + z + z²/2 + ... with z = rest
// · ln 2 in two parts. What fdlibm does with the base is exact where that is 2.
__device__ __forceinline__ double power_of_two(double y) {
  if (y != y) return y;
  if (y >= 1024.0) return INFINITY;
  if (y <= -1075.0) return 0.0;
  if (y == 0.5) return __dsqrt_rn(2.0);
  double high = upper_half(y);
  double low = less(y, high);
  bool splits = fabs(y) >= 0.5 + 0x1p-21;
  double n = splits ? copysign(floor(sum(fabs(y), 0.5)), y) : 0.0;
  high = less(high, n);
  double t = upper_half(sum(low, high));
  double u = times(t, 6.93147182464599609375e-01);
  double v = sum(times(less(low, less(t, high)), 6.93147180559945286227e-01),
                 times(t, -1.90465429995776804525e-09));
  double z = sum(u, v);
  double w = less(v, less(z, u));
  double square = times(z, z);
  double rest = times(
      square, polynomial(square, {1.66666666666666019037e-01, -2.77777777770155933842e-03,
                                  6.61375632143793436117e-05, -1.65339022054652515390e-06,
                                  4.13813679705723846039e-08}));
  double close = less(z, rest);
  double r = less(over(times(z, close), less(close, 2.0)), sum(w, times(z, w)));
  double power = less(1.0, less(r, z));
  return scalbn(power, static_cast<int>(n));
}

}  // namespace strict
