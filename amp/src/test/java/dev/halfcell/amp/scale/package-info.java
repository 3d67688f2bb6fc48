/** Tests of loss scales under the names of other systems. */
@NullMarked
package dev.halfcell.amp.scale;

import org.jspecify.annotations.NullMarked;
