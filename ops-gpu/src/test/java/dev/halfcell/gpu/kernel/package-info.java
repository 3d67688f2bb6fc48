/** Kernels and how they are chosen. */
@NullMarked
package dev.halfcell.gpu.kernel;

import org.jspecify.annotations.NullMarked;
