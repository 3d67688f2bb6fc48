/** Cells: what networks are composed of. */
@NullMarked
package dev.halfcell.nn;

import org.jspecify.annotations.NullMarked;
