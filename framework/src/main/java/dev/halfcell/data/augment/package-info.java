/** Changes to the images of a training set that their labels survive, drawn anew in each epoch. */
@NullMarked
package dev.halfcell.data.augment;

import org.jspecify.annotations.NullMarked;
