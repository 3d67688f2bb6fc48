/** Why a network does not learn in half: first offenders, underflow, demotion. */
@NullMarked
package dev.halfcell.amp.diagnosis;

import org.jspecify.annotations.NullMarked;
