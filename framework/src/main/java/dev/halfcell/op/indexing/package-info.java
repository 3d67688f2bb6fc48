/** Ops that look elements up by numbers that are data, and the sums that undo that. */
@NullMarked
package dev.halfcell.op.indexing;

import org.jspecify.annotations.NullMarked;
