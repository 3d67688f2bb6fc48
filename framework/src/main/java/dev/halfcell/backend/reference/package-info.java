/** The kernels of the reference backend: plain loops in double, one file for each family of ops. */
@NullMarked
package dev.halfcell.backend.reference;

import org.jspecify.annotations.NullMarked;
