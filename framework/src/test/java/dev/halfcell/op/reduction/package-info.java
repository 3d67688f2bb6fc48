/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.reduction;

import org.jspecify.annotations.NullMarked;
