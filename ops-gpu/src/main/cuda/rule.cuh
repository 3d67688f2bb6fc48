// Which elements of a parameter a rule moves, and what rules share.
#pragma once

#include "numbers.cuh"

// All of them, or where there are rows those of some rows of a table: see RowsRule. The gradient is
// dense.
struct Places {
  const long long* rows;  // null for all
  const long long* count;  // how many of the rows mean anything
  long long height;  // rows of the table
  long long width;
  long long n;  // elements of the gradient
};

// Where element i of the gradient belongs; below 0 where nowhere.
__device__ __forceinline__ long long place(const Places& places, long long i) {
  if (i >= places.n) return -1;
  if (places.rows == nullptr) return i;
  long long number = i / places.width;
  if (number >= places.count[0]) return -1;
  long long row = places.rows[number];
  bool exists = row >= 0 && row < places.height;
  return exists ? row * places.width + (i - number * places.width) : -1;
}

__device__ __forceinline__ float mean(float keep, float old, float rest, float now) {
  return keep * old + rest * now;
}

// What Adam and LAMB remember. `rest` is 1 less the decay, and `log` its logarithm.
struct Moment {
  double log;
  float decay;
  float rest;
};

// 1 − decayᵗ without the loss of bits where that power is near 1.
__device__ __forceinline__ float share(const Moment& moment, const long long* applied) {
  return -expm1f(static_cast<float>(moment.log * (static_cast<double>(applied[0]) + 1.0)));
}

__device__ __forceinline__ float adaptive(float m, float v, float first, float second,
                                          float epsilon) {
  return (m / first) / (sqrtf(v / second) + epsilon);
}

// A parameter and the slots that a rule keeps for it; null for a slot that this rule lacks.
constexpr int MOST_SLOTS = 3;

struct Tables {
  float* parameter;
  float* slot[MOST_SLOTS];
};

// One element of each.
struct Element {
  float parameter;
  float slot[MOST_SLOTS];
};

template <class Rule>
__device__ __forceinline__ Element element_at(const Tables& from, long long at) {
  Element element;
  element.parameter = from.parameter[at];
  UNROLL
  for (int k = 0; k < Rule::SLOTS; k++) {
    element.slot[k] = from.slot[k] == nullptr ? 0.0f : from.slot[k][at];
  }
  return element;
}

template <class Rule>
__device__ __forceinline__ void put_element(const Element& element, const Tables& to, long long at) {
  UNROLL
  for (int k = 0; k < Rule::SLOTS; k++) {
    if (to.slot[k] != nullptr) to.slot[k][at] = element.slot[k];
  }
  to.parameter[at] = element.parameter;
}
