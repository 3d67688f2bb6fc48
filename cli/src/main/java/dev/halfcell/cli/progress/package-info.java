/** How a running training is shown. */
@NullMarked
package dev.halfcell.cli.progress;

import org.jspecify.annotations.NullMarked;
