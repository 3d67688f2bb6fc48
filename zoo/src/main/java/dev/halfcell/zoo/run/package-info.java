/** A training run, its folder and the files in it. Nothing here prints. */
@NullMarked
package dev.halfcell.zoo.run;

import org.jspecify.annotations.NullMarked;
