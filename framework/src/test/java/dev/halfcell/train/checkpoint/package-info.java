/** Tests of what a run goes on from. */
@NullMarked
package dev.halfcell.train.checkpoint;

import org.jspecify.annotations.NullMarked;
