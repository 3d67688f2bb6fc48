// Runs the blocks of a launched kernel on the calling thread.
#pragma once

#include "cuda_on_host.h"

namespace rig {

// The order of threads and blocks follows from it.
void seed(uint64_t value);

// Runs a kernel; false where threads wait at barriers that never meet.
bool run(const Kernel& kernel, dim3 grid, dim3 size, size_t dynamic_shared, void** parameters);

}  // namespace rig
