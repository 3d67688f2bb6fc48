// Elements of any dtype, which are moved and not computed on: as numbers of so many bytes.
#pragma once

#include "numbers.cuh"

struct alignas(16) Sixteen {
  unsigned long long low, high;
};

// The instances of a kernel template: name_1, name_2, name_4, name_8.
#define ELEMENT_BYTES(kernel)                                                                    \
  kernel(1, unsigned char) kernel(2, unsigned short) kernel(4, unsigned int)                     \
  kernel(8, unsigned long long)

// The same and name_16, for kernels that move several elements at once.
#define MOVED_BYTES(kernel) ELEMENT_BYTES(kernel) kernel(16, Sixteen)
