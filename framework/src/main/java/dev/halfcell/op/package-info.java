/**
 * Ops as data: what an op is, who executes it, and the vocabulary that cells and gradients are
 * written in.
 */
@NullMarked
package dev.halfcell.op;

import org.jspecify.annotations.NullMarked;
