/**
 * What HalfCell offers, row by row, with the test that shows it, and how other systems spell it.
 */
@NullMarked
package dev.halfcell.features;

import org.jspecify.annotations.NullMarked;
