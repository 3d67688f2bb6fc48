/**
 * Tests of what the compiler cannot hold: the order of packages, signatures, and the build's
 * scripts.
 */
@NullMarked
package dev.halfcell.architecture;

import org.jspecify.annotations.NullMarked;
