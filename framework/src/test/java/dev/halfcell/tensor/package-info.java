/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.tensor;

import org.jspecify.annotations.NullMarked;
