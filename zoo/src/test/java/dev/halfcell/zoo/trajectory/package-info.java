/** Tests of golden trajectories. */
@NullMarked
package dev.halfcell.zoo.trajectory;

import org.jspecify.annotations.NullMarked;
