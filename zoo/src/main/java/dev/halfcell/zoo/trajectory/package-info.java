/** Golden trajectories: the first steps of a training, compared with those of another framework. */
@NullMarked
package dev.halfcell.zoo.trajectory;

import org.jspecify.annotations.NullMarked;
