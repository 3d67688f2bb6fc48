/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.train;

import org.jspecify.annotations.NullMarked;
