/** Tests of where values stop being finite. */
@NullMarked
package dev.halfcell.train.diagnosis;

import org.jspecify.annotations.NullMarked;
