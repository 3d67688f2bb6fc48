/** Convolutions and their gradients. */
@NullMarked
package dev.halfcell.op.convolution;

import org.jspecify.annotations.NullMarked;
