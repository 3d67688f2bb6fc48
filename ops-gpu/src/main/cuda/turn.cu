// Matrices that are turned over: of images [N, C, positions] those become lines whose channels lie
// next to each other.
#include "numbers.cuh"

constexpr int SIDE = 64;  // of a tile, which a block of 256 threads turns in shared memory
constexpr int PAIRS = SIDE / 2;
constexpr int LINES = 8;  // that its threads take at once, two neighbours each

// So many elements longer than a tile are its lines that threads meet few banks twice in a column.
template <class T>
constexpr int APART = 4 / sizeof(T);

// How the matrices lie, one behind the other.
struct Turning {
  long long rows, columns;
  long long across;  // tiles next to each other
};

// Neighbours that are read or written at once.
template <class T>
struct __align__(2 * sizeof(T)) Two {
  T first, second;
};

__device__ __forceinline__ void put(unsigned short v, unsigned short& to) { to = v; }
__device__ __forceinline__ void put(unsigned int v, unsigned int& to) { to = v; }
template <class T>
__device__ __forceinline__ void put(T v, float& to) {
  to = wide(v);
}

// Brings a tile to shared memory, from x on, of whose lines so many and so much is in the matrix.
// All that a thread reads is asked for before the first of it is waited for.
template <class T>
__device__ __forceinline__ void take(T (&tile)[SIDE][SIDE + APART<T>], const T* x,
                                     long long columns, int lines, int length) {
  int place = static_cast<int>(threadIdx.x) % PAIRS * 2;
  int first = static_cast<int>(threadIdx.x) / PAIRS;
  bool whole = columns % 2 == 0;
  Two<T> two[SIDE / LINES];
  UNROLL
  for (int i = 0; i < SIDE / LINES; i++) {
    int line = first + i * LINES;
    if (line >= lines || place >= length) continue;
    const T* from = x + line * columns + place;
    if (whole) {
      two[i] = *reinterpret_cast<const Two<T>*>(from);
    } else {
      two[i].first = from[0];
      if (place + 1 < length) two[i].second = from[1];
    }
  }
  UNROLL
  for (int i = 0; i < SIDE / LINES; i++) {
    int line = first + i * LINES;
    if (line >= lines || place >= length) continue;
    tile[line][place] = two[i].first;
    tile[line][place + 1] = two[i].second;
  }
}

// Writes the tile's columns as lines.
template <class From, class To>
__device__ __forceinline__ void give(const From (&tile)[SIDE][SIDE + APART<From>], To* y,
                                     long long rows, int lines, int length) {
  int place = static_cast<int>(threadIdx.x) % PAIRS * 2;
  int first = static_cast<int>(threadIdx.x) / PAIRS;
  bool whole = rows % 2 == 0;
  UNROLL
  for (int line = first; line < SIDE; line += LINES) {
    if (line >= lines || place >= length) continue;
    To* to = y + line * rows + place;
    Two<To> two;
    put(tile[place][line], two.first);
    if (whole || place + 1 < length) put(tile[place + 1][line], two.second);
    if (whole) {
      *reinterpret_cast<Two<To>*>(to) = two;
    } else {
      to[0] = two.first;
      if (place + 1 < length) to[1] = two.second;
    }
  }
}

// y[column][row] = x[row][column] of each matrix.
template <class From, class To>
__device__ __forceinline__ void turn(From (&tile)[SIDE][SIDE + APART<From>], const From* x, To* y,
                                     const Turning& of) {
  unsigned across = static_cast<unsigned>(of.across);
  long long matrix = blockIdx.x / across * of.rows * of.columns;
  long long column = static_cast<long long>(blockIdx.x % across) * SIDE;
  long long row = static_cast<long long>(blockIdx.y) * SIDE;
  int lines = static_cast<int>(of.rows - row < SIDE ? of.rows - row : SIDE);
  int length = static_cast<int>(of.columns - column < SIDE ? of.columns - column : SIDE);
  take(tile, x + matrix + row * of.columns + column, of.columns, lines, length);
  __syncthreads();
  give(tile, y + matrix + column * of.rows + row, of.rows, length, lines);
}

// turn_2, turn_4: elements of so many bytes. turn_fp16_fp32, turn_bf16_fp32: widened as well.
#define TURN(name, From, To)                                                                     \
  extern "C" __global__ void turn_##name(const From* x, To* y, Turning of) {                     \
    __shared__ From tile[SIDE][SIDE + APART<From>];                                              \
    turn(tile, x, y, of);                                                                        \
  }                                                                                              \
  KERNEL(turn_##name)
TURN(2, unsigned short, unsigned short)
TURN(4, unsigned int, unsigned int)
TURN(fp16_fp32, fp16, float)
TURN(bf16_fp32, bf16, float)
