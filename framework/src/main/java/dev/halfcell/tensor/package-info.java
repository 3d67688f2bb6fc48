/**
 * Numbers in memory: dtypes, shapes, tensors and the scopes that own them, and what every error is
 * made of.
 */
@NullMarked
package dev.halfcell.tensor;

import org.jspecify.annotations.NullMarked;
