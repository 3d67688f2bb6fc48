/** The training steps of other frameworks, each timed in a process of its own. */
@NullMarked
package dev.halfcell.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
