/** Libraries of NVIDIA, on emulated ones. */
@NullMarked
package dev.halfcell.gpu.library;

import org.jspecify.annotations.NullMarked;
