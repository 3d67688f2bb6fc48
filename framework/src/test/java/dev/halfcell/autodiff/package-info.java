/** Tests of the package of the same name. */
@NullMarked
package dev.halfcell.autodiff;

import org.jspecify.annotations.NullMarked;
