/**
 * What executes ops: the contract of backends, the graph of a recorded step, and the reference
 * backend.
 */
@NullMarked
package dev.halfcell.backend;

import org.jspecify.annotations.NullMarked;
