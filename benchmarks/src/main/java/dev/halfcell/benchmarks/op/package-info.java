/** HalfCell's CPU backend op by op, measured by JMH. */
@NullMarked
package dev.halfcell.benchmarks.op;

import org.jspecify.annotations.NullMarked;
