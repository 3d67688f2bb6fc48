/** Data sets, the order in which they are read, and the files they and checkpoints are kept in. */
@NullMarked
package dev.halfcell.data;

import org.jspecify.annotations.NullMarked;
