/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.loss;

import org.jspecify.annotations.NullMarked;
