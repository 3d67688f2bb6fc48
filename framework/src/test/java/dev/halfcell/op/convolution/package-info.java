/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.convolution;

import org.jspecify.annotations.NullMarked;
