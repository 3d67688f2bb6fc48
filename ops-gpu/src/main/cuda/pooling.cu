// Pooling over windows of images, and its gradients, in which each place of an image collects from
// the windows that contain it.
#include "block.cuh"
#include "run.cuh"

// One axis; see Window2d, or AdaptiveWindow2d where there is no stride.
struct Axis {
  long long image, windows;
  long long most;  // places of the largest window
  long long stride, before;
};

struct Pooling {
  long long planes;
  Axis rows, columns;
};

// From the first place to the one after the last. An int counts all elements of a tensor.
struct Range {
  int first, end;
};

// The places of window i, which may reach beyond the image.
__device__ __forceinline__ Range window(const Axis& axis, int i) {
  if (axis.stride > 0) {
    int first = i * static_cast<int>(axis.stride) - static_cast<int>(axis.before);
    return Range{first, first + static_cast<int>(axis.most)};
  }
  if (axis.windows == 1) return Range{0, static_cast<int>(axis.image)};  // divisions are slow
  long long end = ((i + 1) * axis.image + axis.windows - 1) / axis.windows;
  return Range{static_cast<int>(i * axis.image / axis.windows), static_cast<int>(end)};
}

__device__ __forceinline__ Range inside(const Axis& axis, Range range) {
  int image = static_cast<int>(axis.image);
  return Range{range.first > 0 ? range.first : 0, range.end < image ? range.end : image};
}

// The windows that contain a place of the image.
__device__ __forceinline__ Range containing(const Axis& axis, int place) {
  if (axis.stride > 0) {
    unsigned at = static_cast<unsigned>(place) + static_cast<unsigned>(axis.before);
    unsigned stride = static_cast<unsigned>(axis.stride);
    unsigned most = static_cast<unsigned>(axis.most);
    int windows = static_cast<int>(axis.windows);
    int first = at < most ? 0 : static_cast<int>((at - most) / stride + 1);
    int end = static_cast<int>(at / stride + 1);
    return Range{first, end < windows ? end : windows};
  }
  if (axis.windows == 1) return Range{0, 1};
  long long end = ((place + 1) * axis.windows + axis.image - 1) / axis.image;
  return Range{static_cast<int>(place * axis.windows / axis.image), static_cast<int>(end)};
}

// By how much a window's sum is divided.
__device__ __forceinline__ float share(const Pooling& of, bool count_padding, int i, int j) {
  Range rows = window(of.rows, i);
  Range columns = window(of.columns, j);
  if (!count_padding) {
    rows = inside(of.rows, rows);
    columns = inside(of.columns, columns);
  }
  return static_cast<float>((rows.end - rows.first) * (columns.end - columns.first));
}

// Where an element lies, and the planes of image and windows that belong together.
struct Place {
  int plane, row, column;
};

__device__ __forceinline__ Place place_of(long long number, long long rows, long long columns) {
  unsigned i = static_cast<unsigned>(number);
  unsigned width = static_cast<unsigned>(columns);
  unsigned height = static_cast<unsigned>(rows);
  return Place{static_cast<int>(i / width / height), static_cast<int>(i / width % height),
               static_cast<int>(i % width)};
}

__device__ __forceinline__ void put(void* to, int bytes, long long i, int v) {
  if (bytes == 1) {
    static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(v);
  } else {
    static_cast<int*>(to)[i] = v;
  }
}

// The first of the largest, a NaN being larger than every number. One thread for each window.
template <class T>
__device__ __forceinline__ void max_pool(const T* x, T* y, void* position, int position_bytes,
                                         const Pooling& of) {
  long long i = here();
  if (i >= of.planes * of.rows.windows * of.columns.windows) return;
  Place at = place_of(i, of.rows.windows, of.columns.windows);
  Range rows = window(of.rows, at.row);
  Range columns = window(of.columns, at.column);
  Range inner_rows = inside(of.rows, rows);
  Range inner_columns = inside(of.columns, columns);
  const T* image = x + at.plane * of.rows.image * of.columns.image;
  int width = static_cast<int>(of.columns.image);
  T largest = image[inner_rows.first * width + inner_columns.first];
  int place = -1;
  for (int row = inner_rows.first; row < inner_rows.end; row++) {
    for (int column = inner_columns.first; column < inner_columns.end; column++) {
      T each = image[row * width + column];
      float v = wide(each);
      float most = wide(largest);
      if (place < 0 || v > most || (v != v && most == most)) {
        largest = each;
        place = (row - rows.first) * static_cast<int>(of.columns.most) + column - columns.first;
      }
    }
  }
  y[i] = largest;
  put(position, position_bytes, i, place);
}

// Adds the slopes of a row of windows to the places of a row of the image from `first` on, those of
// the columns before `end`: each window has one place to give its slope to, which may lie elsewhere.
template <class T, class P>
__device__ __forceinline__ void add_slopes(const T* d, const P* position, int above,
                                           const Axis& columns, int leftmost, int first, int end,
                                           float (&sums)[RUN]) {
  int windows = static_cast<int>(columns.windows);
  int passed = above * static_cast<int>(columns.most);
  for (int j = leftmost; j < windows; j++) {
    Range of = window(columns, j);
    if (of.first >= end) break;
    float slope = wide(d[j]);
    int right = static_cast<int>(position[j]) - passed;
    bool lies = right >= 0 && right < of.end - of.first;
    int at = lies ? of.first + right - first : -1;
    UNROLL
    for (int k = 0; k < RUN; k++) {
      if (k == at) sums[k] += slope;
    }
  }
}

