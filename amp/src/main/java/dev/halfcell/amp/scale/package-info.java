/** Loss scaling as other systems name it, for own loops. */
@NullMarked
package dev.halfcell.amp.scale;

import org.jspecify.annotations.NullMarked;
