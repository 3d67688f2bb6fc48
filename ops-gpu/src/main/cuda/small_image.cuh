// Strips of images in shared memory, so that each element is read once however many places of a
// kernel meet it: for convolutions of halves in one group, without dilation, whose images are small.
//
// A strip is some rows of the result. What it meets of the source lies in a frame: place by place,
// with zeros for what is outside, and all channels of a place side by side as tensor cores want
// them, in slices of 16.
#pragma once

#include "convolution.cuh"
#include "fragments.cuh"

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int SLICE = 16;
constexpr int APART = 8;  // halves that move lines to other banks
constexpr int EIGHT = 8;  // halves in 16 bytes

// The halves that a block has for everything: 47 KiB, see SmallConvolution.java.
constexpr int MEMORY = 24064;

struct Frame {
  int height, width;    // of the source
  int rows, columns;    // of the result
  int down, right;      // from what a place of the result meets first to the next's
  int above, before;    // zeros around the source
  int across;           // places of a row of the frame
  int apart;            // halves from a place to the next
};

// For channels in so many slices. Transposed are those of stride 1 alone.
__device__ __forceinline__ Frame frame_of(const Convolution& of, int slices) {
  Frame f;
  bool transposed = of.transposed != 0;
  int kernel_rows = static_cast<int>(of.rows.kernel);
  int kernel_columns = static_cast<int>(of.columns.kernel);
  int above = static_cast<int>(of.rows.before);
  int before = static_cast<int>(of.columns.before);
  f.height = static_cast<int>(transposed ? of.rows.windows : of.rows.image);
  f.width = static_cast<int>(transposed ? of.columns.windows : of.columns.image);
  f.rows = static_cast<int>(transposed ? of.rows.image : of.rows.windows);
  f.columns = static_cast<int>(transposed ? of.columns.image : of.columns.windows);
  f.down = static_cast<int>(of.rows.stride);
  f.right = static_cast<int>(of.columns.stride);
  f.above = transposed ? kernel_rows - 1 - above : above;
  f.before = transposed ? kernel_columns - 1 - before : before;
  f.across = (f.columns - 1) * f.right + kernel_columns;
  f.apart = slices * SLICE + APART;
  return f;
}

// Where a place of a strip begins in the frame.
__device__ __forceinline__ int frame_at(const Frame& f, int place) {
  return (place / f.columns * f.down * f.across + place % f.columns * f.right) * f.apart;
}

// Brings `rows` rows of a frame to shared memory, from that of the result's row `first` on: of the
// channels from x on, of which there are `channels`, as many slices as the frame has. Of AHEAD
// places all is asked for before the first of it is waited for.
__device__ __forceinline__ void stage(unsigned short* to, const unsigned short* x, const Frame& f,
                                      int first, int rows, int channels) {
  constexpr int AHEAD = 2;
  int places = rows * f.across;
  int plane = f.height * f.width;
  int items = places * ((f.apart - APART) / EIGHT);
  int thread = static_cast<int>(threadIdx.x);
  for (int begin = 0; begin < items; begin += AHEAD * THREADS) {
    unsigned halves[AHEAD][EIGHT];
    int at[AHEAD];
    UNROLL
    for (int a = 0; a < AHEAD; a++) {
      int item = begin + a * THREADS + thread;
      int place = item % places;
      int channel = item / places * EIGHT;
      int row = first * f.down - f.above + place / f.across;
      int column = place % f.across - f.before;
      bool there = item < items && inside(row, f.height) && inside(column, f.width);
      const unsigned short* from = x + channel * plane + row * f.width + column;
      UNROLL
      for (int i = 0; i < EIGHT; i++) {
        halves[a][i] = there && channel + i < channels ? from[i * plane] : 0u;
      }
      at[a] = item < items ? place * f.apart + channel : -1;
    }
    UNROLL
    for (int a = 0; a < AHEAD; a++) {
      if (at[a] < 0) continue;
      *reinterpret_cast<uint4*>(to + at[a]) =
          uint4{halves[a][0] | halves[a][1] << 16, halves[a][2] | halves[a][3] << 16,
                halves[a][4] | halves[a][5] << 16, halves[a][6] | halves[a][7] << 16};
    }
  }
}