// One thread for each run of neighbours in a row, which share most of their windows.
template <class T>
__device__ __forceinline__ void max_pool_gradient(const T* d, const void* position,
                                                  int position_bytes, T* dx, const Pooling& of) {
  int width = static_cast<int>(of.columns.image);
  int runs = (width + RUN - 1) / RUN;
  long long number = here();
  if (number >= of.planes * of.rows.image * runs) return;
  Place at = place_of(number, of.rows.image, runs);
  int first = at.column * RUN;
  int end = first + RUN < width ? first + RUN : width;
  int leftmost = containing(of.columns, first).first;
  int windows = static_cast<int>(of.rows.windows);
  int across = static_cast<int>(of.columns.windows);
  float sums[RUN] = {};
  for (int i = containing(of.rows, at.row).first; i < windows; i++) {
    int above = at.row - window(of.rows, i).first;
    if (above < 0) break;
    int start = (at.plane * windows + i) * across;
    auto add = [&](auto* of_row) {
      add_slopes(d + start, of_row, above, of.columns, leftmost, first, end, sums);
    };
    if (position_bytes == 1) {
      add(static_cast<const unsigned char*>(position) + start);
    } else {
      add(static_cast<const int*>(position) + start);
    }
  }
  T out[RUN];
  UNROLL
  for (int k = 0; k < RUN; k++) narrow(sums[k], out[k]);
  T* to = dx + (at.plane * static_cast<int>(of.rows.image) + at.row) * width + first;
  if (width % RUN == 0) {
    give_run(out, to);
    return;
  }
  UNROLL
  for (int k = 0; k < RUN; k++) {
    if (first + k < end) to[k] = out[k];
  }
}

// One thread for each window.
template <class T>
__device__ __forceinline__ void avg_pool(const T* x, T* y, int count_padding, const Pooling& of) {
  long long i = here();
  if (i >= of.planes * of.rows.windows * of.columns.windows) return;
  Place at = place_of(i, of.rows.windows, of.columns.windows);
  Range rows = inside(of.rows, window(of.rows, at.row));
  Range columns = inside(of.columns, window(of.columns, at.column));
  const T* image = x + at.plane * of.rows.image * of.columns.image;
  int width = static_cast<int>(of.columns.image);
  float sum = 0.0f;
  for (int row = rows.first; row < rows.end; row++) {
    for (int column = columns.first; column < columns.end; column++) {
      sum += wide(image[row * width + column]);
    }
  }
  narrow(sum / share(of, count_padding != 0, at.row, at.column), y[i]);
}

// One block for each window: for large ones.
template <class T>
__device__ __forceinline__ void avg_pool_of_many(const T* x, T* y, int count_padding,
                                                 const Pooling& of) {
  Place at = place_of(blockIdx.x, of.rows.windows, of.columns.windows);
  Range rows = inside(of.rows, window(of.rows, at.row));
  Range columns = inside(of.columns, window(of.columns, at.column));
  const T* image = x + at.plane * of.rows.image * of.columns.image;
  int width = static_cast<int>(of.columns.image);
  int across = columns.end - columns.first;
  int places = (rows.end - rows.first) * across;
  float sum = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < places; i += static_cast<int>(blockDim.x)) {
    sum += wide(image[(rows.first + i / across) * width + columns.first + i % across]);
  }
  sum = over_block<Sum>(sum, 0.0f);
  if (threadIdx.x == 0) {
    narrow(sum / share(of, count_padding != 0, at.row, at.column), y[blockIdx.x]);
  }
}

template <class T>
__device__ __forceinline__ void avg_pool_gradient(const T* d, T* dx, int count_padding,
                                                  const Pooling& of) {
  long long i = here();
  if (i >= of.planes * of.rows.image * of.columns.image) return;
  Place at = place_of(i, of.rows.image, of.columns.image);
  Range rows = containing(of.rows, at.row);
  Range columns = containing(of.columns, at.column);
  int width = static_cast<int>(of.columns.windows);
  int start = at.plane * static_cast<int>(of.rows.windows) * width;
  float sum = 0.0f;
  for (int row = rows.first; row < rows.end; row++) {
    for (int column = columns.first; column < columns.end; column++) {
      int from = start + row * width + column;
      sum += wide(d[from]) / share(of, count_padding != 0, row, column);
    }
  }
  narrow(sum, dx[i]);
}

#define POOLING(suffix, T)                                                                       \
  extern "C" __global__ void max_pool_##suffix(const T* x, T* y, void* position,                 \
                                               int position_bytes, Pooling of) {                 \
    max_pool(x, y, position, position_bytes, of);                                                \
  }                                                                                              \
  KERNEL(max_pool_##suffix)                                                                      \
  extern "C" __global__ void max_pool_gradient_##suffix(                                         \
      const T* d, const void* position, int position_bytes, T* dx, Pooling of) {                 \
    max_pool_gradient(d, position, position_bytes, dx, of);                                      \
  }                                                                                              \
  KERNEL(max_pool_gradient_##suffix)                                                             \
  extern "C" __global__ void avg_pool_##suffix(const T* x, T* y, int count_padding,              \
                                               Pooling of) {                                     \
    avg_pool(x, y, count_padding, of);                                                           \
  }                                                                                              \
  KERNEL(avg_pool_##suffix)                                                                      \
  extern "C" __global__ void avg_pool_of_many_##suffix(const T* x, T* y, int count_padding,      \
                                                       Pooling of) {                             \
    avg_pool_of_many(x, y, count_padding, of);                                                   \
  }                                                                                              \
  KERNEL(avg_pool_of_many_##suffix)                                                              \
  extern "C" __global__ void avg_pool_gradient_##suffix(const T* d, T* dx, int count_padding,    \
                                                        Pooling of) {                            \
    avg_pool_gradient(d, dx, count_padding, of);                                                 \
  }                                                                                              \
  KERNEL(avg_pool_gradient_##suffix)
INSTANCES(POOLING)
