/**
 * What the GPU computes: for each op the kernels of {@code src/main/cuda} that compute it, and the
 * refusals of ops for which there is none.
 */
@NullMarked
package dev.halfcell.gpu.kernel;

import org.jspecify.annotations.NullMarked;
