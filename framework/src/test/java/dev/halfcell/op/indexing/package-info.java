/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.op.indexing;

import org.jspecify.annotations.NullMarked;
