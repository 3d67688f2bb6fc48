/** Ops that the ranks of a training do together. */
@NullMarked
package dev.halfcell.op.collective;

import org.jspecify.annotations.NullMarked;
