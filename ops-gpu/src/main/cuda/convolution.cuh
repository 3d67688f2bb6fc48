// How a convolution walks over an image: the same for the op, its gradients and its transpose.
#pragma once

#include "numbers.cuh"

// Which bits are all set in an infinity and in what is no number.
__device__ __forceinline__ unsigned endless_bits(fp16) { return 0x7c00u; }
__device__ __forceinline__ unsigned endless_bits(bf16) { return 0x7f80u; }

// One axis, as the forward convolution sees it; see Conv2dGeometry.
struct Axis {
  long long image, windows, kernel, stride, dilation, before;
  long long phases;  // see walk
  long long skip;  // from a place of the kernel to the next that meets the same places of an image
};

// Channels are those of one group.
struct Convolution {
  long long samples, groups;
  long long results, sources;  // channels of what is computed, and of what is read
  long long transposed;        // whether the image is computed from the windows
  long long relu;              // whether what is below 0 becomes 0
  long long across, down;      // tiles of the result
  Axis rows, columns;
};

// Which elements meet along one axis: result first + u * step, for u < count, is the sum of source
// base + u * stride + t * dilation times the kernel's place tap + t * skip, for t < taps. What lies
// outside of the source does not count.
struct Walk {
  int first, step, count;
  int tap, skip, taps;
  int base, stride, dilation;
  int source, result;  // sizes
};

// The image's places fall into as many phases as the stride: those of one meet the same places of
// the kernel, so that the gradient by the image is, in each phase, a convolution of stride 1. A
// phase is known by its first place.
__device__ __forceinline__ Walk walk(const Axis& axis, bool transposed, int first) {
  int image = static_cast<int>(axis.image);
  int windows = static_cast<int>(axis.windows);
  int kernel = static_cast<int>(axis.kernel);
  int stride = static_cast<int>(axis.stride);
  int dilation = static_cast<int>(axis.dilation);
  int before = static_cast<int>(axis.before);
  int skip = static_cast<int>(axis.skip);
  if (!transposed) {
    return Walk{0, 1, windows, 0, 1, kernel, -before, stride, dilation, image, windows};
  }
  int phase = (first + before) % stride;
  int tap = 0;
  while (tap < kernel && tap < skip && tap * dilation % stride != phase) tap++;
  bool meets = tap < kernel && tap < skip;
  int taps = meets ? (kernel - 1 - tap) / skip + 1 : 0;
  int base = meets ? (first + before - tap * dilation) / stride : 0;
  int apart = dilation / (stride / skip);
  int count = (image - 1 - first) / stride + 1;
  return Walk{first, stride, count, tap, skip, taps, base, 1, -apart, windows, image};
}

__device__ __forceinline__ bool inside(int place, int size) { return place >= 0 && place < size; }

// What a place of the result meets first, which may lie outside of the source.
struct Place {
  int sample, row, column;  // of the phase
  int top, left;            // of the source
};

// The places of a phase are counted sample by sample, row by row. There are no more than elements
// in a tensor, which an int counts.
__device__ __forceinline__ Place place_at(const Walk& rows, const Walk& columns, long long number) {
  int i = static_cast<int>(number);
  int column = i % columns.count;
  int row = i / columns.count % rows.count;
  return Place{i / columns.count / rows.count, row, column, rows.base + row * rows.stride,
               columns.base + column * columns.stride};
}

// A place of the kernel and a channel of the source: where they lie, and how far that is from what
// a place of the result meets first.
struct Tap {
  int weight, source, down, right;
};

__device__ __forceinline__ Tap tap_at(const Convolution& of, const Walk& rows, const Walk& columns,
                                      int inner) {
  int column = inner % columns.taps;
  int row = inner / columns.taps % rows.taps;
  int channel = inner / columns.taps / rows.taps;
  int width = static_cast<int>(of.columns.kernel);
  int kernel = static_cast<int>(of.rows.kernel) * width;
  int apart = of.transposed != 0 ? static_cast<int>(of.results) * kernel : kernel;
  int down = row * rows.dilation;
  int right = column * columns.dilation;
  return Tap{channel * apart + (rows.tap + row * rows.skip) * width + columns.tap +
                 column * columns.skip,
             (channel * rows.source + down) * columns.source + right, down, right};
}

