/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.shape;

import org.jspecify.annotations.NullMarked;
