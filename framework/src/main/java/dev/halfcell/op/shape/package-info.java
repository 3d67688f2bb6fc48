/** Ops that move or rename elements and compute nothing. */
@NullMarked
package dev.halfcell.op.shape;

import org.jspecify.annotations.NullMarked;
