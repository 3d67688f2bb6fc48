/** The GPU backend, on the emulated GPU. */
@NullMarked
package dev.halfcell.gpu;

import org.jspecify.annotations.NullMarked;
