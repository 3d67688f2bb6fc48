/** Which cell computes in which precision, and why: levels, the plan, its casting rules. */
@NullMarked
package dev.halfcell.amp.precision;

import org.jspecify.annotations.NullMarked;
