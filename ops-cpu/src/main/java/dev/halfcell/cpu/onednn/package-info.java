/** The oneDNN library, through its C interface: loading, descriptors, primitives. */
@NullMarked
package dev.halfcell.cpu.onednn;

import org.jspecify.annotations.NullMarked;
