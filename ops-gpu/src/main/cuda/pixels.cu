// Pixels of images whose channels lie last.
#include "run.cuh"

// What is taken: of each image every `down`th row and every `right`th column.
struct Taken {
  long long rows, columns;   // that are taken
  long long height, width, channels;
  long long down, right;
};

// y[n, row, column] = x[n, row * down, column * right], all channels, which are runs. n counts runs.
extern "C" __global__ void every_pixel_2(const unsigned short* x, unsigned short* y, Taken of,
                                         long long n) {
  long long i = here();
  if (i >= n) return;
  long long across = of.channels / RUN;
  long long pixel = i / across;
  long long column = pixel % of.columns * of.right;
  long long row = pixel / of.columns % of.rows * of.down;
  long long image = pixel / of.columns / of.rows;
  long long from = ((image * of.height + row) * of.width + column) * of.channels;
  unsigned short run[RUN];
  take_run(x + from + i % across * RUN, run);
  give_run(run, y + i * RUN);
}
KERNEL(every_pixel_2)
