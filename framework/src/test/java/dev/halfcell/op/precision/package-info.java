/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.precision;

import org.jspecify.annotations.NullMarked;
