/** The emulated GPU, and the driver layer on it. */
@NullMarked
package dev.halfcell.gpu.driver;

import org.jspecify.annotations.NullMarked;
