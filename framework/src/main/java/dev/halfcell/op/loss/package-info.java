/** Losses, FP32 at every level, and their gradients. */
@NullMarked
package dev.halfcell.op.loss;

import org.jspecify.annotations.NullMarked;
