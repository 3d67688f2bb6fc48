/** Data sets that networks of the zoo are trained on, and the readers of their files. */
@NullMarked
package dev.halfcell.zoo.data;

import org.jspecify.annotations.NullMarked;
