/** Automatic mixed precision: levels, the precision plan, and train cells with loss scaling. */
@NullMarked
package dev.halfcell.amp;

import org.jspecify.annotations.NullMarked;
