/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.nn;

import org.jspecify.annotations.NullMarked;
