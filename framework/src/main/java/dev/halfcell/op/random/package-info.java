/** Ops that draw random numbers, and the counter-based generator they draw from. */
@NullMarked
package dev.halfcell.op.random;

import org.jspecify.annotations.NullMarked;
