/** Files that have to survive a crash: the one way in which a run's checkpoints are written. */
@NullMarked
package dev.halfcell.disk;

import org.jspecify.annotations.NullMarked;
