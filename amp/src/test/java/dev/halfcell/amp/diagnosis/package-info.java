/** Tests of diagnosis. */
@NullMarked
package dev.halfcell.amp.diagnosis;

import org.jspecify.annotations.NullMarked;
