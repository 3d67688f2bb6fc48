/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.data;

import org.jspecify.annotations.NullMarked;
