/** Batch normalisation, its gradient and its running statistics. */
@NullMarked
package dev.halfcell.op.normalization;

import org.jspecify.annotations.NullMarked;
