/** Optimizers: which memory a parameter needs, and the op that updates both. */
@NullMarked
package dev.halfcell.optim;

import org.jspecify.annotations.NullMarked;
