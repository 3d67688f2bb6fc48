/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.pooling;

import org.jspecify.annotations.NullMarked;
