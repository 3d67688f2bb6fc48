/** Where values of a step stop being finite. */
@NullMarked
package dev.halfcell.train.diagnosis;

import org.jspecify.annotations.NullMarked;
