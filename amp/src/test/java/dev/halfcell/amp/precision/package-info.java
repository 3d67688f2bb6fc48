/** Tests of automatic mixed precision. */
@NullMarked
package dev.halfcell.amp.precision;

import org.jspecify.annotations.NullMarked;
