/** What computes: kernels over regions of memory, and the team of threads that runs them. */
@NullMarked
package dev.halfcell.cpu.kernel;

import org.jspecify.annotations.NullMarked;
