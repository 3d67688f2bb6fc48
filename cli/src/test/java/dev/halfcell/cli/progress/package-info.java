/** Tests. */
@NullMarked
package dev.halfcell.cli.progress;

import org.jspecify.annotations.NullMarked;
