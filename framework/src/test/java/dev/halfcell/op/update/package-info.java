/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.update;

import org.jspecify.annotations.NullMarked;
