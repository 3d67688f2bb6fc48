/** The checkpoints of a run: what is in them, which are kept, and which one a run goes on from. */
@NullMarked
package dev.halfcell.train.checkpoint;

import org.jspecify.annotations.NullMarked;