__device__ __forceinline__ bool meets(const Walk& rows, const Walk& columns, const Place& at,
                                      const Tap& tap) {
  return inside(at.top + tap.down, rows.source) && inside(at.left + tap.right, columns.source);
}

// An element of the result, as one thread computes it.
struct Element {
  int row, column;
  long long channel, sample;  // the channel of all groups'
};

__device__ __forceinline__ bool element_at(const Convolution& of, long long i, Element& to) {
  bool transposed = of.transposed != 0;
  int width = static_cast<int>(transposed ? of.columns.image : of.columns.windows);
  int height = static_cast<int>(transposed ? of.rows.image : of.rows.windows);
  long long channels = of.groups * of.results;
  to = Element{static_cast<int>(i / width % height), static_cast<int>(i % width),
               i / width / height % channels, i / width / height / channels};
  return to.sample < of.samples;
}

// Calls take(source, weight) for each product of an element of the result: over the source's
// channels and, in each, over the kernel's rows and columns.
template <class T, class F>
__device__ __forceinline__ void each_product(const Convolution& of, const T* x, const T* weight,
                                             const Element& to, const F& take) {
  bool transposed = of.transposed != 0;
  Walk rows = walk(of.rows, transposed, to.row % static_cast<int>(of.rows.phases));
  Walk columns = walk(of.columns, transposed, to.column % static_cast<int>(of.columns.phases));
  int top = rows.base + (to.row - rows.first) / rows.step * rows.stride;
  int left = columns.base + (to.column - columns.first) / columns.step * columns.stride;
  Place at{static_cast<int>(to.sample), 0, 0, top, left};
  long long kernel = of.rows.kernel * of.columns.kernel;
  long long group = to.channel / of.results;
  weight += group * of.results * of.sources * kernel +
            to.channel % of.results * (transposed ? kernel : of.sources * kernel);
  x += (to.sample * of.groups + group) * of.sources * rows.source * columns.source +
       static_cast<long long>(top) * columns.source + left;
  int inners = static_cast<int>(of.sources) * rows.taps * columns.taps;
  for (int inner = 0; inner < inners; inner++) {
    Tap tap = tap_at(of, rows, columns, inner);
    if (meets(rows, columns, at, tap)) take(x[tap.source], weight[tap.weight]);
  }
}

// How far a place of the kernel and a channel of the image are from what a window meets first.
__device__ __forceinline__ Tap tap_of(const Convolution& of, int number) {
  int width = static_cast<int>(of.columns.kernel);
  int height = static_cast<int>(of.rows.kernel);
  int down = number / width % height * static_cast<int>(of.rows.dilation);
  int right = number % width * static_cast<int>(of.columns.dilation);
  int channel = number / width / height;
  int image = static_cast<int>(of.columns.image);
  return Tap{number, (channel * static_cast<int>(of.rows.image) + down) * image + right, down,
             right};
}

// Calls take(d, x) for the products of element i of the gradient by the weight: over samples, rows
// and columns of the windows, of which it takes every `step`th from `first` on.
template <class T, class F>
__device__ __forceinline__ void each_product_of_weight(const Convolution& of, const T* d,
                                                       const T* x, long long i, int first, int step,
                                                       const F& take) {
  Walk rows = walk(of.rows, false, 0);
  Walk columns = walk(of.columns, false, 0);
  long long plane = static_cast<long long>(rows.count) * columns.count;
  long long image = of.sources * rows.source * columns.source;
  int elements = static_cast<int>(of.sources * of.rows.kernel * of.columns.kernel);
  long long channel = i / elements;
  long long group = channel / of.results;
  Tap tap = tap_of(of, static_cast<int>(i % elements));
  for (long long number = first; number < of.samples * plane; number += step) {
    Place at = place_at(rows, columns, number);
    if (!meets(rows, columns, at, tap)) continue;
    long long of_d = (at.sample * of.groups * of.results + channel) * plane +
                     at.row * columns.count + at.column;
    long long of_x = (at.sample * of.groups + group) * image +
                     static_cast<long long>(at.top) * columns.source + at.left + tap.source;
    take(d[of_d], x[of_x]);
  }
}
