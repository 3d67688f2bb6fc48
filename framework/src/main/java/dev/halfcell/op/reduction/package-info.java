/** Sums, means, extremes and softmax over axes. */
@NullMarked
package dev.halfcell.op.reduction;

import org.jspecify.annotations.NullMarked;
