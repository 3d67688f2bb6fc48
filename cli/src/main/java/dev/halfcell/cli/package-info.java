/** The {@code halfcell} program. */
@NullMarked
package dev.halfcell.cli;

import org.jspecify.annotations.NullMarked;
