/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.elementwise;

import org.jspecify.annotations.NullMarked;
