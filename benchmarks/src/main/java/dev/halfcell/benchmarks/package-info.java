/** Measurements of HalfCell, alone and beside other frameworks. */
@NullMarked
package dev.halfcell.benchmarks;

import org.jspecify.annotations.NullMarked;
