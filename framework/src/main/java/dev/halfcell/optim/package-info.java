/**
 * Optimizers: which memory a parameter needs, and the op that updates both; groups of parameters,
 * and bounds for gradients.
 */
@NullMarked
package dev.halfcell.optim;

import org.jspecify.annotations.NullMarked;
