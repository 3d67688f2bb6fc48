/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.random;

import org.jspecify.annotations.NullMarked;
