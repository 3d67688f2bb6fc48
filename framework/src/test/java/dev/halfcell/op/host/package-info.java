/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.host;

import org.jspecify.annotations.NullMarked;
