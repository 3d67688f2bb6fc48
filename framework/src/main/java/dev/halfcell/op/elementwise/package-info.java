/** Ops that work on one position at a time. */
@NullMarked
package dev.halfcell.op.elementwise;

import org.jspecify.annotations.NullMarked;
