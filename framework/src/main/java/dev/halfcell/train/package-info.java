/** Training: the state of a run, the step as a value, the loop around it. */
@NullMarked
package dev.halfcell.train;

import org.jspecify.annotations.NullMarked;
