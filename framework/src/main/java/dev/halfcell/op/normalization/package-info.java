/** Normalisations, their gradients, and running statistics. */
@NullMarked
package dev.halfcell.op.normalization;

import org.jspecify.annotations.NullMarked;
