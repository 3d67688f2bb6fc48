/** Tests. */
@NullMarked
package dev.halfcell.cli;

import org.jspecify.annotations.NullMarked;
