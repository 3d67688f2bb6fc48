/** Automatic differentiation: a tape of ops. */
@NullMarked
package dev.halfcell.autodiff;

import org.jspecify.annotations.NullMarked;
