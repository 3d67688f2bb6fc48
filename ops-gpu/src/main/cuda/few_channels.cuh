// Convolutions of images of few channels by wide kernels, as first layers of networks are. A block
// computes with places of one row of the windows at a time. What they meet lies in shared memory:
// for each place, for each channel and row of the kernel, eight neighbours, as tensor cores want
// them; zeros are what the kernel does not reach and what lies outside of the image.
#pragma once

#include "ahead.cuh"
#include "convolution.cuh"
#include "fragments.cuh"

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int SLICE = 16;
constexpr int EIGHT = 8;
constexpr int STEPS = 11;             // the most slices of what a place meets, see FewChannels.java
constexpr int DEPTH = STEPS * SLICE;
constexpr int APART = DEPTH + EIGHT;  // halves from a place to the next: eight of them meet all banks
constexpr int RESULTS = 64;           // channels of the windows at most
constexpr int SQUARES = RESULTS / SLICE;
constexpr int BESIDE = WARPS / SQUARES;

// A segment is so many places of a row, of which a row has so many.
struct Few {
  int height, width, rows, columns;
  int kernel_rows, kernel_columns, lines;  // a line is a row of the kernel of a channel
  int down, right, above, before;
  int segment, segments;
  int across;  // halves of a line's frame
};

__device__ __forceinline__ Few few_of(const Convolution& of, int segment) {
  Few f;
  f.height = static_cast<int>(of.rows.image);
  f.width = static_cast<int>(of.columns.image);
  f.rows = static_cast<int>(of.rows.windows);
  f.columns = static_cast<int>(of.columns.windows);
  f.kernel_rows = static_cast<int>(of.rows.kernel);
  f.kernel_columns = static_cast<int>(of.columns.kernel);
  f.lines = static_cast<int>(of.sources) * f.kernel_rows;
  f.down = static_cast<int>(of.rows.stride);
  f.right = static_cast<int>(of.columns.stride);
  f.above = static_cast<int>(of.rows.before);
  f.before = static_cast<int>(of.columns.before);
  f.segment = segment;
  f.segments = (f.columns + segment - 1) / segment;
  f.across = ((segment - 1) * f.right + EIGHT + 1) / 2 * 2;
  return f;
}

// Which places a block computes with next.
struct Segment {
  int sample, row, begin, places;
};

__device__ __forceinline__ Segment segment_at(const Few& f, int number) {
  Segment s;
  s.begin = number % f.segments * f.segment;
  s.row = number / f.segments % f.rows;
  s.sample = number / f.segments / f.rows;
  s.places = f.columns - s.begin < f.segment ? f.columns - s.begin : f.segment;
  return s;
}

// Brings what a segment meets of the image, line by line. A thread asks for AHEAD neighbours before
// the first is waited for.
__device__ __forceinline__ void stage_frame(unsigned short* frame, const unsigned short* x,
                                            const Few& f, const Segment& s) {
  constexpr int AHEAD = 8;
  int sources = f.lines / f.kernel_rows;
  int left = s.begin * f.right - f.before;
  for (int line = static_cast<int>(threadIdx.x) / 32; line < f.lines; line += WARPS) {
    int row = s.row * f.down - f.above + line % f.kernel_rows;
    bool there = inside(row, f.height);
    int channel = s.sample * sources + line / f.kernel_rows;
    const unsigned short* from =
        x + (static_cast<long long>(channel) * f.height + (there ? row : 0)) * f.width;
    for (int begin = lane(); begin < f.across; begin += AHEAD * 32) {
      unsigned short halves[AHEAD];
      UNROLL
      for (int a = 0; a < AHEAD; a++) {
        int column = left + begin + a * 32;
        halves[a] = 0;
        if (there && begin + a * 32 < f.across && inside(column, f.width)) halves[a] = from[column];
      }
      UNROLL
      for (int a = 0; a < AHEAD; a++) {
        if (begin + a * 32 < f.across) frame[line * f.across + begin + a * 32] = halves[a];
      }
    }
  }
}

// Spreads the frame out: the eight neighbours of each place and line.
__device__ __forceinline__ void spread_out(unsigned short* met, const unsigned short* frame,
                                           const Few& f, const Segment& s) {
  unsigned masks[EIGHT / 2];
  UNROLL
  for (int i = 0; i < EIGHT / 2; i++) {
    int reached = f.kernel_columns - 2 * i;
    masks[i] = reached > 1 ? 0xffffffffu : reached > 0 ? 0xffffu : 0u;
  }
  for (int line = static_cast<int>(threadIdx.x) / 32; line < f.lines; line += WARPS) {
    for (int place = lane(); place < f.segment; place += 32) {
      const unsigned short* from = frame + line * f.across + place * f.right;
      unsigned words[EIGHT / 2];
      UNROLL
      for (int i = 0; i < EIGHT / 2; i++) {
        unsigned two = f.right % 2 == 0 ? *reinterpret_cast<const unsigned*>(from + 2 * i)
                                        : from[2 * i] | static_cast<unsigned>(from[2 * i + 1]) << 16;
        words[i] = place < s.places ? two & masks[i] : 0u;
      }
      *reinterpret_cast<uint4*>(met + place * APART + line * EIGHT) =
          uint4{words[0], words[1], words[2], words[3]};
    }
  }
}

// Zeros for all lines that no kernel has.
__device__ __forceinline__ void clear(unsigned short* met, int halves) {
  for (int i = static_cast<int>(threadIdx.x) * EIGHT; i < halves; i += THREADS * EIGHT) {
    *reinterpret_cast<uint4*>(met + i) = uint4{0, 0, 0, 0};
  }
}
