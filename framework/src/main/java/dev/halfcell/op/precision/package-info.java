/** Casts, and the loss scale with its part of a step. */
@NullMarked
package dev.halfcell.op.precision;

import org.jspecify.annotations.NullMarked;
