/** Pooling over windows, and its gradients. */
@NullMarked
package dev.halfcell.op.pooling;

import org.jspecify.annotations.NullMarked;
