/** Tests of automatic mixed precision. */
@NullMarked
package dev.halfcell.amp;

import org.jspecify.annotations.NullMarked;
